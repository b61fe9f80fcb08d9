#include "bench/cases/extract_work.hpp"

#include <bowhist/extract/dense/dense_grid.hpp>
#include <bowhist/extract/surf/surf_layers.hpp>

#include <algorithm>

namespace bowhist {
namespace {

constexpr double descriptor_bytes = sizeof(float) * dense_dimensions; // surf's are as long
constexpr double image_bytes = sizeof(unsigned);                      // of an image's number
constexpr double grey_bytes = sizeof(short);

double square(int side) {
    return side > 0 ? 1.0 * side * side : 0;
}

std::vector<ExtractWork> dense_kernels(const Recipe &recipe, const ExtractedImages &images) {
    const double pixels = images.count * square(images.side);
    double sizes = 0;
    double rounds = 0;
    double cells = 0;
    double patches = 0;
    const int step = dense_step(recipe, images.side, images.side);
    for (const PatchShape &shape : patch_shapes(recipe)) {
        const GridAxis axis = grid_axis(images.side, step, shape);
        if (axis.patches == 0) continue;
        ++sizes;
        rounds = shape.smoothings(); // from the image on; those of the sizes before are among them
        cells += images.count * square(axis.cells);
        patches += images.count * square(axis.patches);
    }
    const double cell_bytes = sizeof(float) * PATCH_CHANNELS * cells;
    return {{"smooth", {pixels + grey_bytes * (rounds - 1) * pixels, grey_bytes * rounds * pixels}},
            {"pool", {grey_bytes * sizes * pixels, cell_bytes}},
            {"weigh", {cell_bytes, 12 * patches}}, // squares, responses, whether it is kept
            {"describe",
             {cell_bytes + 12 * patches, // the same and its place
              (descriptor_bytes + image_bytes) * images.descriptors}}};
}

std::vector<ExtractWork> surf_kernels(const Recipe &recipe, const ExtractedImages &images) {
    const std::vector<SurfLayer> layers = surf_layers(recipe);
    Work smooth, halve, sum_rows, sum_columns, respond, find, place, refine, describe;
    for (int octave = 0, side = images.side; octave < recipe.octaves;
         ++octave, side = (side + 1) / 2) {
        const double pixels = images.count * square(side);
        const double row_sums = sizeof(unsigned) * images.count * side * (side + 1);
        const double sums = sizeof(unsigned) * images.count * square(side + 1);
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
                sizeof(float) * images.count * square(side - 2 * layer.border());
        if (first) // the first layer searched needs none of the layer below
            find.bytes_read -= sizeof(float) * images.count * square(side - 2 * layers[0].border());
        for (std::size_t i = 2; i < layers.size(); ++i) // each searched with its neighbors
            find.bytes_written +=                       // a bit for each, and a count for 32 bits
                images.count * square(side - 2 * layers[i].border() - 2) / 4;
    }
    halve.bytes_written = halve.bytes_read;
    find.bytes_read += respond.bytes_written;
    place.bytes_read = find.bytes_written + 27 * sizeof(float) * images.descriptors;
    place.bytes_written = sizeof(SurfKeypoint) * images.descriptors;
    describe.bytes_read = respond.bytes_read + sizeof(SurfKeypoint) * images.descriptors;
    describe.bytes_written = (descriptor_bytes + image_bytes) * images.descriptors;
    refine = {describe.bytes_read, 2 * sizeof(float) * images.descriptors};
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

std::vector<ExtractWork> extract_work(const Recipe &recipe, const ExtractedImages &images) {
    std::vector<ExtractWork> ways{{"all",
                                   {images.count * square(images.side),
                                    (descriptor_bytes + image_bytes) * images.descriptors}}};
    const bool is_surf = recipe.extractor == "surf";
    std::ranges::copy(is_surf ? surf_kernels(recipe, images) : dense_kernels(recipe, images),
                      std::back_inserter(ways));
    return ways;
}

} // namespace bowhist
