#pragma once

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

} // namespace bowhist
