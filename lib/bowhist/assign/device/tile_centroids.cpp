#include <bowhist/assign/device/tile_centroids.hpp>
#include <bowhist/core/round_up.hpp>

#include <limits>
#include <vector>

namespace bowhist {

ScorePass tile_search(std::size_t k, const DotBound &bound) {
    return {.n = 0,
            .k = static_cast<cl_uint>(k),
            .margin = bound.constant,
            .linear = bound.linear,
            .quadratic = bound.quadratic,
            .largest_norm = bound.largest_norm};
}

Buffer<float> upload_tiles(Device &device, const TileShape &shape, const Vocabulary &vocabulary) {
    const std::size_t dimensions = vocabulary.dimensions;
    const std::size_t padded = round_up(dimensions, shape.slice);
    std::vector<float> packed(packed_bytes(shape, dimensions, vocabulary.size()) / sizeof(float));
    for (std::size_t j = 0; j < vocabulary.size(); ++j) {
        const std::size_t tile = j / shape.columns * padded * shape.columns;
        for (std::size_t i = 0; i < dimensions; ++i)
            packed[tile + i * shape.columns + j % shape.columns] = vocabulary.row(j)[i];
    }
    return uploaded(device, packed);
}

Buffer<float> upload_starts(Device &device, const TileShape &shape, const Vocabulary &vocabulary) {
    const std::size_t tiles = divided_up(vocabulary.size(), shape.columns);
    std::vector<float> starts(tiles * shape.columns, -std::numeric_limits<float>::infinity());
    for (std::size_t j = 0; j < vocabulary.size(); ++j) starts[j] = score_start(vocabulary.row(j));
    return uploaded(device, starts);
}

} // namespace bowhist
