#include "bench/cases/cases.hpp"
#include "bench/cases/test_images.hpp"
#include "bench/device_case.hpp"

#include <bowhist/ops/transpose.hpp>

namespace bowhist {
namespace {

constexpr std::size_t most_side = 2048; // pixels

/// A row for each method: each element is read once and written once. Rows of images and results
/// lie `pitch` elements apart; 0: without padding.
template <typename T>
std::vector<Case> cases_of(const Scene &scene, std::size_t width, std::size_t height,
                           std::size_t count, std::size_t pitch, const std::string &suffix) {
    const auto device = scene.device;
    const auto in = allocate_images<T>(*device, width, height, count, pitch);
    const auto out = allocate_images<T>(*device, height, width, count, pitch);
    std::vector<T> values(in.elements()); // padding included
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<T>((i * 167 + i / 256) % 65521);
    device->upload<T>(in.pixels, values);
    std::vector<T> transposed(in.rows() * width);
    for (std::size_t row = 0; row < in.rows(); ++row)
        for (std::size_t x = 0; x < width; ++x)
            transposed[(row / height * width + x) * height + row % height] =
                values[row * in.pitch + x];
    const auto output = device_output(device, out, std::move(transposed));
    const double bytes = sizeof(T) * static_cast<double>(in.rows() * width);
    Case row =
        image_row(in, {.bytes_read = bytes, .bytes_written = bytes, .kernel_bytes = 2 * bytes});
    std::vector<Case> cases;
    for (const TransposeChoice &choice : transpose_choices()) {
        row.subject.level = std::string(choice.id) + suffix;
        const bool in_fours = in.pitch % 4 == 0 && out.pitch % 4 == 0;
        const auto launch = [=, method = choice.method] { transpose(*device, in, out, method); };
        cases.push_back(choice.method == TransposeMethod::blocks && !in_fours
                            ? not_here(row.subject, "rows or columns are no multiple of four")
                            : device_case(row, device, launch, output));
    }
    return cases;
}

} // namespace

template <typename T>
std::vector<Case> transpose_image_cases(const Scene &scene) {
    const std::size_t side = image_side(scene, most_side);
    std::vector<Case> cases;
    for (const std::size_t pitch : {side, channel_free_pitch(side, sizeof(T))}) {
        // The images have as many pixels of floats as of bytes.
        const std::size_t count =
            image_count(scene, side * side, sizeof(float), sizeof(T) * side * pitch);
        std::ranges::move(cases_of<T>(scene, side, side, count, pitch, pitch > side ? "+pad" : ""),
                          std::back_inserter(cases));
    }
    return cases;
}

template std::vector<Case> transpose_image_cases<float>(const Scene &);
template std::vector<Case> transpose_image_cases<std::uint8_t>(const Scene &);

std::vector<Case> transpose_cases(const Scene &scene) {
    if (scene.device)
        return cases_of<float>(scene, scene.request.dimensions, scene.most_rows(), 1, 0, "");
    std::vector<Case> cases;
    for (const TransposeChoice &choice : transpose_choices())
        cases.push_back(not_here({.level = std::string(choice.id)}, no_device));
    return cases;
}

} // namespace bowhist
