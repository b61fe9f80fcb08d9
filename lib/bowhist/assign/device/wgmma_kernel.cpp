#include <bowhist/assign/device/wgmma_centroids.hpp>
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
                         const AssignOptions &options) {
    const WgmmaCentroids packed(vocabulary, rounded);
    tiles_ = uploaded<cl_ushort>(device, packed.values);
    lasts_ = uploaded<cl_ushort>(device, packed.lasts);
    pass_ = {.n = 0,
             .k = static_cast<cl_uint>(vocabulary.size()),
             .tiles = static_cast<cl_uint>(packed.tiles),
             .scale = rounded.scale,
             .longest = WgmmaCentroids::reach * rounded.norm,
             .centroid_norm = rounded.norm,
             .centroid_residual = rounded.residual,
             .half_square = rounded.half_square,
             .rounding = rounding,
             .unit = std::ldexp(packed.lowest, -23),
             .lowest = packed.lowest,
             .bound_scale = static_cast<float>(options.bound_scale)};
    resident_ = packed.tiles <= STAGES;
    const auto tag_bits =
        std::max<std::size_t>(9, static_cast<std::size_t>(std::bit_width(8 * packed.tiles - 1)));
    assign_ = device.kernel(std::string(source), "assign",
                            fmt::format("-DDIMENSIONS={} -DTAG_BITS={} -DRESIDENT={:d}",
                                        vocabulary.dimensions, tag_bits, resident_));
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
