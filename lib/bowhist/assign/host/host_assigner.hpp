#pragma once

#include <bowhist/assign/host/host_search.hpp>

#include <chrono>
#include <mutex>
#include <span>
#include <vector>

namespace bowhist {

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
