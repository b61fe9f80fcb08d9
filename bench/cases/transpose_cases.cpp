#include "bench/cases/cases.hpp"
#include "bench/cases/picture_batch.hpp"
#include "bench/device_case.hpp"
#include "bench/device_output.hpp"

#include <bowhist/ops/transpose.hpp>

#include <type_traits>

namespace bowhist {
namespace {

constexpr std::size_t most_side = 2048; // pixels

/// Pictures, and where they go, turned; rows of both are `pitch` apart, where one is given.
template <typename T>
struct Turned {
    DeviceImages<T> in;
    DeviceImages<T> out;
    std::shared_ptr<Output> output;
};

template <typename T>
Turned<T> make_turned(const std::shared_ptr<Device> &device, std::size_t width, std::size_t height,
                      std::size_t count, std::size_t pitch) {
    const auto in = allocate_images<T>(*device, width, height, count, pitch);
    const auto out = allocate_images<T>(*device, height, width, count, pitch);
    std::vector<T> values(in.elements()); // padding included
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<T>((i * 167 + i / 256) % 65521);
    device->upload<T>(in.pixels, values);
    const auto expected = std::make_shared<std::vector<T>>(in.rows() * width);
    for (std::size_t row = 0; row < in.rows(); ++row)
        for (std::size_t x = 0; x < width; ++x)
            (*expected)[(row / height * width + x) * height + row % height] =
                values[row * in.pitch + x];
    return {in, out, std::make_shared<DeviceOutput<T>>(device, out, expected)};
}

/// A row for each method: each element is read once and written once.
template <typename T>
void add_cases(std::vector<Case> &cases, const std::string &operation, const std::string &suffix,
               const std::shared_ptr<Device> &device, const Turned<T> &turned) {
    const DeviceImages<T> &in = turned.in;
    for (const TransposeChoice &choice : transpose_choices()) {
        Case row{{operation, std::string(choice.id) + suffix, Place::device, device->info().name,
                  in.rows(), 0, in.width}};
        row.work.bytes_read = row.work.bytes_written =
            sizeof(T) * static_cast<double>(in.rows() * in.width);
        row.work.kernel_bytes = 2 * row.work.bytes_read;
        const bool in_fours = in.pitch % 4 == 0 && turned.out.pitch % 4 == 0;
        cases.push_back(choice.method == TransposeMethod::blocks && !in_fours
                            ? not_here(row.subject, "rows or columns are no multiple of four")
                            : device_case(
                                  row, device,
                                  [device, in, out = turned.out, method = choice.method] {
                                      transpose(*device, in, out, method);
                                  },
                                  turned.output));
    }
}

template <typename T>
std::vector<Case> turn_cases(const Scene &scene) {
    const std::string operation = std::is_same_v<T, float> ? "transpose-float" : "transpose-byte";
    if (!scene.device) return no_device(operation);
    std::vector<Case> cases;
    const std::size_t side = picture_side(scene, most_side);
    for (const std::size_t pitch : {side, channel_free_pitch(side, sizeof(T))}) {
        // As many pixels of floats as of bytes.
        const std::size_t count =
            picture_count(scene, side * side, sizeof(float), sizeof(T) * side * pitch);
        add_cases(cases, operation, pitch > side ? "+pad" : "", scene.device,
                  make_turned<T>(scene.device, side, side, count, pitch));
    }
    return cases;
}

} // namespace

std::vector<Case> transpose_cases(const Scene &scene, std::size_t /*k*/) {
    std::vector<Case> cases;
    if (!scene.device) {
        for (const TransposeChoice &choice : transpose_choices())
            cases.push_back(
                not_here({"transpose", std::string(choice.id)}, "there is no OpenCL device"));
        return cases;
    }
    add_cases(cases, "transpose", "", scene.device,
              make_turned<float>(scene.device, scene.request.dimensions, scene.most_rows(), 1, 0));
    return cases;
}

std::vector<Case> turn_float_cases(const Scene &scene, std::size_t /*k*/) {
    return turn_cases<float>(scene);
}

std::vector<Case> turn_byte_cases(const Scene &scene, std::size_t /*k*/) {
    return turn_cases<std::uint8_t>(scene);
}

} // namespace bowhist
