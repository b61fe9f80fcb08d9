#pragma once

#include <bowhist/library/catalogue.hpp>
#include <bowhist/library/sqlite/statement.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bowhist {

// The images of a segment that hold a word, as the library keeps them. Level l of a word are the
// images that hold it at least l times. The lowest levels that enough images reach are bitmaps; a
// count's excess over them is in a list. In the file, one behind the other, little-endian:
//
//     bitmaps   [level][block of 512 images][64 bytes]: image i is bit i % 8 of byte i / 8
//     lengths   uint16 of each window of 4096 images: its short entries
//     short     uint16 each, window by window: place in the window << 4 | excess, 1 to 15
//     long      uint32 each: image << 8 | excess, above 15

/// An image of a segment, and how often it has a word.
struct Posting {
    std::uint32_t image : 24;
    std::uint32_t count : 8; ///< above 0; more than 255 count as 255

    bool operator==(const Posting &) const = default;
};

inline constexpr std::uint32_t most_levels = 8;             ///< that are bitmaps
inline constexpr std::uint32_t most_count = 255;            ///< of a posting
inline constexpr std::size_t posting_block = 512;           ///< images
inline constexpr std::size_t posting_window = 4096;         ///< images
inline constexpr std::size_t most_segment_images = 1 << 23; ///< of 2²⁴ that a posting can name

/// A word's postings as bytes.
struct StoredPostings {
    std::uint32_t levels = 0; ///< that are bitmaps
    std::string bytes = {};
};

/// @param postings  by rising image @param images  of the segment
StoredPostings encode_postings(std::span<const Posting> postings, std::size_t images);

/// Postings that lie in memory, which outlives this.
class PostingsView {
  public:
    /// @return nothing if the bytes are no postings of that number of images
    static std::optional<PostingsView> of(std::string_view bytes, std::uint32_t levels,
                                          std::size_t images);

    std::string_view bytes() const { return bytes_; }
    std::uint32_t levels() const { return levels_; }
    std::string_view bitmaps() const { return bytes_.substr(0, list_start_); }
    /// The bytes behind the bitmaps, which are postings without bitmaps.
    std::string_view lists() const { return bytes_.substr(list_start_); }
    /// Appends the short entries of a window.
    void append_short(std::size_t window, std::vector<std::uint16_t> &entries) const;
    std::vector<std::uint32_t> long_entries() const;

    /// The postings by rising image.
    std::vector<Posting> decoded() const;

  private:
    bool ends_with(std::size_t images) const;
    void add_bitmaps(std::vector<Posting> &postings) const;

    std::string_view bytes_;
    std::uint32_t levels_ = 0;
    std::size_t blocks_ = 0, windows_ = 0;
    std::size_t list_start_ = 0;
    std::vector<std::size_t> ends_; ///< of each window's short entries
};

// The index of search: segments of the library's contents, each in the form that is searched.
// Every content that is described is in one segment, or in the table `unindexed`. A segment may
// hold contents that the library has no more. Segments are never changed: they are appended, merged
// into new ones, and deleted (segment_update.hpp).

/// A row of `segments`.
struct Segment {
    std::int64_t id = 0;
    RowId first = 0;                          ///< the least content
    std::vector<std::uint32_t> contents = {}; ///< of each image, less the first; rising
    std::vector<std::uint32_t> word_norms = {}; ///< Σ round(8·√count)² of each image; empty without
                                                ///< words
    std::vector<std::uint32_t> code_norms = {}; ///< squared; empty without codes
    std::string levels = {}; ///< of each word: 0 without postings, else 1 and its bitmaps

    std::size_t size() const { return contents.size(); }
    RowId content(std::size_t image) const { return first + contents[image]; }
    bool has(std::uint32_t word) const { return word < levels.size() && levels[word] != 0; }
    std::uint32_t bitmaps(std::uint32_t word) const {
        return has(word) ? static_cast<std::uint8_t>(levels[word]) - 1U : 0;
    }
    void set_bitmaps(std::uint32_t word, std::uint32_t count) {
        levels[word] = static_cast<char>(count + 1);
    }
};

/// Codes of a segment as bytes: groups of 64 images, [group][pair of dimensions][image][2]. Zeros
/// fill the last group up.
inline constexpr std::size_t code_group = 64;   ///< images
inline constexpr std::size_t code_block = 4096; ///< images of a row of `code_blocks`
constexpr std::size_t code_group_bytes(std::size_t dimensions) {
    return code_group * ((dimensions + 1) / 2) * 2;
}

/// The sizes of the descriptions by which a library compares images.
struct ComparedSizes {
    std::size_t words = 0;      ///< of its vocabulary; 0: it has none
    std::size_t dimensions = 0; ///< of its codes
};
ComparedSizes compared_sizes(Database &database);

/// Reads and writes rows of the index. Each row that is read is held against its checksum.
/// @throws Error{Fault::input} for a damaged index, and as Statement
class SegmentRows {
  public:
    explicit SegmentRows(Database &database);

    /// The segments by rising id. @throws also where there are fewer images than were indexed
    std::vector<Segment> segments();
    /// Contents that are in no segment, rising.
    std::vector<RowId> unindexed();

    /// Nothing where no image has the word. Valid until the next call.
    std::optional<PostingsView> postings(const Segment &segment, std::uint32_t word);
    /// The codes of some images, from 4096·block on. Valid until the next call.
    std::string_view codes(const Segment &segment, std::size_t block, std::size_t dimensions);

    /// Ends what was read: else no commit could take the log in.
    void release();
    /// Whether pages are kept in memory only for a moment: for large parts, each read once.
    void read_in_passing(bool passing);

    void put(const Segment &segment);
    void put_postings(std::int64_t segment, std::uint32_t word, std::string_view postings);
    void put_codes(std::int64_t segment, std::size_t block, std::string_view codes);
    void erase(std::int64_t segment); ///< its row; without it the others are left-overs
    /// Rows of postings and codes whose segment is not there, some thousand of them.
    /// @return whether there may be more
    bool erase_some_leftovers();

    [[noreturn]] void fail_damaged(std::string_view what) const;

  private:
    void count_images(std::int64_t more);

    Database &database_;
    Statement postings_sum_, codes_sum_, insert_postings_, insert_codes_;
    BlobReader postings_, codes_;
};

} // namespace bowhist
