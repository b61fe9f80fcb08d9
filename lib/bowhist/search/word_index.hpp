#pragma once

#include <bowhist/core/large_memory.hpp>
#include <bowhist/core/observer.hpp>
#include <bowhist/search/word_counts.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace bowhist {

/// In which form the words of an index are kept. Level l of a word are the images that hold it at
/// least l times. Levels that enough images reach are bitmaps, a bit an image; what lies above a
/// word's bitmaps is a list of images.
struct WordRows {
    std::vector<std::uint32_t>
        first; ///< k + 1: the bitmaps of word w are rows first[w] … first[w + 1] - 1
    std::size_t words() const { return first.size() - 1; }
    std::size_t count() const { return first.back(); }
    std::uint32_t levels(std::uint32_t word) const { return first[word + 1] - first[word]; }
};

/// Counts how many images reach each level of each word, for the choice of rows.
class LevelFrequencies {
  public:
    static constexpr std::uint32_t most_levels = 8; ///< that become bitmaps

    explicit LevelFrequencies(std::size_t words) : reached_(words * most_levels) {}

    void add(std::span<const WordCount> image);
    /// Levels that more than 10 images of 1000 reach, higher ones than the first more than 40:
    /// there a bitmap takes no longer to add than a list, and not much more memory.
    WordRows rows() const;

  private:
    std::vector<std::uint32_t> reached_; ///< [word][level - 1]
    std::size_t images_ = 0;
};

/// The words of images in the form that is searched: bit-sliced. Windows of 4096 images, each 8
/// blocks of 512: [window][block][row][512 bits]. The lists of a window: [word], each image an
/// entry of 16 bits, its place in the window times 16 plus its excess: by how much its count
/// exceeds the word's bitmaps. Where that is more than 15, a long entry holds it.
///
/// Protocol: add images in their order, then finish. Then any number of threads may read.
class WordIndex {
  public:
    static constexpr std::size_t block_images = 512;
    static constexpr std::size_t block_words = block_images / 64; ///< of 64 bits, a row
    static constexpr std::size_t window_blocks = 8;
    static constexpr std::size_t window_images = window_blocks * block_images;
    static constexpr std::uint32_t largest_short_excess = 15;

    struct LongEntry {
        std::uint32_t word = 0;
        std::uint32_t place = 0; ///< in the window
        std::uint32_t excess = 0;
    };

    explicit WordIndex(WordRows rows);
    /// Of images whose words are set by set_bitmaps() and set_lists(), in the place of add() and
    /// finish(). All bitmaps are to be set.
    WordIndex(WordRows rows, std::size_t images);

    /// The bitmaps of a word. Any thread; for several words at once.
    /// @param bits  of each level, ⌈images/512⌉ blocks of 64 bytes
    void set_bitmaps(std::uint32_t word, const char *bits);
    /// The lists of a window; several windows at once.
    /// @param starts  k + 1: of each word's entries
    void set_lists(std::size_t window, std::vector<std::uint32_t> &&starts,
                   std::vector<std::uint16_t> &&entries, std::vector<LongEntry> &&long_entries);

    void add(std::span<const WordCount> image);
    void finish();

    const WordRows &rows() const { return rows_; }
    std::size_t size() const { return images_; }
    std::size_t windows() const { return windows_.size(); }
    std::size_t bytes() const;

    /// The bitmaps of a block: rows().count() rows of block_words, then a row of zeros.
    const std::uint64_t *block(std::size_t window, std::size_t block) const {
        return windows_[window].bits + block * block_stride();
    }
    std::size_t block_stride() const { return (rows_.count() + 1) * block_words; }
    /// The entries of a word in a window.
    std::span<const std::uint16_t> list(std::size_t window, std::uint32_t word) const {
        const Window &w = windows_[window];
        return std::span(w.entries).subspan(w.starts[word], w.starts[word + 1] - w.starts[word]);
    }
    /// By rising word.
    std::span<const LongEntry> long_entries(std::size_t window) const {
        return windows_[window].long_entries;
    }

  private:
    struct Window {
        std::uint64_t *bits = nullptr;     ///< aligned to 64 bytes
        std::vector<std::uint32_t> starts; ///< k + 1: of each word's entries
        std::vector<std::uint16_t> entries;
        std::vector<LongEntry> long_entries;
    };

    std::size_t window_size() const { return window_blocks * block_stride(); }
    void add_to(Window &window, std::size_t place, const WordCount &word,
                std::vector<std::uint32_t> &next) const;
    void close_window();

    WordRows rows_;
    WordCounts pending_; ///< of the window that is not full
    std::vector<Window> windows_;
    std::vector<LargeMemory<std::uint64_t>> memory_; ///< of their bits
    std::size_t images_ = 0;
};

} // namespace bowhist
