#include <bowhist/assign/level.hpp>
#include <bowhist/assign/tile_screen.hpp>

#include <fmt/format.h>

#include <limits>
#include <vector>

namespace bowhist {
namespace {

/// Tile by tile: [columns of them][padded dimension][column], zero where there is nothing.
std::vector<float> pack(const TileShape &shape, const Vocabulary &vocabulary) {
    const std::size_t dimensions = vocabulary.dimensions;
    const std::size_t padded = (dimensions + shape.slice - 1) / shape.slice * shape.slice;
    std::vector<float> packed(packed_bytes(shape, dimensions, vocabulary.size()) / sizeof(float));
    for (std::size_t j = 0; j < vocabulary.size(); ++j) {
        const std::size_t tile = j / shape.columns * padded * shape.columns;
        for (std::size_t i = 0; i < dimensions; ++i)
            packed[tile + i * shape.columns + j % shape.columns] = vocabulary.row(j)[i];
    }
    return packed;
}

/// −‖c‖²/2 for each column; minus infinity where there is no centroid, which never wins.
std::vector<float> score_starts(const TileShape &shape, const Vocabulary &vocabulary) {
    const std::size_t tiles = (vocabulary.size() + shape.columns - 1) / shape.columns;
    std::vector<float> starts(tiles * shape.columns, -std::numeric_limits<float>::infinity());
    for (std::size_t j = 0; j < vocabulary.size(); ++j) starts[j] = score_start(vocabulary.row(j));
    return starts;
}

Buffer<float> on_device(Device &device, const std::vector<float> &values) {
    const auto buffer = device.allocate<float>(values.size());
    device.upload<float>(buffer, values);
    return buffer;
}

} // namespace

TileScreen::TileScreen(std::shared_ptr<Device> device, const TileShape &shape,
                       const Vocabulary &vocabulary, const AssignOptions &options)
    : device_(std::move(device)), shape_(shape), words_(vocabulary.size()),
      bound_(dot_bound(vocabulary, options.bound_scale)),
      assign_(
          device_->kernel(std::string(shape.source), "assign",
                          fmt::format("-DDIMENSIONS={} {}", vocabulary.dimensions, shape.options))),
      centroids_(on_device(*device_, pack(shape, vocabulary))),
      starts_(on_device(*device_, score_starts(shape, vocabulary))) {}

void TileScreen::run(const DeviceRows &rows) {
    const std::size_t groups = (rows.descriptors.rows + shape_.rows - 1) / shape_.rows;
    const Search search{static_cast<cl_uint>(rows.descriptors.rows),
                        static_cast<cl_uint>(words_),
                        bound_.constant,
                        bound_.linear,
                        bound_.quadratic,
                        bound_.largest_norm};
    device_->launch(assign_, {groups * shape_.group, 1}, {shape_.group, 1}, rows.descriptors.values,
                    centroids_, starts_, search, rows.image, rows.words, rows.histograms,
                    rows.unproven);
}

} // namespace bowhist
