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
    std::vector<T> values; ///< padding included
    DeviceImages<T> in;
    DeviceImages<T> out;
};

template <typename T>
std::shared_ptr<Turned<T>> make_turned(const Scene &scene, std::size_t side, std::size_t pitch) {
    Device &device = *scene.device;
    const std::size_t asked = scene.most_rows() * scene.request.dimensions / (side * side);
    const std::size_t fit = device.limits().allocation_bytes / (2 * sizeof(T) * side * pitch);
    const std::size_t count = std::clamp<std::size_t>(asked, 1, std::max<std::size_t>(fit, 1));
    Turned<T> turned{{},
                     allocate_images<T>(device, side, side, count, pitch),
                     allocate_images<T>(device, side, side, count, pitch)};
    turned.values.resize(turned.in.elements());
    for (std::size_t i = 0; i < turned.values.size(); ++i)
        turned.values[i] = static_cast<T>((i * 167 + i / 256) % 65521);
    device.upload<T>(turned.in.pixels, turned.values);
    return std::make_shared<Turned<T>>(std::move(turned));
}

template <typename T>
std::uint64_t count_mismatches(Device &device, const Turned<T> &turned) {
    std::vector<T> result(turned.out.elements());
    device.download(std::span(result), turned.out.pixels);
    const std::size_t pitch = turned.in.pitch;
    const std::size_t side = turned.in.width;
    std::uint64_t mismatches = 0;
    for (std::size_t picture = 0; picture < turned.in.count; ++picture)
        for (std::size_t y = 0; y < side; ++y)
            for (std::size_t x = 0; x < side; ++x)
                mismatches += result[(picture * side + x) * pitch + y] !=
                                      turned.values[(picture * side + y) * pitch + x]
                                  ? 1U
                                  : 0U;
    return mismatches;
}

template <typename T>
Case turn_case(const Subject &subject, const std::shared_ptr<Device> &device,
               const std::shared_ptr<Turned<T>> &turned, TransposeMethod method) {
    Case row{subject};
    row.work.bytes_read = row.work.bytes_written =
        sizeof(T) * static_cast<double>(turned->in.rows() * turned->in.width);
    row.work.kernel_bytes = 2 * row.work.bytes_read;
    const auto turn = [=] { transpose(*device, turned->in, turned->out, method); };
    row.run = [=] { return time_launches(*device, turn); };
    row.check = [=] {
        turn();
        return Findings{{}, count_mismatches(*device, *turned)};
    };
    return row;
}

template <typename T>
std::vector<Case> turn_cases(const Scene &scene) {
    const std::string operation = std::is_same_v<T, float> ? "transpose-float" : "transpose-byte";
    std::vector<Case> cases;
    if (!scene.device) {
        cases.push_back(not_here({operation, "all", Place::device}, "there is no OpenCL device"));
        return cases;
    }
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
