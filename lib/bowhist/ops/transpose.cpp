#include <bowhist/ops/transpose.hpp>

namespace bowhist {

DimensionMajor transpose(Device &device, const PointMajor &descriptors, const Buffer<float> &into,
                         TransposeMethod method) {
    const bool tiled = method == TransposeMethod::tiled;
    Kernel kernel = device.kernel(tiled ? "transpose_tiled.cl" : "transpose_naive.cl", "transpose");
    if (descriptors.rows > 0)
        device.launch(kernel, {descriptors.dimensions, descriptors.rows},
                      {transpose_tile, transpose_tile}, descriptors.values, into,
                      static_cast<cl_uint>(descriptors.rows),
                      static_cast<cl_uint>(descriptors.dimensions));
    return {into, descriptors.rows, descriptors.dimensions};
}

} // namespace bowhist
