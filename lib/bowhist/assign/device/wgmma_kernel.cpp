#include <bowhist/assign/device/wgmma_kernel.hpp>
#include <bowhist/core/round_up.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace bowhist {

bool WgmmaKernel::suits(const Device &device, std::size_t dimensions) {
    // The instructions belong to sm_90a alone: later GPUs do without them.
    return device.info().compute_capability == 90 && dimensions <= WGMMA_DIMENSIONS;
}

WgmmaKernel::WgmmaKernel(Device &device, const Vocabulary &vocabulary,
                         const MatrixCentroids &rounded, float rounding,
                         const AssignOptions &options)
    : dimensions_(vocabulary.dimensions) {
    pass_.rounding = rounding;
    pass_.bound_scale = static_cast<float>(options.bound_scale);
    replace(device, vocabulary, rounded);
    const std::size_t tiles = pass_.tiles;
    resident_ = tiles <= WGMMA_STAGES;
    const auto tag_bits =
        std::max<std::size_t>(9, static_cast<std::size_t>(std::bit_width(8 * tiles - 1)));
    assign_ = device.kernel(std::string(source), "assign",
                            fmt::format("-DDIMENSIONS={} -DTAG_BITS={} -DRESIDENT={:d}",
                                        vocabulary.dimensions, tag_bits, resident_));
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
    device.launch(*pack_, {pass_.tiles * WGMMA_TILE * WGMMA_DIMENSIONS, 1}, {WGMMA_DIMENSIONS, 1},
                  centroids.values, centroids.squares, pass_.k, tiles_, lasts_, centroids.extent);
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
    const std::size_t groups = divided_up(x.capacity, WGMMA_ROWS);
    const std::size_t staying = WGMMA_GROUPS_A_UNIT * device.info().compute_units;
    const std::size_t launched = resident_ ? std::min(groups, staying) : groups;
    device.launch(assign_, {launched * WGMMA_GROUP, 1}, {WGMMA_GROUP, 1}, x.values, x.count, tiles_,
                  lasts_, pass_, found.words, contested, crowded, found.unproven);
}

} // namespace bowhist
