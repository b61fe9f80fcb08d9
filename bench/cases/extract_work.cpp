
#include "bench/cases/extract_work.hpp"

#include <bowhist/extract/dense/dense_grid.hpp>
#include <bowhist/extract/surf/surf_layers.hpp>

#include <algorithm>

namespace bowhist {
namespace {

constexpr double descriptor_bytes = sizeof(float) * dense_dimensions; // surf's are as long
constexpr double image_bytes = sizeof(unsigned);                      // of a picture's number
constexpr double grey_bytes = sizeof(short);

double square(int side) {
    return side > 0 ? 1.0 * side * side : 0;
}

std::vector<ExtractWork> dense_kernels(const Recipe &recipe, const ExtractedPictures &pictures) {
    const double pixels = pictures.count * square(pictures.side);
    double sizes = 0;
    double rounds = 0;
    double cells = 0;
    double patches = 0;
    const int step = dense_step(recipe, pictures.side, pictures.side);
    for (const PatchShape &shape : patch_shapes(recipe)) {
        const GridAxis axis = grid_axis(pictures.side, step, shape);
        if (axis.patches == 0) continue;
        ++sizes;
        rounds =
            shape.smoothings(); // from the picture on; those of the sizes before are among them
        cells += pictures.count * square(axis.cells);
        patches += pictures.count * square(axis.patches);
    }
    const double cell_bytes = sizeof(float) * CHANNELS * cells;
    return {{"smooth", {pixels + grey_bytes * (rounds - 1) * pixels, grey_bytes * rounds * pixels}},
            {"pool", {grey_bytes * sizes * pixels, cell_bytes}},
            {"weigh", {cell_bytes, 12 * patches}}, // squares, responses, whether it is kept
            {"describe",
             {cell_bytes + 12 * patches, // the same and its place
              (descriptor_bytes + image_bytes) * pictures.descriptors}}};
}

std::vector<ExtractWork> surf_kernels(const Recipe &recipe, const ExtractedPictures &pictures) {
    const std::vector<SurfLayer> layers = surf_layers(recipe);
    Work smooth, halve, sum_rows, sum_columns, respond, find, place, refine, describe;
    for (int octave = 0, side = pictures.side; octave < recipe.octaves;
         ++octave, side = (side + 1) / 2) {
        const double pixels = pictures.count * square(side);
        const double row_sums = sizeof(unsigned) * pictures.count * side * (side + 1);
        const double sums = sizeof(unsigned) * pictures.count * square(side + 1);
        const bool first = octave == 0;
        const int rounds = first ? first_smoothings : later_smoothings;
        smooth.bytes_read += grey_bytes * rounds * pixels - (first ? pixels : 0); // 8 bits at first
        smooth.bytes_written += grey_bytes * rounds * pixels;
        halve.bytes_read += first ? 0 : grey_bytes * pixels;
        sum_rows.bytes_read += grey_bytes * pixels;
        sum_rows.bytes_written += row_sums;
        sum_columns.bytes_read += row_sums;
        sum_columns.bytes_written += sums;
        respond.bytes_read += sums;
        for (const SurfLayer &layer : layers)
            respond.bytes_written +=
                sizeof(float) * pictures.count * square(side - 2 * layer.border());
        if (first) // the first layer searched needs none of the layer below
            find.bytes_read -=
                sizeof(float) * pictures.count * square(side - 2 * layers[0].border());
        for (std::size_t i = 2; i < layers.size(); ++i) // each searched with its neighbors
            find.bytes_written +=                       // a bit for each, and a count for 32 bits
                pictures.count * square(side - 2 * layers[i].border() - 2) / 4;
    }
    halve.bytes_written = halve.bytes_read;
    find.bytes_read += respond.bytes_written;
    place.bytes_read = find.bytes_written + 27 * sizeof(float) * pictures.descriptors;
    place.bytes_written = sizeof(SurfKeypoint) * pictures.descriptors;
    describe.bytes_read = respond.bytes_read + sizeof(SurfKeypoint) * pictures.descriptors;
    describe.bytes_written = (descriptor_bytes + image_bytes) * pictures.descriptors;
    refine = {describe.bytes_read, 2 * sizeof(float) * pictures.descriptors};
    return {{"smooth", smooth},
            {"halve", halve},
            {"sum_along_rows", sum_rows},
            {"sum_down_columns", sum_columns},
            {"respond", respond},
            {"find", find},
            {"place", place},
            {"refine", refine},
            {"describe", describe}};
}

} // namespace

std::vector<ExtractWork> extract_work(const Recipe &recipe, const ExtractedPictures &pictures) {
    std::vector<ExtractWork> ways{{"all",
                                   {pictures.count * square(pictures.side),
                                    (descriptor_bytes + image_bytes) * pictures.descriptors}}};
    const bool is_surf = recipe.extractor == "surf";
    std::ranges::copy(is_surf ? surf_kernels(recipe, pictures) : dense_kernels(recipe, pictures),
                      std::back_inserter(ways));
    return ways;
}

} // namespace bowhist
