#include <bowhist/assign/device/wgmma_kernel.hpp>

#include <bowhist/assign/device/assign_launch.hpp>
#include <bowhist/assign/device/matrix_centroids.hpp>
#include <bowhist/assign/device/matrix_screen.hpp>
#include <bowhist/core/default_floats.hpp>
#include <bowhist/core/round_up.hpp>
#include <bowhist/device/opencl.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace bowhist {

WgmmaKernel::WgmmaKernel(Device &device, const Vocabulary &vocabulary,
                         const MatrixCentroids &rounded, const AssignOptions &options)
    : dimensions_(vocabulary.dimensions) {
    pass_.rounding = static_cast<float>(matrix_rounding(16 * steps(dimensions_)));
    pass_.bound_scale = static_cast<float>(options.bound_scale);
    replace(device, vocabulary, rounded);
    resident_ = pass_.tiles <= WGMMA_STAGES(dimensions_);
    assign_ = device.kernel(std::string(source), "assign",
                            fmt::format("-DDIMENSIONS={} -DRESIDENT={:d} -DONE_SPAN={:d}",
                                        dimensions_, resident_, pass_.tiles <= WGMMA_SPAN));
}

void WgmmaKernel::replace(Device &device, const Vocabulary &vocabulary,
                          const MatrixCentroids &rounded) {
    const WgmmaCentroids packed(vocabulary, rounded);
    renew<cl_ushort>(device, tiles_, packed.values);
    renew<cl_ushort>(device, lasts_, packed.lasts);
    pass_.k = static_cast<cl_uint>(vocabulary.size());
    pass_.tiles = static_cast<cl_uint>(packed.tiles);
    resume(rounded, packed.lowest);
}

void WgmmaKernel::pack(Device &device, const DeviceCentroids &centroids) {
    if (!pack_)
        pack_ = device.kernel("pack_wgmma.cl", "pack_wgmma",
                              fmt::format("-DDIMENSIONS={}", dimensions_));
    const std::size_t width = WGMMA_SLAB * WGMMA_SLABS(dimensions_);
    device.launch(*pack_, {pass_.tiles * WGMMA_TILE * width, 1}, {width, 1}, centroids.values,
                  centroids.squares, pass_.k, tiles_, lasts_, centroids.extent);
}

void WgmmaKernel::resume(const MatrixExtent &extent, float lowest) {
    pass_.scale = extent.scale;
    pass_.longest = float{WGMMA_REACH} * extent.norm;
    pass_.centroid_norm = extent.norm;
    pass_.centroid_residual = extent.residual;
    pass_.half_square = extent.half_square;
    pass_.unit = std::ldexp(lowest, -23);
    pass_.lowest = lowest;
}

void WgmmaKernel::launch(Device &device, const DeviceDescriptors &x, const DeviceWords &found,
                         const Buffer<cl_uint> &contested, const Buffer<cl_uint> &crowded) {
    const std::size_t rows = WGMMA_ROWS(dimensions_);
    const std::size_t groups = divided_up(x.capacity, rows);
    const std::size_t staying = WGMMA_GROUPS_A_UNIT * device.info().compute_units;
    const std::size_t launched = resident_ ? std::min(groups, staying) : groups;
    device.launch(assign_, {launched * WGMMA_GROUP, 1}, {WGMMA_GROUP, 1}, x.values, x.count, tiles_,
                  lasts_, pass_, found.words, contested, crowded, found.unproven);
}

namespace {

/// The smallest power of two, 1 or more, that leaves room for |x·c| + |c|²/2 on both sides of 1.5
/// times itself; a tenth to spare keeps every score well above the lowest.
float lowest_score(const MatrixCentroids &rounded) {
    const double product = double{WGMMA_REACH} * double{rounded.norm} * double{rounded.norm};
    const double most = 1.1 * (product + double{rounded.half_square});
    double power = 1;
    while (power / 2 < most) power *= 2;
    return static_cast<float>(power);
}

/// The column of dimension i in its row: the work-item that holds dimensions 4 q … 4 q + 3 of a
/// step feeds columns 2 q, 2 q + 1, 2 q + 8 and 2 q + 9 of the operand.
std::size_t column_of(std::size_t i) {
    const std::size_t q = i % 16 / 4;
    const std::size_t in_four = i % 4;
    return i / 16 * 16 + 2 * q + in_four % 2 + in_four / 2 * 8;
}

/// −|c|²/2 in three parts of fp16, each what the ones before left over.
std::array<cl_half, 4> last_step(float lowest, double half_square) {
    std::array<cl_half, 4> parts{};
    parts[0] = cl_half_from_float(1.5F * lowest / 256, CL_HALF_RTE);
    double rest = -half_square;
    for (std::size_t part = 1; part < 4; ++part) {
        parts[part] = cl_half_from_float(static_cast<float>(rest), CL_HALF_RTE);
        rest -= cl_half_to_float(parts[part]);
    }
    return parts;
}

} // namespace

WgmmaCentroids::WgmmaCentroids(const Vocabulary &vocabulary, const MatrixCentroids &rounded)
    : tiles(divided_up(vocabulary.size(), WGMMA_TILE)), slabs(WGMMA_SLABS(vocabulary.dimensions)),
      values(tiles * slabs * WGMMA_TILE * WGMMA_SLAB, 0), lasts(tiles * WGMMA_TILE * 16, 0),
      lowest(lowest_score(rounded)) {
#pragma omp parallel for
    for (std::size_t j = 0; j < tiles * WGMMA_TILE; ++j) {
        const DefaultFloats floats; // of this thread
        const std::size_t in_tile = j % WGMMA_TILE;
        const std::size_t in_tile_row = in_tile % 16 / 2 * 8 + in_tile / 16 * 2 + in_tile % 2;
        const std::size_t row = j / WGMMA_TILE * WGMMA_TILE + in_tile_row;
        std::array<cl_half, 4> last{cl_half_from_float(lowest / 256, CL_HALF_RTE), 0, 0, 0};
        if (j < vocabulary.size()) {
            double square = 0;
            for (std::size_t i = 0; i < vocabulary.dimensions; ++i) {
                const double exact = double{vocabulary.row(j)[i]} * double{rounded.scale};
                square += exact * exact;
                const std::size_t column = column_of(i);
                const std::size_t slab = j / WGMMA_TILE * slabs + column / WGMMA_SLAB;
                const std::size_t piece = (column % WGMMA_SLAB / 8) ^ (in_tile_row % 8);
                values[(slab * WGMMA_TILE + in_tile_row) * WGMMA_SLAB + piece * 8 + column % 8] =
                    cl_half_from_float(vocabulary.row(j)[i] * rounded.scale, CL_HALF_RTE);
            }
            last = last_step(lowest, square / 2);
        }
        std::ranges::copy(
            last, lasts.begin() + static_cast<std::ptrdiff_t>(row * 16 + in_tile_row / 4 % 2 * 8));
    }
}

} // namespace bowhist
