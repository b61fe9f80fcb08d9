#include <bowhist/bench/device_case.hpp>
#include <bowhist/bench/device_output.hpp>
#include <bowhist/bench/picture_batch.hpp>
#include <bowhist/bench/turn_cases.hpp>
#include <bowhist/ops/transpose.hpp>

#include <algorithm>
#include <type_traits>

namespace bowhist {
namespace {

constexpr std::size_t most_side = 2048; // pixels

/// The pictures at one pitch, and where they go, turned, at the same.
template <typename T>
struct Turned {
    DeviceImages<T> in;
    DeviceImages<T> out;
    std::shared_ptr<Output> output;
};

template <typename T>
std::shared_ptr<Turned<T>> make_turned(const Scene &scene, std::size_t side, std::size_t pitch) {
    Device &device = *scene.device;
    const std::size_t asked = scene.most_rows() * scene.request.dimensions / (side * side);
    const std::size_t fit = device.limits().allocation_bytes / (2 * sizeof(T) * side * pitch);
    const std::size_t count = std::clamp<std::size_t>(asked, 1, std::max<std::size_t>(fit, 1));
    const auto in = allocate_images<T>(device, side, side, count, pitch);
    const auto out = allocate_images<T>(device, side, side, count, pitch);
    std::vector<T> values(in.elements()); // padding included
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<T>((i * 167 + i / 256) % 65521);
    device.upload<T>(in.pixels, values);
    const auto expected = std::make_shared<std::vector<T>>(count * side * side);
    for (std::size_t row = 0; row < in.rows(); ++row)
        for (std::size_t x = 0; x < side; ++x)
            (*expected)[(row / side * side + x) * side + row % side] = values[row * pitch + x];
    return std::make_shared<Turned<T>>(
        Turned<T>{in, out, std::make_shared<DeviceOutput<T>>(scene.device, out, expected)});
}

template <typename T>
Case turn_case(const Subject &subject, const std::shared_ptr<Device> &device,
               const std::shared_ptr<Turned<T>> &turned, TransposeMethod method) {
    Case row{subject};
    row.work.bytes_read = row.work.bytes_written =
        sizeof(T) * static_cast<double>(turned->in.rows() * turned->in.width);
    row.work.kernel_bytes = 2 * row.work.bytes_read;
    return device_case(
        row, device, [=] { transpose(*device, turned->in, turned->out, method); }, turned->output);
}

template <typename T>
std::vector<Case> turn_cases(const Scene &scene) {
    const std::string operation = std::is_same_v<T, float> ? "transpose-float" : "transpose-byte";
    if (!scene.device) return no_device(operation);
    std::vector<Case> cases;
    const std::size_t side = picture_side(scene, most_side);
    for (const std::size_t pitch : {side, channel_free_pitch(side, sizeof(T))}) {
        const auto turned = make_turned<T>(scene, side, pitch);
        for (const TransposeChoice &choice : transpose_choices()) {
            const std::string level = std::string(choice.id) + (pitch > side ? "+pad" : "");
            cases.push_back(turn_case({operation, level, Place::device, scene.device->info().name,
                                       turned->in.rows(), 0, side},
                                      scene.device, turned, choice.method));
        }
    }
    return cases;
}

} // namespace

std::vector<Case> turn_float_cases(const Scene &scene, std::size_t /*k*/) {
    return turn_cases<float>(scene);
}

std::vector<Case> turn_byte_cases(const Scene &scene, std::size_t /*k*/) {
    return turn_cases<std::uint8_t>(scene);
}

} // namespace bowhist
