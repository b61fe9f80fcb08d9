#include <bowhist/ops/convolve_launch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>

namespace bowhist {

ImageLayout layout_of(const DeviceImages<float> &in, const DeviceImages<float> &out) {
    if (in.width != out.width || in.height != out.height || in.count != out.count)
        throw Error(Fault::usage,
                    fmt::format("{} pictures of {}x{} cannot become {} of {}x{}; allocate the "
                                "output like the input",
                                in.count, in.width, in.height, out.count, out.width, out.height));
    check_apart(in, out);
    constexpr std::size_t most = std::numeric_limits<cl_int>::max() / 2; // sums of two fit
    for (const std::size_t size : {in.rows(), in.pitch, out.pitch})
        if (size > most)
            throw Error(Fault::usage,
                        fmt::format("{} rows or columns in one launch; give fewer pictures than "
                                    "make {}",
                                    size, most));
    return {.width = static_cast<cl_int>(in.width),
            .height = static_cast<cl_int>(in.height),
            .rows = static_cast<cl_int>(in.rows()),
            .in_pitch = static_cast<cl_int>(in.pitch),
            .out_pitch = static_cast<cl_int>(out.pitch)};
}

std::string convolve_options(std::size_t filter_width, std::size_t filter_height, Border border) {
    return fmt::format("-DFILTER_WIDTH={} -DFILTER_HEIGHT={} -DBORDER={}", filter_width,
                       filter_height, static_cast<int>(border));
}

std::string shape_options(const SlidingShape &shape, const ImageLayout &layout) {
    const auto lanes = static_cast<cl_int>(shape.lanes);
    const bool aligned = layout.in_pitch % lanes == 0 && layout.out_pitch % lanes == 0;
    return fmt::format(" -DLANES={} -DSTRIP={} -DGROUP_WIDTH={} -DGROUP_HEIGHT={} -DDIRECT={:d} "
                       "-DALIGNED={:d}",
                       shape.lanes, shape.strip, shape.group[0], shape.group[1], shape.direct,
                       aligned);
}

Range sliding_range(const SlidingShape &shape, const ImageLayout &layout) {
    const auto height = static_cast<std::size_t>(layout.height);
    const std::size_t images = static_cast<std::size_t>(layout.rows) / height;
    return {divided_up(static_cast<std::size_t>(layout.width), shape.lanes),
            divided_up(height, shape.strip) * images};
}

std::optional<std::string> shortage(const Device &device, Range group, std::size_t local_bytes) {
    const DeviceLimits &limits = device.limits();
    if (group[0] * group[1] > limits.work_group_size)
        return fmt::format("it takes groups of {}x{} work-items, the device allows {}; take "
                           "sliding, or separable, in the device's own shape",
                           group[0], group[1], limits.work_group_size);
    if (local_bytes > limits.local_bytes)
        return fmt::format("it takes {} bytes of local memory a group, the device has {}; take "
                           "sliding or separable",
                           local_bytes, limits.local_bytes);
    return std::nullopt;
}

SlidingShape sliding_shape(const Device &device, std::size_t filter_height) {
    if (device.info().kind == DeviceKind::cpu) {
        // Vectors as wide as the CPU's own; a work-item is a thread's, and needs no neighbors.
        const auto lanes =
            std::clamp<std::size_t>(std::bit_floor(device.info().preferred_float_vector), 4, 16);
        return {.lanes = lanes, .strip = 128, .group = {1, 1}, .direct = true};
    }
    // lanes × height sums must fit a work-item's registers
    SlidingShape shape{.lanes = filter_height <= 15 ? std::size_t{4} : 2};
    if (device.limits().work_group_size < 128) shape.group = {device.limits().work_group_size, 1};
    return shape;
}

} // namespace bowhist
