#include <bowhist/library/postings.hpp>

#include <bowhist/core/round_up.hpp>

#include <algorithm>
#include <bit>
#include <cstring>

namespace bowhist {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::uint32_t largest_short_excess = 15;

template <typename Number>
void append(std::string &bytes, const std::vector<Number> &numbers) {
    bytes.append(reinterpret_cast<const char *>(numbers.data()), numbers.size() * sizeof(Number));
}

template <typename Number>
Number number_at(const char *bytes) {
    Number number;
    std::memcpy(&number, bytes, sizeof(number));
    return number;
}

/// Levels that more than 10 images of 1000 reach, higher ones than the first more than 40: there a
/// bitmap takes no longer to add than a list, and not much more memory.
std::uint32_t levels_of(std::span<const Posting> postings, std::size_t room) {
    const auto reach = [&](std::uint32_t level) {
        std::uint32_t images = 0;
        for (const Posting &posting : postings) images += posting.count > level;
        return std::size_t{images};
    };
    std::uint32_t levels = 0;
    while (levels < most_levels && 1000 * reach(levels) > room * (levels == 0 ? 10 : 40)) ++levels;
    return levels;
}

} // namespace

StoredPostings encode_postings(std::span<const Posting> postings, std::size_t images) {
    const std::size_t blocks = divided_up(images, posting_block);
    const std::uint32_t levels = levels_of(postings, blocks * posting_block);
    const std::size_t level_bytes = blocks * (posting_block / 8);
    StoredPostings stored{levels, std::string(levels * level_bytes, '\0')};
    std::vector<std::uint16_t> lengths(divided_up(images, posting_window));
    std::vector<std::uint16_t> shorts(postings.size());
    std::size_t short_count = 0;
    std::vector<std::uint32_t> longs;
    for (const Posting posting : postings) {
        const std::uint32_t count = posting.count;
        const std::uint32_t set = std::min(count, levels);
        char *byte = stored.bytes.data() + posting.image / 8;
        for (std::uint32_t level = 0; level < set; ++level, byte += level_bytes)
            *byte |= static_cast<char>(1U << posting.image % 8);
        const std::uint32_t excess = count - set;
        if (excess > largest_short_excess) {
            longs.push_back(posting.image << 8U | excess);
            continue;
        }
        shorts[short_count] = // no branch: which images have an excess is hard to foresee
            static_cast<std::uint16_t>(posting.image % posting_window << 4U | excess);
        short_count += excess > 0;
        lengths[posting.image / posting_window] += excess > 0;
    }
    shorts.resize(short_count);
    append(stored.bytes, lengths);
    append(stored.bytes, shorts);
    append(stored.bytes, longs);
    return stored;
}

std::optional<PostingsView> PostingsView::of(std::string_view bytes, std::uint32_t levels,
                                             std::size_t images) {
    PostingsView view;
    view.bytes_ = bytes;
    view.levels_ = levels;
    view.blocks_ = divided_up(images, posting_block);
    view.windows_ = divided_up(images, posting_window);
    view.list_start_ = levels * view.blocks_ * (posting_block / 8);
    std::size_t end = view.list_start_ + view.windows_ * sizeof(std::uint16_t);
    if (levels > most_levels || bytes.size() < end) return std::nullopt;
    view.ends_.reserve(view.windows_ + 1);
    view.ends_.push_back(end);
    for (std::size_t window = 0; window < view.windows_; ++window) {
        const char *const length = bytes.data() + view.list_start_ + 2 * window;
        view.ends_.push_back(end += 2 * std::size_t{number_at<std::uint16_t>(length)});
    }
    const bool is_whole = end <= bytes.size() && (bytes.size() - end) % sizeof(std::uint32_t) == 0;
    if (!is_whole) return std::nullopt;
    for (const std::uint32_t entry : view.long_entries())
        if (entry >> 8U >= images) return std::nullopt;
    if (!view.ends_with(images)) return std::nullopt;
    return view;
}

