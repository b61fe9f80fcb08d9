#include <bowhist/assign/host_assigner.hpp>
#include <bowhist/assign/rule.hpp>

#include <omp.h>

#include <algorithm>
#include <chrono>

namespace bowhist {
namespace {

/// Comparisons between two looks at whether to stop: a fraction of a second.
constexpr std::size_t comparisons_a_slice = std::size_t{1} << 26;

std::span<const float> row_of(std::span<const float> values, std::size_t row,
                              std::size_t dimensions) {
    return values.subspan(row * dimensions, dimensions);
}

} // namespace

HostAssigner::HostAssigner(HostSearch search, Vocabulary vocabulary, const AssignOptions &options)
    : search_(search), vocabulary_(std::move(vocabulary)), observer_(options.observer),
      threads_(options.threads > 0 ? options.threads : omp_get_num_procs()),
      bound_(float32_bound(vocabulary_.dimensions, options.bound_scale)) {
    if (search == HostSearch::openmp) packed_ = PackedCentroids(vocabulary_);
}

Assignment HostAssigner::run(const Batch &batch) {
    const auto start = std::chrono::steady_clock::now();
    const std::size_t k = vocabulary_.size();
    Assignment result;
    result.words.resize(batch.values.size() / vocabulary_.dimensions);
    result.histograms.assign(batch.images * k, 0);
    search(batch.values, result.words);
    for (std::size_t row = 0; row < result.words.size(); ++row) {
        const std::size_t image = batch.image.empty() ? 0 : batch.image[row];
        ++result.histograms[image * k + static_cast<std::size_t>(result.words[row])];
    }
    report_.rows += result.words.size();
    report_.wall_seconds +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
}

void HostAssigner::search(std::span<const float> values, std::span<std::int32_t> words) {
    const std::size_t slice = std::max<std::size_t>(1, comparisons_a_slice / vocabulary_.size());
    for (std::size_t first = 0; first < words.size(); first += slice) {
        if (observer_ != nullptr) observer_->stop_if_interrupted();
        const std::size_t count = std::min(slice, words.size() - first);
        const auto rows =
            values.subspan(first * vocabulary_.dimensions, count * vocabulary_.dimensions);
        if (search_ == HostSearch::serial)
            search_serial(rows, words.subspan(first, count));
        else
            report_.unproven += search_openmp(rows, words.subspan(first, count));
    }
}

void HostAssigner::search_serial(std::span<const float> values,
                                 std::span<std::int32_t> words) const {
    for (std::size_t row = 0; row < words.size(); ++row)
        words[row] = nearest(row_of(values, row, vocabulary_.dimensions), vocabulary_);
}

std::uint64_t HostAssigner::search_openmp(std::span<const float> values,
                                          std::span<std::int32_t> words) const {
    std::uint64_t unproven = 0;
    const auto rows = static_cast<std::ptrdiff_t>(words.size());
#pragma omp parallel for schedule(static) num_threads(threads_) reduction(+ : unproven)
    for (std::ptrdiff_t r = 0; r < rows; ++r) {
        const auto row = static_cast<std::size_t>(r);
        const std::span<const float> x = row_of(values, row, vocabulary_.dimensions);
        const std::optional<std::int32_t> proven = packed_.screen(x, bound_);
        unproven += proven ? 0 : 1;
        words[row] = proven ? *proven : nearest(x, vocabulary_);
    }
    return unproven;
}

} // namespace bowhist
