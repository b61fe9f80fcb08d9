#include <bowhist/pictures/header/tiff_pages.hpp>

#include <algorithm>
#include <set>

namespace bowhist {
namespace {

constexpr std::size_t most_pages = 256;
constexpr int most_offsets = 1024; // that are followed; some lead to the same page

enum Tag : std::uint64_t {
    subfile_type = 254,
    old_subfile_type = 255,
    image_width = 256,
    image_height = 257,
    compression = 259,
    photometric = 262,
    camera_make = 271,
    sub_directories = 330,
    dng_version = 50706
};

/// Tags of color filters (TIFF/EP), of Leaf's and Canon's raw files.
bool is_raw_tag(std::uint64_t tag) {
    constexpr std::uint64_t tags[] = {33421, 33422, 34310, 50752};
    return std::ranges::find(tags, tag) != std::end(tags);
}

/// The offset of an entry's values.
std::uint64_t values_of(const Tiff &tiff, const TiffEntry &entry) {
    const auto room = static_cast<std::uint64_t>(tiff.offset_bytes());
    const auto bytes = saturated_product(entry.count, tiff_type_bytes(entry.type));
    return bytes <= room ? entry.inside : tiff.number(entry.inside, tiff.offset_bytes());
}

/// The offset of the directory behind one; 0 for the last.
std::uint64_t next_of(const Tiff &tiff, std::uint64_t directory) {
    const auto entries =
        saturated_product(tiff.number(directory, tiff.count_bytes()), tiff.entry_bytes());
    const auto first = directory + static_cast<std::uint64_t>(tiff.count_bytes());
    return tiff.number(saturated_sum(first, entries), tiff.offset_bytes());
}

void take(const Tiff &tiff, const TiffEntry &entry, TiffPage &page) {
    const int bytes = tiff_type_bytes(entry.type);
    const auto value = bytes == 0 ? 0 : tiff.number(values_of(tiff, entry), bytes);
    const auto is = [&](Tag tag) { return entry.tag == tag; };
    if ((is(subfile_type) && (value & 1) != 0) || (is(old_subfile_type) && value == 2))
        page.is_reduced = true;
    if (is(subfile_type)) page.is_mask = (value & 4) != 0;
    if (is(image_width)) page.width = value;
    if (is(image_height)) page.height = value;
    if (is(compression)) page.compression = value;
    if (is(photometric)) page.photometric = value;
    if (is(camera_make)) page.make = tiff.file.text(values_of(tiff, entry), entry.count);
    if (is(dng_version)) page.has_dng_version = true;
    if (is_raw_tag(entry.tag)) page.has_raw_tag = true;
}

TiffPage page_at(const Tiff &tiff, std::uint64_t directory, const std::vector<TiffEntry> &entries) {
    TiffPage page{.directory = directory};
    for (const TiffEntry &entry : entries) take(tiff, entry, page);
    return page;
}

class Walk {
  public:
    explicit Walk(const Tiff &tiff) : tiff_(tiff) {}

    TiffPages run() {
        follow(tiff_.first_directory());
        if (found_.pages.empty()) found_.pages.emplace_back();
        return std::move(found_);
    }

  private:
    /// A directory, those below it, and those behind it.
    void follow(std::uint64_t directory) {
        while (directory != 0 && may_follow() && is_new(directory)) {
            if (!tiff_.file.holds(directory, 2)) {
                found_.is_cut = true;
                return;
            }
            const auto entries = tiff_entries(tiff_, directory);
            found_.pages.push_back(page_at(tiff_, directory, entries));
            for (const TiffEntry &entry : entries)
                if (entry.tag == sub_directories) follow_all(entry);
            directory = next_of(tiff_, directory);
        }
    }

    void follow_all(const TiffEntry &entry) {
        const int bytes = tiff_type_bytes(entry.type);
        if (bytes < 4) return;
        const auto values = values_of(tiff_, entry);
        for (std::uint64_t i = 0; i < entry.count && left_ > 0; ++i) {
            const auto at = values + i * static_cast<std::uint64_t>(bytes);
            if (!tiff_.file.holds(at, static_cast<std::uint64_t>(bytes))) break;
            follow(tiff_.number(at, bytes));
        }
    }

    bool may_follow() { return left_-- > 0 && found_.pages.size() < most_pages; }

    bool is_new(std::uint64_t directory) const {
        return std::ranges::find(found_.pages, directory, &TiffPage::directory) ==
               found_.pages.end();
    }

    const Tiff &tiff_;
    TiffPages found_;
    int left_ = most_offsets;
};

} // namespace

int tiff_type_bytes(std::uint64_t type) {
    if (type == 1 || type == 2) return 1;    // BYTE, ASCII
    if (type == 3) return 2;                 // SHORT
    if (type == 4 || type == 13) return 4;   // LONG, IFD
    return type == 16 || type == 18 ? 8 : 0; // LONG8, IFD8
}

std::optional<int> tiff_orientation(const Tiff &tiff, const TiffEntry &entry) {
    constexpr std::uint64_t tag = 274;
    constexpr int short_bytes = 2;
    if (entry.tag != tag) return std::nullopt;
    const int bytes = tiff_type_bytes(entry.type);
    const auto value = tiff.number(entry.inside, bytes > 0 ? bytes : short_bytes);
    return value >= 1 && value <= 8 ? std::optional(static_cast<int>(value)) : std::nullopt;
}

std::vector<TiffEntry> tiff_entries(const Tiff &tiff, std::uint64_t directory) {
    constexpr std::uint64_t most_entries = 4096; // of a directory; libtiff doubts more
    const auto count_bytes = static_cast<std::uint64_t>(tiff.count_bytes());
    if (!tiff.file.holds(directory, count_bytes)) return {};
    const auto room = (tiff.file.size() - directory - count_bytes) / tiff.entry_bytes();
    const auto count = std::min({tiff.number(directory, tiff.count_bytes()), room, most_entries});
    std::vector<TiffEntry> entries;
    entries.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i)
        entries.emplace_back(tiff, directory + count_bytes + i * tiff.entry_bytes());
    return entries;
}

const TiffPage &TiffPages::chosen() const {
    const auto full = std::ranges::find_if(pages, &TiffPage::is_full);
    if (full != pages.end()) return *full;
    return *std::ranges::max_element(pages, {}, [](const TiffPage &page) {
        return page.is_mask ? 0 : saturated_product(page.width, page.height);
    });
}

TiffPages tiff_pages(const Tiff &tiff) {
    return Walk(tiff).run();
}

std::vector<std::uint64_t> full_tiff_pages(const Tiff &tiff, std::size_t most) {
    std::size_t entries_left = std::size_t{1} << 20; // directories may overlap
    std::vector<std::uint64_t> pages;
    std::set<std::uint64_t> met;
    for (auto directory = tiff.first_directory();
         pages.size() < most && tiff.file.holds(directory, 2) && met.insert(directory).second;
         directory = next_of(tiff, directory)) {
        const auto entries = tiff_entries(tiff, directory);
        if (entries.size() >= entries_left) break;
        entries_left -= entries.size();
        if (page_at(tiff, directory, entries).is_full()) pages.push_back(directory);
    }
    return pages;
}

} // namespace bowhist
