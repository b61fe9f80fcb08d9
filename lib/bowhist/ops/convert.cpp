#include <bowhist/ops/convert.hpp>

namespace bowhist {
namespace {

template <typename From, typename To>
void convert(Device &device, Kernel kernel, const DeviceImages<From> &in,
             const DeviceImages<To> &out) {
    if (in.empty()) return;
    device.launch(kernel, {in.width, in.rows()}, {64, 1}, in.pixels, out.pixels,
                  static_cast<cl_int>(in.width), static_cast<cl_int>(in.rows()),
                  static_cast<cl_int>(in.pitch), static_cast<cl_int>(out.pitch));
}

} // namespace

void to_floats(Device &device, const DeviceImages<std::uint8_t> &in,
               const DeviceImages<float> &out) {
    convert(device, device.kernel("convert.cl", "to_floats"), in, out);
}

void to_bytes(Device &device, const DeviceImages<float> &in, const DeviceImages<std::uint8_t> &out,
              Rounding rounding) {
    const char *options = rounding == Rounding::magnitude ? "-DMAGNITUDE=1" : "-DMAGNITUDE=0";
    convert(device, device.kernel("convert.cl", "to_bytes", options), in, out);
}

} // namespace bowhist
