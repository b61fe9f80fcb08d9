#include <bowhist/assign/device/device_nearest_words.hpp>

#include <bowhist/assign/device/device_assigner.hpp>
#include <bowhist/assign/host_advice.hpp>
#include <bowhist/core/default_floats.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace bowhist {
namespace {

constexpr std::size_t group = 64; // work-items
constexpr const char *source = "nearest_words.cl";

} // namespace

DeviceNearestWords::DeviceNearestWords(std::shared_ptr<Device> device, const Vocabulary &words,
                                       const NearestWords &host, const AssignOptions &options)
    : device_(std::move(device)), host_(host), k_(words.size()), dimensions_(words.dimensions),
      bound_(float32_bound(dimensions_, options.bound_scale)), observer_(options.observer),
      rows_a_launch_(rows_a_launch(options.batch, *device_, std::max(dimensions_, host.size()))) {
    const DefaultFloats floats;
    advising_host_levels([&] {
        kernel_ =
            device_->kernel(source, "find_nearest",
                            fmt::format("-DDIMENSIONS={} -DNEAREST={}", dimensions_, host_.size()));
        centroids_ = uploaded(*device_, words.values);
    });
    report_.source = source;
    if (device_->has_own_kernels()) require_words_of_the_host(words);
}

/// The words themselves are the sample.
void DeviceNearestWords::require_words_of_the_host(const Vocabulary &words) {
    constexpr std::size_t most = 4096;
    const auto sample = std::span(words.values).first(std::min(most, k_) * dimensions_);
    if (find(sample) != host_.find(sample))
        throw broken_kernel(*device_, "the nearest words of a sample are wrong");
    report_ = {}; // of the work itself
    report_.source = source;
}

std::vector<std::int32_t> DeviceNearestWords::find(std::span<const float> rows) {
    const DefaultFloats floats; // an OpenCL implementation may use the caller's state
    const auto start = std::chrono::steady_clock::now();
    const std::size_t n = rows.size() / dimensions_;
    const std::size_t m = host_.size();
    std::vector<std::int32_t> nearest(n * m);
    advising_host_levels([&] {
        for (std::size_t first = 0; first < n;) {
            observer_->stop_if_interrupted();
            const std::size_t count = make_room(n - first);
            launch(rows.subspan(first * dimensions_, count * dimensions_),
                   std::span(nearest).subspan(first * m, count * m));
            first += count;
        }
    });
    report_.rows += n;
    report_.wall_seconds +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return nearest;
}

/// @return rows that there is room for, at most `wanted`
std::size_t DeviceNearestWords::make_room(std::size_t wanted) {
    while (true) {
        const std::size_t rows = std::min(rows_a_launch_, wanted);
        try {
            reserve(*device_, rows_, rows * dimensions_);
            reserve(*device_, words_, rows * host_.size());
            return rows;
        } catch (const OutOfMemory &error) {
            rows_ = {};
            words_ = {};
            rows_a_launch_ = fewer_rows(rows, error, *observer_);
        }
    }
}

const Buffer<cl_int> &DeviceNearestWords::find(const Buffer<float> &rows, std::size_t count) {
    const std::size_t m = host_.size();
    if (!ordered_)
        ordered_ =
            device_->kernel(source, "find_nearest",
                            fmt::format("-DDIMENSIONS={} -DNEAREST={} -DORDERED", dimensions_, m));
    reserve(*device_, words_, count * m);
    launch(*ordered_, rows, count);
    std::vector<std::int32_t> nearest(count * m);
    device_->download(std::span(nearest), words_);
    require_words(nearest);
    std::vector<float> row(dimensions_);
    for (std::size_t i = 0; i < count; ++i) { // few are not proven, so each is copied by itself
        if (nearest[i * m] >= 0) continue;
        ++report_.unproven;
        device_->download(std::span(row), rows, i * dimensions_);
        const auto found = host_.find(row);
        std::ranges::copy(found, nearest.begin() + static_cast<std::ptrdiff_t>(i * m));
        device_->upload(words_, std::span<const std::int32_t>(found), i * m);
    }
    require_distinct(nearest);
    return words_;
}

void DeviceNearestWords::launch(Kernel &kernel, const Buffer<float> &rows, std::size_t count) {
    const std::size_t words = count * host_.size();
    device_->fill<cl_int>(words_, -1, words); // what the kernel leaves unwritten is not proven
    device_->launch(kernel, {count, 1}, {group, 1}, rows, static_cast<cl_uint>(count), centroids_,
                    static_cast<cl_uint>(k_), bound_.relative, bound_.absolute, words_);
}

void DeviceNearestWords::take_times() {
    const LaunchLog log = device_->take_launches();
    for (const auto &[label, total] : log.kernels) {
        report_.kernels[label].launches += total.launches;
        report_.kernels[label].seconds += total.seconds;
    }
    report_.device_seconds += log.span_seconds;
}

void DeviceNearestWords::note(std::uint64_t rows, double wall_seconds) {
    report_.rows += rows;
    report_.wall_seconds += wall_seconds;
}

void DeviceNearestWords::launch(std::span<const float> rows, std::span<std::int32_t> nearest) {
    const std::size_t count = rows.size() / dimensions_;
    const std::size_t m = host_.size();
    device_->upload(rows_, rows);
    launch(kernel_, rows_, count);
    device_->download(nearest, words_);
    take_times();
    for (std::size_t i = 0; i < count; ++i) report_.unproven += nearest[i * m] < 0 ? 1 : 0;
    require_words(nearest);
    host_.complete(rows, nearest);
    require_distinct(nearest);
}

/// A row has words, or -1 first.
void DeviceNearestWords::require_words(std::span<const std::int32_t> nearest) const {
    for (std::size_t i = 0; i < nearest.size(); ++i) {
        const bool is_none = nearest[i - i % host_.size()] < 0;
        if (!is_none && static_cast<std::uint32_t>(nearest[i]) >= k_)
            throw broken_kernel(*device_,
                                fmt::format("{} found a word outside the vocabulary of {}",
                                            device_->info().name, k_));
    }
}

/// In the rule's order, equal words are neighbors.
void DeviceNearestWords::require_distinct(std::span<const std::int32_t> nearest) const {
    for (std::size_t i = 1; i < nearest.size(); ++i)
        if (i % host_.size() != 0 && nearest[i] == nearest[i - 1])
            throw broken_kernel(*device_, device_->info().name + " found a word twice");
}

} // namespace bowhist
