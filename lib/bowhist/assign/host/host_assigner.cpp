#include <bowhist/assign/host/host_assigner.hpp>

#include <bowhist/core/default_floats.hpp>

#include <omp.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <chrono>

namespace bowhist {

HostAssigner::HostAssigner(MakeHostSearch make_search, const Vocabulary &vocabulary,
                           const AssignOptions &options)
    : make_search_(std::move(make_search)), observer_(options.observer),
      threads_(options.threads > 0 ? options.threads : omp_get_num_procs()),
      bound_scale_(options.bound_scale) {
    replace(vocabulary);
}

void HostAssigner::replace(const Vocabulary &vocabulary) {
    vocabulary_ = vocabulary;
    search_ = make_search_(vocabulary_, threads_, bound_scale_);
}

HostAssigner::Running::Running(HostAssigner &of) : of_(of) {
    const std::lock_guard lock(of_.report_mutex_);
    if (of_.running_++ == 0) of_.start_ = std::chrono::steady_clock::now();
}

HostAssigner::Running::~Running() {
    const std::lock_guard lock(of_.report_mutex_);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - of_.start_;
    if (--of_.running_ == 0) of_.report_.wall_seconds += time.count();
}

Assignment HostAssigner::run(const Batch &batch, int threads) {
    const DefaultFloats floats;
    const Running running(*this);
    Assignment result;
    result.words.resize(batch.values.size() / vocabulary_.dimensions, -1);
    result.histograms.assign(batch.bags * vocabulary_.size(), 0);
    const std::uint64_t unproven = search(batch.values, result.words, threads);
    count(batch, result, threads);
    const std::lock_guard lock(report_mutex_);
    report_.rows += result.words.size();
    report_.unproven += unproven;
    return result;
}

std::uint64_t HostAssigner::search(std::span<const float> values, std::span<std::int32_t> words,
                                   int threads) const {
    const std::size_t slice =
        std::max<std::size_t>(1, search_.rows_a_slice * static_cast<std::size_t>(threads) /
                                     static_cast<std::size_t>(threads_));
    std::uint64_t unproven = 0;
    for (std::size_t first = 0; first < words.size(); first += slice) {
        observer_->stop_if_interrupted();
        const std::size_t count = std::min(slice, words.size() - first);
        const auto rows =
            values.subspan(first * vocabulary_.dimensions, count * vocabulary_.dimensions);
        unproven += search_.search(rows, words.subspan(first, count), threads);
    }
    return unproven;
}

void HostAssigner::count(const Batch &batch, Assignment &result, int most_threads) const {
    const std::size_t k = vocabulary_.size();
    const std::size_t rows = result.words.size();
    // Each thread counts for itself, unless adding that up would take longer than counting.
    const std::size_t useful = rows / (4 * result.histograms.size() + 4096);
    const auto threads = std::clamp<std::size_t>(useful, 1, static_cast<std::size_t>(most_threads));
    const std::size_t size = result.histograms.size();
    std::vector<std::uint32_t> counts((threads - 1) * size); // of all threads but the first
    tbb::task_arena(static_cast<int>(threads)).execute([&] {
        tbb::parallel_for(std::size_t{0}, threads, [&](std::size_t thread) {
            std::uint32_t *mine =
                thread == 0 ? result.histograms.data() : counts.data() + (thread - 1) * size;
            for (std::size_t r = rows * thread / threads; r < rows * (thread + 1) / threads; ++r) {
                const std::size_t bag = batch.bag.empty() ? 0 : batch.bag[r];
                ++mine[bag * k + static_cast<std::size_t>(result.words[r])];
            }
        });
    });
    for (std::size_t i = 0; i < counts.size(); ++i) result.histograms[i % size] += counts[i];
}

} // namespace bowhist
