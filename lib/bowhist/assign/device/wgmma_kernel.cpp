#include <bowhist/assign/device/matrix_unit.hpp>
#include <bowhist/assign/device/wgmma_kernel.hpp>
#include <bowhist/core/round_up.hpp>

#include <fmt/format.h>

#include <algorithm>
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
                            fmt::format("-DDIMENSIONS={} -DRESIDENT={:d} -DONE_SPAN={:d}", dimensions_,
                                        resident_, pass_.tiles <= WGMMA_SPAN));
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

} // namespace bowhist
