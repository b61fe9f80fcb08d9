#include <bowhist/pipeline/device_encoder.hpp>

#include <bowhist/assign/host_advice.hpp>
#include <bowhist/core/default_floats.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/encode/preparation.hpp>
#include <bowhist/encode/vlad.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <numeric>
#include <random>

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

namespace {

constexpr std::array<LaunchImage, 3> sizes = {{{0, 200, 100}, {0, 37, 1030}, {0, 64, 64}}};
constexpr std::size_t rows_an_image = 40;

/// Rows and keypoints of noise, in images of some sizes.
GatheredImages noise(std::size_t dimensions) {
    GatheredImages made{{dimensions, {}, {}}, {}, {sizes.begin(), sizes.end()}};
    std::mt19937 random(1);
    const auto share = [&] { return static_cast<float>(random() >> 8) / 0x1p24F; };
    for (std::size_t i = 0; i < sizes.size() * rows_an_image; ++i) {
        const std::size_t image = i / rows_an_image;
        const auto width = static_cast<float>(sizes.at(image).width);
        const auto height = static_cast<float>(sizes.at(image).height);
        for (std::size_t d = 0; d < dimensions; ++d)
            made.rows.values.push_back((share() - 0.5F) / 4);
        made.rows.keypoints.push_back(
            {width * share(), height * share(), 0.4F + 5 * share(), 0, 120 * share()});
        made.bag.push_back(static_cast<cl_uint>(image));
    }
    return made;
}

Descriptors rows_of(const GatheredImages &images, std::size_t image) {
    Descriptors rows{images.rows.dimensions, {}, {}};
    for (std::size_t i = image * rows_an_image; i < (image + 1) * rows_an_image; ++i) {
        const auto row = images.rows.row(i);
        rows.values.insert(rows.values.end(), row.begin(), row.end());
        rows.keypoints.push_back(images.rows.keypoints[i]);
    }
    return rows;
}

/// A cell as the host makes it: its words' counts, and the row of codes.
struct Cell {
    std::vector<std::uint32_t> counts = {};
    std::vector<float> row = {};

    bool operator==(const Cell &) const = default;
};

std::vector<Cell> cells_by_host(const Descriptors &rows, std::span<const std::int32_t> words,
                                const TallyShape &shape, const VladEncoder *encoder,
                                const LaunchImage &size) {
    std::vector<Cell> cells;
    for (const CellGrid &grid : shape.grids)
        for (std::size_t cell = 0; cell < grid.size(); ++cell) {
            Cell made{std::vector<std::uint32_t>(shape.words), {}};
            std::vector<float> its_rows;
            std::vector<std::int32_t> its_words;
            for (std::size_t i = 0; i < rows.size(); ++i) {
                if (grid.cell_of(rows.keypoints[i], size.width, size.height) != cell) continue;
                const std::size_t m = shape.nearest;
                its_rows.insert(its_rows.end(), rows.row(i).begin(), rows.row(i).end());
                its_words.push_back(words[i * m]);
                for (std::size_t j = 0; j < m; ++j)
                    made.counts[static_cast<std::size_t>(words[i * m + j])] +=
                        static_cast<std::uint32_t>(m - j);
            }
            if (encoder) made.row = encoder->encode(its_rows, its_words);
            cells.push_back(std::move(made));
        }
    return cells;
}

std::vector<Cell> cells_in(std::span<const std::uint32_t> tally, const TallyShape &shape,
                           const VladEncoder *encoder) {
    std::vector<Cell> cells;
    for (; !tally.empty(); tally = tally.subspan(shape.cell_size())) {
        const auto cell = tally.first(shape.cell_size());
        cells.push_back({{cell.begin(), cell.begin() + static_cast<std::ptrdiff_t>(shape.words)},
                         encoder ? encoder->encode(cell) : std::vector<float>{}});
    }
    return cells;
}

/// Whether the device's tallies of some images are the host's, bit for bit.
bool adds_up_as_the_host(RowWords &finder, const Preparation *preparation, const TallyShape &shape,
                         Observer &observer) {
    const Vocabulary &words = finder.vocabulary();
    std::optional<VladEncoder> encoder;
    if (shape.exponent) encoder.emplace(words, *shape.exponent);
    const VladEncoder *const by = encoder ? &*encoder : nullptr;
    const GatheredImages images = noise(preparation ? preparation->dimensions : words.dimensions);
    const std::vector<std::uint32_t> tallies =
        DeviceEncoder(finder, preparation, shape, observer).tally(images);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const LaunchImage &size = sizes.at(i);
        Descriptors rows = rows_of(images, i);
        if (preparation) rows = prepare(*preparation, rows, size.width, size.height);
        const auto found = finder.find(rows.values);
        const auto tally = std::span(tallies).subspan(i * shape.size(), shape.size());
        if (cells_in(tally, shape, by) != cells_by_host(rows, found, shape, by, size)) return false;
    }
    return true;
}

} // namespace

std::unique_ptr<DeviceEncoder> make_device_encoder(RowWords &words, const Preparation *preparation,
                                                   const TallyShape &shape, Observer &observer) {
    Device &device = *words.device();
    if (preparation && !can_prepare(device)) return nullptr;
    if (shape.size() > device.limits().allocation_bytes / sizeof(cl_uint)) return nullptr;
    const std::string check =
        fmt::format("tallies of {} rows, cells {}, {} of {} words of {}, {}",
                    preparation ? as_text(preparation->steps) : "plain", as_text(shape.grids),
                    shape.nearest, shape.words, shape.dimensions,
                    shape.exponent ? std::to_string(*shape.exponent) : "no sums");
    const auto same = [&] { return adds_up_as_the_host(words, preparation, shape, observer); };
    try {
        if (device.verdict(check, same))
            return std::make_unique<DeviceEncoder>(words, preparation, shape, observer);
        observer.warning(fmt::format("{} adds up other rows than the host; encoding on the host",
                                     device.info().name));
    } catch (const OutOfMemory &error) {
        observer.warning(fmt::format("encoding on the host ({})", error.what()));
    } catch (const RefusedGroup &error) {
        observer.warning(fmt::format("encoding on the host ({})", error.what()));
    }
    return nullptr;
}

} // namespace bowhist
