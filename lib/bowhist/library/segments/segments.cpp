#include <bowhist/library/segments/segments.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/core/round_up.hpp>
#include <bowhist/library/file/row_sum.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <limits>

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

namespace {

constexpr const char *images_indexed =
    "SELECT CAST(value AS INTEGER) FROM about WHERE name = 'indexed'";

/// The id of a segment's row of a word, or of a block of codes.
std::int64_t row_id(std::int64_t segment, std::uint64_t part) {
    return (segment << 32) + static_cast<std::int64_t>(part);
}

bool is_content(RowId id) {
    return id > 0 && id < std::int64_t{1} << 62;
}

std::string_view bytes_of(const std::vector<std::uint32_t> &numbers) {
    return {reinterpret_cast<const char *>(numbers.data()), numbers.size() * sizeof(std::uint32_t)};
}

std::vector<std::uint32_t> numbers_in(std::string_view bytes) {
    std::vector<std::uint32_t> numbers(bytes.size() / sizeof(std::uint32_t));
    std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(std::uint32_t));
    return numbers;
}

/// Whether a segment has the sizes that the models ask for. Ids of contents and segments stay so
/// small that no sum overflows.
bool is_whole(const Segment &segment, const ComparedSizes &sizes) {
    constexpr std::int64_t most_segments = std::int64_t{1} << 31;
    const auto norms = [&](std::size_t compared) { return compared > 0 ? segment.size() : 0; };
    return segment.id > 0 && segment.id < most_segments && is_content(segment.first) &&
           segment.size() > 0 && segment.size() <= most_segment_images &&
           std::ranges::adjacent_find(segment.contents, std::greater_equal()) ==
               segment.contents.end() &&
           segment.word_norms.size() == norms(sizes.words) &&
           segment.code_norms.size() == norms(sizes.dimensions) &&
           segment.levels.size() == sizes.words &&
           std::ranges::all_of(segment.levels, [](char levels) {
               return static_cast<unsigned char>(levels) <= most_levels + 1;
           });
}

} // namespace

ComparedSizes compared_sizes(Database &database) {
    const auto size = [&](std::string_view kind) {
        Statement statement(database, "SELECT size, length(model) FROM models WHERE kind = ?1");
        if (!statement.with(kind).step()) return std::size_t{0};
        if (!is_size_of_model(statement.number(0), statement.number(1)))
            database.fail_damaged("the size of a model");
        return static_cast<std::size_t>(statement.number(0));
    };
    return {size("words"), size("code")};
}

SegmentRows::SegmentRows(Database &database)
    : database_(database), postings_sum_(database, "SELECT checksum FROM postings WHERE id = ?1"),
      codes_sum_(database, "SELECT checksum FROM code_blocks WHERE id = ?1"),
      insert_postings_(database, "INSERT INTO postings VALUES(?1, ?2, ?3)"),
      insert_codes_(database, "INSERT INTO code_blocks VALUES(?1, ?2, ?3)"),
      postings_(database, "postings", "postings"), codes_(database, "code_blocks", "codes") {}

void SegmentRows::fail_damaged(std::string_view what) const {
    throw Error(Fault::input,
                fmt::format("{}: its index of search is damaged ({}); make it again: bowhist index "
                            "-o {} --reindex",
                            database_.path(), what, database_.path()));
}

std::vector<Segment> SegmentRows::segments() {
    Statement statement(database_, "SELECT id, first, contents, word_norms, code_norms, levels, "
                                   "checksum FROM segments ORDER BY id");
    const ComparedSizes sizes = compared_sizes(database_);
    std::vector<Segment> all;
    std::int64_t images = 0;
    while (statement.step()) {
        const auto blob = [&](int column) { return statement.bytes(column); };
        Segment &segment =
            all.emplace_back(Segment{.id = statement.number(0), .first = statement.number(1)});
        if (statement.number(6) !=
            RowSum::of(segment.id, segment.first, blob(2), blob(3), blob(4), blob(5)))
            fail_damaged(fmt::format("segment {}", segment.id));
        segment.contents = numbers_in(blob(2));
        segment.word_norms = numbers_in(blob(3));
        segment.code_norms = numbers_in(blob(4));
        segment.levels = std::string(blob(5));
        if (!is_whole(segment, sizes)) fail_damaged(fmt::format("segment {}", segment.id));
        images += static_cast<std::int64_t>(segment.size());
    }
    if (database_.number(images_indexed) != images) fail_damaged("segments are missing");
    return all;
}