/// Whether the last window's entries and the last blocks' bits are of images that are there; those
/// before can name no others.
bool PostingsView::ends_with(std::size_t images) const {
    if (windows_ == 0) return true;
    const std::size_t first = (windows_ - 1) * posting_window;
    std::vector<std::uint16_t> entries;
    append_short(windows_ - 1, entries);
    for (const std::uint16_t entry : entries)
        if (first + (entry >> 4U) >= images) return false;
    for (std::uint32_t level = 0; level < levels_; ++level)
        for (std::size_t image = images; image < blocks_ * posting_block; ++image) {
            const auto byte =
                static_cast<unsigned char>(bytes_[(level * blocks_ * posting_block + image) / 8]);
            if ((byte >> image % 8 & 1U) != 0) return false;
        }
    return true;
}

void PostingsView::append_short(std::size_t window, std::vector<std::uint16_t> &entries) const {
    const std::size_t count = (ends_[window + 1] - ends_[window]) / 2;
    if (count == 0) return;
    entries.resize(entries.size() + count);
    std::memcpy(&entries[entries.size() - count], bytes_.data() + ends_[window], 2 * count);
}

std::vector<std::uint32_t> PostingsView::long_entries() const {
    std::vector<std::uint32_t> entries((bytes_.size() - ends_.back()) / sizeof(std::uint32_t));
    for (std::size_t i = 0; i < entries.size(); ++i)
        entries[i] = number_at<std::uint32_t>(bytes_.data() + ends_.back() + 4 * i);
    return entries;
}

/// The images of each bitmap raise their counts by one.
void PostingsView::add_bitmaps(std::vector<Posting> &postings) const {
    for (std::size_t part = 0; part < blocks_ * posting_block / 64; ++part) {
        const auto bits_of = [&](std::uint32_t level) {
            return number_at<std::uint64_t>(bytes_.data() +
                                            8 * (level * blocks_ * posting_block / 64 + part));
        };
        const std::uint64_t first = bits_of(0);
        const std::size_t start = postings.size();
        for (std::uint64_t rest = first; rest != 0; rest &= rest - 1)
            postings.push_back({static_cast<std::uint32_t>(64 * part) +
                                    static_cast<std::uint32_t>(std::countr_zero(rest)),
                                1});
        for (std::uint32_t level = 1; level < levels_; ++level)
            for (std::uint64_t rest = bits_of(level) & first; rest != 0; rest &= rest - 1) {
                const std::uint64_t before = first & ((rest & (~rest + 1)) - 1);
                ++postings[start + static_cast<std::size_t>(std::popcount(before))].count;
            }
    }
}

std::vector<Posting> PostingsView::decoded() const {
    std::vector<Posting> bitmaps;
    if (levels_ > 0) add_bitmaps(bitmaps);
    std::vector<Posting> list; // the excess over them
    std::vector<std::uint16_t> entries;
    for (std::size_t window = 0; window < windows_; ++window) {
        entries.clear();
        append_short(window, entries);
        for (const std::uint16_t entry : entries)
            list.push_back(
                {static_cast<std::uint32_t>(window * posting_window) + (entry >> 4U), entry & 15U});
    }
    const auto before = [](const Posting &a, const Posting &b) { return a.image < b.image; };
    const auto short_end = static_cast<std::ptrdiff_t>(list.size());
    for (const std::uint32_t entry : long_entries()) list.push_back({entry >> 8U, entry & 255U});
    std::inplace_merge(list.begin(), list.begin() + short_end, list.end(), before);
    std::vector<Posting> postings;
    auto excess = list.begin();
    for (const Posting &posting : bitmaps) {
        for (; excess != list.end() && excess->image < posting.image; ++excess)
            postings.push_back(*excess);
        postings.push_back(posting);
        if (excess != list.end() && excess->image == posting.image)
            postings.back().count += excess++->count;
    }
    postings.insert(postings.end(), excess, list.end());
    return postings;
}

} // namespace bowhist
