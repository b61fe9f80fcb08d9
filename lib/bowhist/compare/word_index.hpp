#pragma once

#include <bowhist/compare/excess_lists.hpp>
#include <bowhist/compare/word_counts.hpp>
#include <bowhist/core/large_memory.hpp>
#include <bowhist/core/observer.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace bowhist {

/// The form in which the words of an index are kept. Level l of a word are the images that hold it
/// at least l times. Levels that enough images reach are bitmaps, a bit an image; a list of images
/// holds the levels above a word's bitmaps.
struct WordRows {
    std::vector<std::uint32_t>
        first; ///< k + 1: the bitmaps of word w are rows first[w] … first[w + 1] - 1
    static constexpr std::size_t all_windows = std::numeric_limits<std::size_t>::max();
    std::size_t listed_windows = 4; ///< the first ones, whose excess lies by word
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

/// The words of images in the form that is searched. Windows of 4096 images, each 8 blocks of 512:
/// bit-sliced, [window][block][row][512 bits]; and by how much the counts of each image exceed the
/// bitmaps. That lies by word in the first windows, of which a search adds up all, and by image in
/// the others, of which it adds up what it needs.
///
/// Protocol: add images in their order, then finish. Then any number of threads may read.
class WordIndex {
  public:
    static constexpr std::size_t block_images = 512;
    static constexpr std::size_t block_words = block_images / 64; ///< of 64 bits, a row
    static constexpr std::size_t window_blocks = 8;
    static constexpr std::size_t window_images = window_blocks * block_images;
    explicit WordIndex(WordRows rows);
    /// An index of images whose words are set by set_bitmaps() and set_lists(), in the place of
    /// add() and finish(). All bitmaps are to be set.
    WordIndex(WordRows rows, std::size_t images);

    /// The bitmaps of a word. Any thread; for several words at once.
    /// @param bits  of each level, ⌈images/512⌉ blocks of 64 bytes
    void set_bitmaps(std::uint32_t word, const char *bits);
    /// Sets the counts that are in no bitmap; several windows at once.
    void set_lists(std::size_t window, ExcessLists lists);

    void add(std::span<const WordCount> image);
    void finish();

    const WordRows &rows() const { return rows_; }
    std::size_t size() const { return images_; }
    std::size_t windows() const { return windows_.size(); }
    /// The first ones, whose excess lies by word; that of the others lies by image.
    std::size_t listed_windows() const { return std::min(windows_.size(), rows_.listed_windows); }
    bool is_listed(std::size_t window) const { return window < rows_.listed_windows; }
    std::size_t bytes() const;

    /// The bitmaps of a block: rows().count() rows of block_words.
    const std::uint64_t *block(std::size_t window, std::size_t block) const {
        return windows_[window].bits + block * block_stride();
    }
    std::size_t block_stride() const { return rows_.count() * block_words; }
    /// Visits by how much an image's counts exceed the bitmaps: visit(word, excess), rising.
    /// REQUIRES that the image is in no listed window.
    template <typename Visit>
    void for_each_excess(std::size_t image, Visit visit) const {
        windows_[image / window_images].excess.for_each(image % window_images, visit);
    }
    /// Brings from memory what for_each_excess() reads, which has the same need.
    void fetch_excess(std::size_t image) const {
        windows_[image / window_images].excess.fetch(image % window_images);
    }
    /// The same by word, of a listed window.
    const ExcessLists &listed(std::size_t window) const { return windows_[window].lists; }
    /// The same, of any window.
    ExcessLists lists(std::size_t window) const;

  private:
    struct Window {
        std::uint64_t *bits = nullptr; ///< aligned to 64 bytes
        ExcessLists lists;
        ExcessRows excess;
    };

    std::size_t window_size() const { return window_blocks * block_stride(); }
    void add_to(Window &window, std::size_t place, const WordCount &word) const;
    void close_window();

    WordRows rows_;
    WordCounts pending_; ///< of the window that is not full
    std::vector<Window> windows_;
    std::vector<LargeMemory<std::uint64_t>> memory_; ///< of their bits
    std::size_t images_ = 0;
};

} // namespace bowhist