std::vector<RowId> SegmentRows::unindexed() {
    Statement statement(database_, "SELECT content, checksum FROM unindexed ORDER BY content");
    std::vector<RowId> contents;
    while (statement.step()) {
        const RowId content = contents.emplace_back(statement.number(0));
        const bool is_whole =
            statement.number(1) == RowSum::of(content) && is_content(content) &&
            content - contents.front() <= std::numeric_limits<std::uint32_t>::max();
        if (!is_whole) fail_damaged("unindexed");
    }
    return contents;
}

std::optional<PostingsView> SegmentRows::postings(const Segment &segment, std::uint32_t word) {
    if (!segment.has(word)) return std::nullopt;
    const std::int64_t id = row_id(segment.id, word);
    const auto fail = [&] { fail_damaged(fmt::format("word {} of segment {}", word, segment.id)); };
    if (!postings_sum_.with(id).step()) fail();
    const std::string_view bytes = postings_.read(id);
    if (postings_sum_.number(0) != RowSum::of(id, bytes)) fail();
    auto view = PostingsView::of(bytes, segment.bitmaps(word), segment.size());
    if (!view) fail();
    return view;
}

std::string_view SegmentRows::codes(const Segment &segment, std::size_t block,
                                    std::size_t dimensions) {
    const std::int64_t id = row_id(segment.id, block);
    const std::size_t images = std::min(code_block, segment.size() - block * code_block);
    const auto fail = [&] {
        fail_damaged(fmt::format("codes {} of segment {}", block, segment.id));
    };
    if (!codes_sum_.with(id).step()) fail();
    const std::string_view bytes = codes_.read(id);
    if (codes_sum_.number(0) != RowSum::of(id, bytes) ||
        bytes.size() != divided_up(images, code_group) * code_group_bytes(dimensions))
        fail();
    return bytes;
}

void SegmentRows::release() {
    postings_sum_.reset();
    codes_sum_.reset();
    postings_.release();
    codes_.release();
}

void SegmentRows::read_in_passing(bool passing) {
    database_.run(passing ? "PRAGMA cache_size=-1024" : "PRAGMA cache_size=-32768");
}

void SegmentRows::put(const Segment &segment) {
    Statement statement(database_, "INSERT INTO segments VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)");
    const auto contents = bytes_of(segment.contents);
    const auto word_norms = bytes_of(segment.word_norms);
    const auto code_norms = bytes_of(segment.code_norms);
    statement
        .with(
            segment.id, segment.first, Blob{contents}, Blob{word_norms}, Blob{code_norms},
            Blob{segment.levels},
            RowSum::of(segment.id, segment.first, contents, word_norms, code_norms, segment.levels))
        .run();
    count_images(static_cast<std::int64_t>(segment.size()));
}

void SegmentRows::put_postings(std::int64_t segment, std::uint32_t word,
                               std::string_view postings) {
    const std::int64_t id = row_id(segment, word);
    insert_postings_.with(id, RowSum::of(id, postings), Blob{postings}).run();
}

void SegmentRows::put_codes(std::int64_t segment, std::size_t block, std::string_view codes) {
    const std::int64_t id = row_id(segment, block);
    insert_codes_.with(id, RowSum::of(id, codes), Blob{codes}).run();
}

void SegmentRows::erase(std::int64_t segment) {
    Statement images(database_, "SELECT length(contents) / 4 FROM segments WHERE id = ?1");
    if (images.with(segment).step()) count_images(-images.number(0));
    images.reset();
    Statement(database_, "DELETE FROM segments WHERE id = ?1").with(segment).run();
}

void SegmentRows::count_images(std::int64_t more) {
    const auto before = database_.number(images_indexed);
    const std::string value = std::to_string(before + more);
    Statement statement(database_, "INSERT OR REPLACE INTO about VALUES('indexed', ?1, ?2)");
    statement.with(Blob{value}, RowSum::of(std::string_view("indexed"), value)).run();
}

bool SegmentRows::erase_some_leftovers() {
    constexpr int some = 2000;
    for (const char *table : {"postings", "code_blocks"}) {
        // by their ids alone: the rows of segments that are there are stepped over
        std::int64_t next = 0;
        Statement first(database_, fmt::format("SELECT id FROM {} WHERE id >= ?1 LIMIT 1", table));
        Statement segment(database_, "SELECT 1 FROM segments WHERE id = ?1");
        while (first.with(next).step()) {
            const std::int64_t owner = first.number(0) >> 32;
            next = row_id(owner + 1, 0);
            if (segment.with(owner).step()) continue;
            first.reset();
            Statement(database_,
                      fmt::format("DELETE FROM {0} WHERE id IN (SELECT id FROM {0} WHERE "
                                  "id >= ?1 AND id < ?2 LIMIT {1})",
                                  table, some))
                .with(row_id(owner, 0), next)
                .run();
            return true;
        }
    }
    return false;
}

} // namespace bowhist
