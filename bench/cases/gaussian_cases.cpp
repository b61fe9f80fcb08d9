#include "bench/cases/cases.hpp"
#include "bench/cases/filtered.hpp"
#include "bench/cases/test_images.hpp"
#include "bench/device_case.hpp"

#include <bowhist/ops/gaussian.hpp>
#include <bowhist/ops/gaussian_filter.hpp>
#include <bowhist/ops/gaussian_pass.hpp>
#include <bowhist/ops/named_filter.hpp>

namespace bowhist {
namespace {

constexpr std::size_t most_side = 1024; // pixels
constexpr double sigma = 2;             // the time does not depend on it
constexpr std::size_t reach = 24;       // pixels; the Gaussian is 0 beyond
constexpr double tolerance = 1e-3;      // as in gaussian.hpp
constexpr double pass_operations = 47;  // a pixel, along one direction; see docs/bench.md
constexpr double textbook_flops = 64;   // a pixel, both directions, by the textbook's recursion
constexpr double textbook_floats = 14;  // a pixel, moved by two column passes and two transposes
constexpr double column_floats = 5;     // a pixel
constexpr std::size_t segmented = 256;  // rows
constexpr std::size_t uncut = std::size_t{1} << 20; // more rows than an image has

/// Images and everything that blurring them takes.
struct Blur {
    std::shared_ptr<Device> device;
    std::shared_ptr<const TestImages<float>> images;
    DeviceImages<float> out;
    GaussianScratch scratch = {};

    double pixels() const { return static_cast<double>(images->values.size()); }
    double bytes_of(double floats) const { return sizeof(float) * floats * pixels(); }
};

std::shared_ptr<Blur> make_blur(const Scene &scene) {
    const auto images = make_images<float>(scene, most_side);
    const DeviceImages<float> &in = images->in;
    const auto out = allocate_images<float>(*scene.device, in.width, in.height, in.count);
    return std::make_shared<Blur>(Blur{scene.device, images, out});
}

std::vector<float> blurred_columns(const TestImages<float> &images) {
    return filtered(images.values, images.in.width,
                    {1, 2 * reach + 1, gaussian_weights(2 * reach + 1, sigma)}, Border::replicate);
}

std::vector<float> blurred(const TestImages<float> &images) {
    return filtered(blurred_columns(images), images.in.width,
                    {2 * reach + 1, 1, gaussian_weights(2 * reach + 1, sigma)}, Border::replicate);
}

/// Each image transposed.
std::vector<float> transposed(const std::vector<float> &images, std::size_t side) {
    std::vector<float> result(images.size());
    for (std::size_t i = 0; i < images.size(); ++i) {
        const std::size_t row = i / side;
        result[(row / side * side + i % side) * side + row % side] = images[i];
    }
    return result;
}

Case blur_case(const std::shared_ptr<Blur> &blur, const std::string &level, const Work &work,
               const std::function<void()> &launch, const std::shared_ptr<Output> &output) {
    return device_case(image_row(blur->out, work, level), blur->device, launch, output,
                       [blur] { blur->scratch = {}; });
}

Work whole_work(const Blur &blur, const GaussianShape &shape) {
    const bool by_the_book = shape.walk == GaussianWalk::transposes;
    Work work{.bytes_read = blur.bytes_of(1),
              .bytes_written = blur.bytes_of(1),
              .operations = 2 * pass_operations * blur.pixels(),
              .kernel_bytes = blur.bytes_of(by_the_book ? textbook_floats : 2 * column_floats),
              .pixels = blur.pixels()};
    if (by_the_book)
        work.predicted_operations_per_byte = textbook_flops / (sizeof(float) * textbook_floats);
    return work;
}

/// One way of blurring along columns.
struct Way {
    std::string level;
    unsigned width;
    bool transposed;
    std::size_t segment_rows;
};

Work pass_work(const Blur &blur, const Way &way) {
    return {.bytes_read = blur.bytes_of(column_floats - 2),
            .bytes_written = blur.bytes_of(2),
            .operations = pass_operations * blur.pixels(),
            .kernel_bytes = blur.bytes_of(column_floats + (way.segment_rows != uncut ? 1 : 0)),
            .pixels = blur.pixels()};
}

} // namespace

std::vector<Case> gaussian_cases(const Scene &scene) {
    const auto blur = make_blur(scene);
    const auto output =
        device_output(scene.device, blur->out, blurred(*blur->images), Tolerance{tolerance, 0});
    std::vector<Case> cases;
    for (const GaussianShape &shape : gaussian_shapes())
        cases.push_back(blur_case(
            blur, std::string(shape.id), whole_work(*blur, shape),
            [=] {
                gaussian_blur(*blur->device, blur->images->in, sigma, blur->out, blur->scratch,
                              {shape});
            },
            output));
    return cases;
}

std::vector<Case> gaussian_column_cases(const Scene &scene) {
    const std::vector<Way> ways = {
        {"columns", 1, false, uncut},      {"columns4", 4, false, uncut},
        {"columns16", 16, false, uncut},   {"columns+cut", 1, false, segmented},
        {"turned", 1, true, uncut},        {"turned16", 16, true, uncut},
        {"turned+cut", 1, true, segmented}};
    const auto blur = make_blur(scene);
    const std::vector<float> expected = blurred_columns(*blur->images);
    const auto output = [&](const std::vector<float> &right) {
        return device_output(scene.device, blur->out, right, Tolerance{tolerance, 0});
    };
    const auto upright = output(expected);
    const auto on_its_side = output(transposed(expected, blur->out.width));
    std::vector<Case> cases;
    for (const Way &way : ways)
        cases.push_back(blur_case(
            blur, way.level, pass_work(*blur, way),
            [=] {
                const GaussianPass pass{*blur->device, gaussian_filter(sigma), way.width,
                                        way.segment_rows, blur->scratch};
                way.transposed ? pass.columns_transposed(blur->images->in, blur->out)
                               : pass.columns(blur->images->in, blur->out);
            },
            way.transposed ? on_its_side : upright));
    return cases;
}

} // namespace bowhist
