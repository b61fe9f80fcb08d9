#include <bowhist/assign/host_advice.hpp>
#include <bowhist/core/default_floats.hpp>
#include <bowhist/pipeline/device_encoder.hpp>

#include <algorithm>
#include <chrono>
#include <numeric>

namespace bowhist {

DeviceEncoder::DeviceEncoder(RowWords &words, const Preparation *preparation, TallyShape shape,
                             Observer &observer)
    : words_(words), device_(words.device()), preparation_(preparation), observer_(observer),
      tally_(device_, std::move(shape)),
      rows_a_launch_(std::max<std::size_t>(1, words.batch_rows() / tally_.shape().rows_each)) {
    if (preparation) prepares_.emplace(device_, *preparation);
}

std::size_t DeviceEncoder::most_images() const {
    constexpr std::size_t most = 4096; // few rows have many images where most are flat
    return std::clamp<std::size_t>((std::size_t{1} << 24) / shape().size(), 1, most);
}

std::vector<std::uint32_t> DeviceEncoder::tally(const GatheredImages &images) {
    const DefaultFloats floats; // an OpenCL implementation may use the caller's state
    const auto start = std::chrono::steady_clock::now();
    std::vector<std::uint32_t> tallies(images.images.size() * shape().size());
    advising_host_levels([&] {
        while (!work_on(images)) {
        }
        device_->download(std::span(tallies), tallies_);
        require_all(images, tallies);
        words_.note(images.bag.size() * shape().rows_each, start);
    });
    return tallies;
}

/// @return false where there was no room: then the next call takes fewer rows a launch
bool DeviceEncoder::work_on(const GatheredImages &images) {
    const std::size_t all = images.bag.size();
    const std::size_t rows = std::min(rows_a_launch_, std::max<std::size_t>(1, all));
    try {
        tally_.clear(tallies_, images.images.size());
        for (std::size_t first = 0; first < all; first += rows) {
            observer_.stop_if_interrupted();
            launch(images, first, std::min(rows, all - first));
        }
        return true;
    } catch (const OutOfMemory &error) {
        place_ = {};
        tallies_ = {};
        rows_a_launch_ = fewer_rows(rows, error, observer_);
        return false;
    }
}

void DeviceEncoder::launch(const GatheredImages &images, std::size_t first, std::size_t count) {
    const std::size_t dimensions = images.rows.dimensions;
    reserve(*device_, place_.values, count * dimensions);
    reserve(*device_, place_.bag, count);
    reserve(*device_, place_.count, 2);
    reserve(*device_, place_.keypoints, count);
    device_->upload(place_.values,
                    std::span(images.rows.values).subspan(first * dimensions, count * dimensions));
    device_->upload(place_.bag, std::span(images.bag).subspan(first, count));
    device_->upload(place_.keypoints, std::span(images.rows.keypoints).subspan(first, count));
    device_->fill<cl_uint>(place_.count, 0, 2);
    device_->fill<cl_uint>(place_.count, static_cast<cl_uint>(count), 1);
    place_.capacity = count;
    place_.dimensions = dimensions;
    const DeviceDescriptors &rows = prepares_ ? prepares_->prepare(place_, images.images) : place_;
    const auto &words = words_.find(rows, count * shape().rows_each, images.images.size());
    tally_.add(place_, rows, words, images.images, tallies_);
}

/// Each row of an image has its words, which the first grid counts.
void DeviceEncoder::require_all(const GatheredImages &images,
                                std::span<const std::uint32_t> tallies) const {
    std::vector<std::size_t> counts(images.images.size());
    for (const cl_uint image : images.bag) counts[image] += shape().counts_each();
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const auto words = words_in(shape(), tallies.subspan(i * shape().size(), shape().size()));
        if (std::reduce(words.begin(), words.end(), std::size_t{0}) != counts[i])
            throw broken_kernel(*device_, "descriptors of a picture have no word from " +
                                              device_->info().name);
    }
}

} // namespace bowhist
