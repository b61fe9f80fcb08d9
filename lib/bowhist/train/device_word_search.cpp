#include <bowhist/core/default_floats.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/core/round_up.hpp>
#include <bowhist/train/device_word_search.hpp>
#include <bowhist/train/train_launch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace bowhist {
namespace {

cl_uint as_uint(std::size_t size) {
    return static_cast<cl_uint>(size);
}

} // namespace

DeviceWordSearch::DeviceWordSearch(const Descriptors &descriptors,
                                   std::unique_ptr<Assigner> assigner)
    : assigner_(std::move(assigner)), on_device_(dynamic_cast<DeviceAssigner &>(*assigner_)),
      device_(on_device_.device()), dimensions_(descriptors.dimensions),
      order_by_word_(device_->kernel("order_by_word.cl", "order_by_word")),
      sum_by_word_(device_->kernel("sum_by_word.cl", "sum_by_word",
                                   fmt::format("-DDIMENSIONS={}", dimensions_))) {
    const std::size_t k = on_device_.search().vocabulary().size();
    const std::size_t most = std::max<std::size_t>(1, on_device_.most_rows());
    const std::size_t largest = std::min(most, descriptors.size());
    on_device_.search().reserve(largest); // now, so that what has no room shows
    for (std::size_t first = 0; first < descriptors.size(); first += most) {
        const std::size_t count = std::min(most, descriptors.size() - first);
        const auto values =
            std::span(descriptors.values).subspan(first * dimensions_, count * dimensions_);
        Part part{{device_->allocate<float>(values.size()), device_->allocate<cl_uint>(count),
                   device_->allocate<cl_uint>(1), count, dimensions_},
                  device_->allocate<cl_int>(count),
                  device_->allocate<cl_int>(count)};
        device_->upload<float>(part.rows.values, values);
        device_->fill<cl_uint>(part.rows.image, 0, count);
        device_->fill<cl_uint>(part.rows.count, as_uint(count), 1);
        parts_.push_back(std::move(part));
    }
    forget();
    found_.histograms = device_->allocate<cl_uint>(k);
    found_.unproven = device_->allocate<cl_uint>(largest + 1);
    next_ = device_->allocate<cl_uint>(k);
    order_ = device_->allocate<cl_uint>(largest);
    moved_ = device_->allocate<cl_uint>(1);
    sums_ = device_->allocate<cl_uint>(2 * k * dimensions_);
    device_->allocate<float>(k * dimensions_); // as the next centroids will
}

void DeviceWordSearch::forget() {
    for (const Part &part : parts_) device_->fill<cl_int>(part.words, -1, part.rows.capacity);
}

Iteration DeviceWordSearch::run(CentroidSums &sums) {
    const DefaultFloats floats; // an OpenCL implementation may take the caller's for its own
    const std::size_t k = next_.size;
    device_->fill<cl_uint>(sums_, 0, sums_.size);
    device_->fill<cl_uint>(moved_, 0, 1);
    std::vector<std::uint32_t> counts(k, 0);
    for (Part &part : parts_) {
        std::swap(part.words, part.before);
        found_.words = part.words;
        const auto its_counts = on_device_.count(part.rows, found_);
        std::ranges::transform(counts, its_counts, counts.begin(), std::plus{});
        add_up(part, its_counts, sums);
    }
    std::vector<std::int64_t> totals(k * dimensions_);
    cl_uint moved = 0;
    device_->download(std::span(reinterpret_cast<cl_uint *>(totals.data()), sums_.size), sums_);
    device_->download(std::span(&moved, 1), moved_);
    on_device_.take_times();
    sums.take(totals, std::move(counts));
    return {sums.inertia(vocabulary()), moved, sums.empty().size()};
}

void DeviceWordSearch::move(const CentroidSums &sums) {
    Vocabulary moved = vocabulary();
    sums.move(moved);
    replace(moved);
}

void DeviceWordSearch::add_up(Part &part, const std::vector<std::uint32_t> &counts,
                              const CentroidSums &sums) {
    const std::size_t rows = part.rows.capacity;
    std::vector<cl_uint> starts(counts.size());
    std::exclusive_scan(counts.begin(), counts.end(), starts.begin(), cl_uint{0});
    device_->upload<cl_uint>(next_, starts);
    device_->launch(order_by_word_, {rows, 1}, {ORDER_GROUP, 1}, part.words, part.before,
                    as_uint(rows), as_uint(counts.size()), next_, order_, moved_);
    std::vector<cl_uint> ends(counts.size());
    device_->download(std::span(ends), next_);
    for (std::size_t word = 0; word < counts.size(); ++word)
        if (ends[word] != starts[word] + counts[word])
            throw Error(Fault::device, fmt::format("{} counts {} descriptors of word {}, and finds "
                                                   "{}: a kernel is broken; take another level or "
                                                   "--device",
                                                   device_->info().name, counts[word], word,
                                                   ends[word] - starts[word]));
    const auto [first, second] = sums.scales();
    device_->launch(sum_by_word_,
                    {divided_up(rows, SUM_ROWS) * SUM_GROUP, divided_up(dimensions_, SUM_GROUP)},
                    {SUM_GROUP, 1}, part.rows.values, part.words, order_, as_uint(rows),
                    cl_float2{{first, second}}, sums_);
}

std::vector<std::int32_t> DeviceWordSearch::words() {
    std::vector<std::int32_t> all;
    for (const Part &part : parts_) {
        const std::size_t first = all.size();
        all.resize(first + part.rows.capacity);
        device_->download(std::span(all).subspan(first), part.words);
    }
    return all;
}

} // namespace bowhist
