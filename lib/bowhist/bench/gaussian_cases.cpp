#include <bowhist/bench/cases.hpp>
#include <bowhist/bench/device_case.hpp>
#include <bowhist/bench/device_output.hpp>
#include <bowhist/bench/filtered.hpp>
#include <bowhist/bench/picture_batch.hpp>
#include <bowhist/ops/gaussian.hpp>
#include <bowhist/ops/gaussian_filter.hpp>
#include <bowhist/ops/gaussian_pass.hpp>
#include <bowhist/ops/named_filter.hpp>

namespace bowhist {
namespace {

constexpr std::size_t most_side = 1024; // pixels
constexpr double sigma = 2;             // the time does not depend on it
constexpr std::size_t reach = 24;       // pixels; nothing of the Gaussian is left there
constexpr double tolerance = 1e-3;      // as in gaussian.hpp
constexpr double pass_operations = 47;  // a pixel, along one direction; see docs/bench.md
constexpr double textbook_flops = 64;   // a pixel, both directions, by the textbook's recursion
constexpr double textbook_floats = 14;  // a pixel, moved by two column passes and two transposes
constexpr double column_floats = 5;     // a pixel
constexpr std::size_t segmented = 256;  // rows
constexpr std::size_t uncut = std::size_t{1} << 20; // more rows than a picture has

/// Pictures and everything that blurring them takes.
struct Blur {
    std::shared_ptr<Device> device;
    PictureBatch pictures;
    DeviceImages<float> out;
    GaussianScratch scratch;

    double pixels() const { return static_cast<double>(pictures.values.size()); }
    double bytes_of(double floats) const { return sizeof(float) * floats * pixels(); }
};

std::shared_ptr<Blur> make_blur(const Scene &scene) {
    const std::size_t side = picture_side(scene, most_side);
    PictureBatch pictures = make_pictures(scene, side);
    const DeviceImages<float> out =
        allocate_images<float>(*scene.device, side, side, pictures.in.count);
    return std::make_shared<Blur>(Blur{scene.device, std::move(pictures), out, {}});
}

/// The true blur of the pictures, along their columns only.
std::vector<float> blurred_columns(const PictureBatch &pictures) {
    return filtered(pictures.values, pictures.in.width,
                    {1, 2 * reach + 1, gaussian_weights(2 * reach + 1, sigma)}, Border::replicate);
}

std::vector<float> blurred(const PictureBatch &pictures) {
    return filtered(blurred_columns(pictures), pictures.in.width,
                    {2 * reach + 1, 1, gaussian_weights(2 * reach + 1, sigma)}, Border::replicate);
}

/// Each picture turned.
std::vector<float> turned(const std::vector<float> &pictures, std::size_t side) {
    std::vector<float> result(pictures.size());
    for (std::size_t i = 0; i < pictures.size(); ++i) {
        const std::size_t row = i / side;
        result[(row / side * side + i % side) * side + row % side] = pictures[i];
    }
    return result;
}

std::shared_ptr<Output> output_of(const Blur &blur, std::vector<float> expected) {
    return std::make_shared<DeviceOutput<float>>(
        blur.device, blur.out, std::make_shared<const std::vector<float>>(std::move(expected)),
        Tolerance{tolerance, 0});
}

Case blur_case(const std::shared_ptr<Blur> &blur, const std::string &operation,
               const std::string &level, const Work &work, const std::function<void()> &launch,
               const std::shared_ptr<Output> &output) {
    const Case row{{operation, level, Place::device, blur->device->info().name, blur->out.rows(), 0,
                    blur->out.width},
                   work};
    return device_case(row, blur->device, launch, output, [blur] { blur->scratch = {}; });
}

Work whole_work(const Blur &blur, const GaussianShape &shape) {
    const bool by_the_book = shape.walk == GaussianWalk::transposes;
    Work work;
    work.bytes_read = work.bytes_written = blur.bytes_of(1);
    work.pixels = blur.pixels();
    work.operations = 2 * pass_operations * blur.pixels();
    work.kernel_bytes = blur.bytes_of(by_the_book ? textbook_floats : 2 * column_floats);
    if (by_the_book)
        work.predicted_operations_per_byte = textbook_flops / (sizeof(float) * textbook_floats);
    return work;
}

/// One way of blurring along columns.
struct Way {
    std::string level;
    unsigned width;
    bool turned;
    std::size_t segment_rows;
};

Work pass_work(const Blur &blur, const Way &way) {
    Work work;
    work.bytes_read = blur.bytes_of(column_floats - 2);
    work.bytes_written = blur.bytes_of(2);
    work.pixels = blur.pixels();
    work.operations = pass_operations * blur.pixels();
    work.kernel_bytes =
        work.bytes_read + work.bytes_written + (way.segment_rows != uncut ? blur.bytes_of(1) : 0);
    return work;
}

} // namespace

std::vector<Case> gaussian_cases(const Scene &scene, std::size_t /*k*/) {
    if (!scene.device) return no_device("gaussian");
    const auto blur = make_blur(scene);
    const auto output = output_of(*blur, blurred(blur->pictures));
    std::vector<Case> cases;
    for (const GaussianShape &shape : gaussian_shapes())
        cases.push_back(blur_case(
            blur, "gaussian", std::string(shape.id), whole_work(*blur, shape),
            [=] {
                gaussian_blur(*blur->device, blur->pictures.in, sigma, blur->out, blur->scratch,
                              {shape});
            },
            output));
    return cases;
}

std::vector<Case> gaussian_column_cases(const Scene &scene, std::size_t /*k*/) {
    const std::vector<Way> ways = {
        {"columns", 1, false, uncut},      {"columns4", 4, false, uncut},
        {"columns16", 16, false, uncut},   {"columns+cut", 1, false, segmented},
        {"turned", 1, true, uncut},        {"turned16", 16, true, uncut},
        {"turned+cut", 1, true, segmented}};
    if (!scene.device) return no_device("gaussian-columns");
    const auto blur = make_blur(scene);
    const std::vector<float> expected = blurred_columns(blur->pictures);
    const auto upright = output_of(*blur, expected);
    const auto on_its_side = output_of(*blur, turned(expected, blur->out.width));
    std::vector<Case> cases;
    for (const Way &way : ways)
        cases.push_back(blur_case(
            blur, "gaussian-columns", way.level, pass_work(*blur, way),
            [=] {
                GaussianPass pass(*blur->device, gaussian_filter(sigma), way.width,
                                  way.segment_rows, blur->scratch.kept, blur->scratch.states);
                way.turned ? pass.columns_transposed(blur->pictures.in, blur->out)
                           : pass.columns(blur->pictures.in, blur->out);
            },
            way.turned ? on_its_side : upright));
    return cases;
}

} // namespace bowhist
