#include <bowhist/bench/gaussian_cases.hpp>
#include <bowhist/bench/picture_batch.hpp>
#include <bowhist/ops/gaussian.hpp>
#include <bowhist/ops/gaussian_filter.hpp>
#include <bowhist/ops/gaussian_pass.hpp>

#include <algorithm>
#include <cmath>

namespace bowhist {
namespace {

constexpr std::size_t most_side = 1024; // pixels
constexpr double sigma = 2;             // the time does not depend on it
constexpr long reach = 24;              // pixels; nothing of the Gaussian is left there
constexpr double tolerance = 1e-3;      // as in gaussian.hpp
constexpr std::size_t sampled = 64;     // pixels that are checked
constexpr double textbook_flops = 64;   // a pixel, both directions
constexpr double textbook_floats = 14;  // a pixel, moved by two column passes and two transposes
constexpr double column_floats = 5;     // a pixel
constexpr std::size_t segmented = 256;  // rows
constexpr std::size_t uncut = most_side;

/// Pictures and everything that blurring them takes.
struct Blur {
    std::shared_ptr<Device> device;
    PictureBatch pictures;
    DeviceImages<float> out;
    GaussianScratch scratch;

    double bytes_of(double floats) const {
        return sizeof(float) * floats * static_cast<double>(pictures.values.size());
    }
};

std::shared_ptr<Blur> make_blur(const Scene &scene) {
    const std::size_t side = picture_side(scene, most_side);
    PictureBatch pictures = make_pictures(scene, side);
    const DeviceImages<float> out =
        allocate_images<float>(*scene.device, side, side, pictures.in.count);
    return std::make_shared<Blur>(Blur{scene.device, std::move(pictures), out, {}});
}

double weight(long distance) {
    return std::exp(static_cast<double>(-distance * distance) / (2 * sigma * sigma));
}

/// The true blur of a pixel of the last picture, in float64; `across`: pixels to either side.
double true_blur(const PictureBatch &pictures, std::size_t x, std::size_t y, long across) {
    const std::size_t side = pictures.in.width;
    const std::size_t first_row = (pictures.in.count - 1) * side;
    const auto clamped = [side](std::size_t place, long by) {
        return static_cast<std::size_t>(
            std::clamp<long>(static_cast<long>(place) + by, 0, static_cast<long>(side) - 1));
    };
    double sum = 0;
    double weights = 0;
    for (long dy = -reach; dy <= reach; ++dy)
        for (long dx = -across; dx <= across; ++dx) {
            const std::size_t row = first_row + clamped(y, dy);
            sum += weight(dx) * weight(dy) * pictures.values[row * side + clamped(x, dx)];
            weights += weight(dx) * weight(dy);
        }
    return sum / weights;
}

/// Pixels of a sample, spread over the last picture, that are off. `turned`: out is.
std::uint64_t count_mismatches(const Blur &blur, long across, bool turned) {
    std::vector<float> values(blur.out.elements());
    blur.device->download(std::span(values), blur.out.pixels);
    const std::size_t side = blur.out.width;
    const std::size_t first_row = (blur.out.count - 1) * side;
    std::uint64_t mismatches = 0;
    for (std::size_t i = 0; i < sampled; ++i) {
        const std::size_t x = i * (side - 1) / (sampled - 1);
        const std::size_t y = i * 397 % side;
        const std::size_t place = turned ? (first_row + x) * side + y : (first_row + y) * side + x;
        const double off = std::abs(values[place] - true_blur(blur.pictures, x, y, across));
        if (!(off <= tolerance)) ++mismatches;
    }
    return mismatches;
}

Case blur_case(const Scene &scene, const std::shared_ptr<Blur> &blur, const std::string &operation,
               const std::string &level, const std::function<void()> &launch) {
    Case row{{operation, level, Place::device, scene.device->info().name, blur->out.rows(), 0,
              blur->out.width}};
    row.run = [=] { return time_launches(*blur->device, launch); };
    return row;
}

std::vector<Case> no_device(const std::string &operation) {
    return {not_here({operation, "all", Place::device}, "there is no OpenCL device")};
}

} // namespace

std::vector<Case> gaussian_cases(const Scene &scene, std::size_t /*k*/) {
    if (!scene.device) return no_device("gaussian");
    const auto blur = make_blur(scene);
    std::vector<Case> cases;
    for (const GaussianShape &shape : gaussian_shapes()) {
        const auto launch = [=] {
            gaussian_blur(*blur->device, blur->pictures.in, sigma, blur->out, blur->scratch,
                          {shape});
        };
        Case row = blur_case(scene, blur, "gaussian", std::string(shape.id), launch);
        row.work.bytes_read = row.work.bytes_written = blur->bytes_of(1);
        row.work.operations = textbook_flops * static_cast<double>(blur->pictures.values.size());
        const bool by_the_book = shape.walk == GaussianWalk::transposes;
        row.work.kernel_bytes = blur->bytes_of(by_the_book ? textbook_floats : 2 * column_floats);
        if (by_the_book)
            row.work.predicted_operations_per_byte = row.work.operations / *row.work.kernel_bytes;
        row.check = [=] {
            launch();
            return Findings{{}, count_mismatches(*blur, reach, false)};
        };
        cases.push_back(row);
    }
    return cases;
}

std::vector<Case> gaussian_column_cases(const Scene &scene, std::size_t /*k*/) {
    struct Way {
        std::string level;
        unsigned width;
        bool turned;
        std::size_t segment_rows;
    };
    const std::vector<Way> ways = {
        {"columns", 1, false, uncut},      {"columns4", 4, false, uncut},
        {"columns16", 16, false, uncut},   {"columns+cut", 1, false, segmented},
        {"turned", 1, true, uncut},        {"turned16", 16, true, uncut},
        {"turned+cut", 1, true, segmented}};
    if (!scene.device) return no_device("gaussian-columns");
    const auto blur = make_blur(scene);
    std::vector<Case> cases;
    for (const Way &way : ways) {
        const auto launch = [=] {
            GaussianPass pass(*blur->device, gaussian_filter(sigma), way.width, way.segment_rows,
                              blur->scratch.kept, blur->scratch.states);
            way.turned ? pass.columns_turned(blur->pictures.in, blur->out)
                       : pass.columns(blur->pictures.in, blur->out);
        };
        Case row = blur_case(scene, blur, "gaussian-columns", way.level, launch);
        row.work.bytes_read = blur->bytes_of(column_floats - 2);
        row.work.bytes_written = blur->bytes_of(2);
        row.work.operations =
            textbook_flops / 2 * static_cast<double>(blur->pictures.values.size());
        row.work.kernel_bytes = row.work.bytes_read + row.work.bytes_written +
                                (way.segment_rows != uncut ? blur->bytes_of(1) : 0);
        row.check = [=] {
            launch();
            return Findings{{}, count_mismatches(*blur, 0, way.turned)};
        };
        cases.push_back(row);
    }
    return cases;
}

} // namespace bowhist
