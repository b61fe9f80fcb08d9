#pragma once

#include <bowhist/assign/level.hpp>
#include <bowhist/core/vocabulary.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

namespace bowhist {

/// A way to find the words of rows without a device, prepared for one vocabulary. Any D, any k.
struct HostSearch {
    /// @param values n×D, row-major   @param words n words, by the rule in docs/words.md
    /// @param threads  1: the calling thread alone; then several threads may call at a time
    /// @return rows that no screen could prove and the rule decided
    std::function<std::uint64_t(std::span<const float> values, std::span<std::int32_t> words,
                                int threads)>
        search;

    /// Rows to search between two checks for an interruption: a fraction of a second's work, unless
    /// k is so large that the threads need more rows to be busy.
    std::size_t rows_a_slice = 0;

    bool has_one_thread = false; ///< whatever is asked for
};

/// Rows of a slice: each thread compares rows and words about `comparisons` times. At least `least`
/// rows a thread, and at most 2¹⁸, since rows must be read.
inline std::size_t rows_for(std::size_t comparisons, std::size_t least, std::size_t words,
                            int threads) {
    constexpr std::size_t most = std::size_t{1} << 18;
    return static_cast<std::size_t>(threads) * std::clamp(comparisons / words, least, most);
}

/// Makes a search on at most `most_threads` threads. The vocabulary outlives it.
using MakeHostSearch =
    std::function<HostSearch(const Vocabulary &vocabulary, int most_threads, double bound_scale)>;

/// The rule for every row, one thread.
HostSearch make_serial_search(const Vocabulary &vocabulary, int most_threads, double bound_scale);
/// Sums of squared differences in float32, a row at a time, then the rule.
HostSearch make_openmp_search(const Vocabulary &vocabulary, int most_threads, double bound_scale);
/// Tiles of rows by words in the vector registers: integers first where that pays, then float32,
/// then the rule among the words that float32 could not exclude.
HostSearch make_simd_search(const Vocabulary &vocabulary, int most_threads, double bound_scale);

/// The levels that need no device: a search in slices, to be interrupted, and the counting.
class HostAssigner : public Assigner {
  public:
    HostAssigner(MakeHostSearch make_search, const Vocabulary &vocabulary,
                 const AssignOptions &options);
    HostAssigner *on_host() override { return this; }
    Assignment run(const Batch &batch) override { return run(batch, threads_); }

    /// The k counts of one bag's descriptors. Any thread, alone, but not during run() or replace().
    std::vector<std::uint32_t> count(std::span<const float> values) {
        return run({values, {}, 1}, 1).histograms;
    }
    /// Their words. As count().
    std::vector<std::int32_t> words(std::span<const float> values) {
        return run({values, {}, 1}, 1).words;
    }
    /// Whether run() takes one thread, as the reference does.
    bool has_one_thread() const { return search_.has_one_thread; }

    void replace(const Vocabulary &vocabulary) override;

  private:
    /// A thread that runs. The report's wall time is that in which any thread runs.
    class Running {
      public:
        explicit Running(HostAssigner &of);
        ~Running();
        Running(const Running &) = delete;
        Running &operator=(const Running &) = delete;

      private:
        HostAssigner &of_;
    };

    Assignment run(const Batch &batch, int threads);
    std::uint64_t search(std::span<const float> values, std::span<std::int32_t> words,
                         int threads) const;
    void count(const Batch &batch, Assignment &result, int threads) const;

    MakeHostSearch make_search_;
    Vocabulary vocabulary_;
    const Observer *observer_; ///< outlives the assigner
    int threads_;
    double bound_scale_;
    HostSearch search_;                           ///< refers to vocabulary_
    std::mutex report_mutex_;                     ///< guards report_, running_ and start_
    int running_ = 0;                             ///< threads
    std::chrono::steady_clock::time_point start_; ///< of the first of them
};

} // namespace bowhist
