// What every way of convolving takes on the first device (a GPU if there is one), by OpenCL's
// events: median and range of nine, interleaved. Effective bandwidth counts each pixel read once
// and written once (the two passes: twice), whatever a way really loads.
//
//     convolve_times [WIDTH HEIGHT COUNT]     pictures in one launch; default 1024 1024 64
//     convolve_times --shapes [WIDTH …]       every shape of sliding and separable instead
#include <bowhist/bench/filtered.hpp>
#include <bowhist/bench/measurement.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/ops/convolve_bytes.hpp>
#include <bowhist/ops/convolve_separable.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <string_view>

using namespace bowhist;

namespace {

constexpr std::size_t rounds = 9;

struct Row {
    std::string name;
    std::function<void()> launch;
    double weights = 0;   ///< multiplications a pixel
    double floats = 2;    ///< a pixel, that must be read and written
    double predicted = 0; ///< operations for each byte loaded, by the textbook; 0: none there
    std::vector<double> seconds = {};
};

std::vector<float> ramp(std::size_t size) {
    std::vector<float> weights;
    for (std::size_t i = 0; i < size; ++i) weights.push_back(1.0F / static_cast<float>(i + 1));
    return weights;
}

class Bench {
  public:
    Bench(std::size_t width, std::size_t height, std::size_t count)
        : in_(allocate_images<float>(device_, width, height, count)),
          between_(allocate_images<float>(device_, width, height, count)),
          out_(allocate_images<float>(device_, width, height, count)) {
        device_.fill(in_.pixels, 1.0F, in_.elements());
    }

    void add_methods() {
        add_separable("copy: separable 1x1", 1, {});
        for (const std::size_t side : {3, 5, 9, 15, 31})
            for (const ConvolveMethod method : convolve_methods) add(method, side);
        add({.name = "tiled_output 9x9, a pixel each",
             .launch = [this] { run(ConvolveMethod::tiled_output, 9, 1, {}); },
             .weights = 81});
        for (const std::size_t side : {3, 9, 15, 31}) add_two_passes(side);
    }

    void add_shapes() {
        add_separable("copy: separable 1x1", 1, {});
        const bool cpu = device_.info().kind == DeviceKind::cpu;
        for (const std::size_t lanes :
             cpu ? std::vector<std::size_t>{8, 16} : std::vector<std::size_t>{2, 4})
            for (const std::size_t strip : {16, 32, 64, 128, 256})
                for (const Range group :
                     cpu ? std::vector<Range>{{1, 1}}
                         : std::vector<Range>{{32, 2}, {32, 4}, {64, 2}, {128, 1}, {32, 8}})
                    add_shape({lanes, strip, group, cpu});
        for (const std::size_t side : {3, 15, 31})
            for (const std::size_t columns : {128, 256, 512})
                for (const std::size_t strip : {64, 128, 256})
                    for (const std::size_t step : {8, 16, 32})
                        if (!cpu && (columns + 64) * step < 6144)
                            add_tile(side, {columns, strip, step});
    }

    void report() {
        for (std::size_t round = 0; round <= rounds; ++round) // the first warms up
            for (Row &row : rows_) {
                row.launch();
                const double taken = device_.take_launches().kernels.at("convolve").seconds;
                if (round > 0) row.seconds.push_back(taken);
            }
        fmt::print("{}: {} pictures of {}x{}\n", device_.info().name, in_.count, in_.width,
                   in_.height);
        for (Row &row : rows_) print(row);
    }

  private:
    void run(ConvolveMethod method, std::size_t side, std::size_t outputs,
             std::optional<SlidingShape> shape) {
        const Filter filter = method == ConvolveMethod::separable
                                  ? product({ramp(side), ramp(side)})
                                  : unseparable(side);
        convolve(device_, in_, out_, filter,
                 {.method = method, .outputs = outputs, .shape = shape});
    }
    void add(Row row) { rows_.push_back(std::move(row)); }

    void add(ConvolveMethod method, std::size_t side) {
        if (method == ConvolveMethod::separable)
            return add_separable(fmt::format("separable {0}x{0}", side), side, {});
        if (obstacle(method, device_, unseparable(side))) return;
        Row row{.name = fmt::format("{0} {1}x{1}", name_of(method), side),
                .launch = [=, this] { run(method, side, 4, {}); },
                .weights = static_cast<double>(side * side)};
        if (method == ConvolveMethod::basic || method == ConvolveMethod::constant)
            row.predicted = untiled_operations_per_byte(method == ConvolveMethod::basic);
        if (method == ConvolveMethod::tiled_input)
            row.predicted = tiled_operations_per_byte(32, side, side);
        add(std::move(row));
    }

    void add_separable(std::string name, std::size_t side, std::optional<SlidingShape> shape) {
        add({.name = std::move(name),
             .launch = [=, this] { run(ConvolveMethod::separable, side, 4, shape); },
             .weights = 2 * static_cast<double>(side)});
    }

    void add_two_passes(std::size_t side) {
        add({.name = fmt::format("rows, then columns {0}x{0}", side),
             .launch =
                 [=, this] {
                     const auto weights = ramp(side);
                     convolve_rows(device_, in_, between_, weights);
                     convolve_columns(device_, between_, out_, weights);
                 },
             .weights = 2 * static_cast<double>(side),
             .floats = 4});
    }

    void add_shape(const SlidingShape &shape) {
        const std::string name = fmt::format("{} lanes, {} rows, group {}x{}", shape.lanes,
                                             shape.strip, shape.group[0], shape.group[1]);
        add_separable("separable 15x15, " + name, 15, shape);
        add({.name = "sliding 9x9, " + name,
             .launch = [=, this] { run(ConvolveMethod::sliding, 9, 4, shape); },
             .weights = 81});
    }

    void add_tile(std::size_t side, const SeparableTile &tile) {
        add({.name = fmt::format("separable {0}x{0}, {1} columns, {2} rows, {3} at once", side,
                                 tile.columns, tile.strip, tile.step),
             .launch =
                 [=, this] {
                     convolve(device_, in_, out_, product({ramp(side), ramp(side)}),
                              {.method = ConvolveMethod::separable, .tile = tile});
                 },
             .weights = 2 * static_cast<double>(side)});
    }

    void print(Row &row) const {
        const auto [least, median, most] = spread_of(row.seconds);
        const auto pixels = static_cast<double>(in_.width * in_.rows());
        fmt::print("{:58} {:9.3f} ms ({:.3f} … {:.3f}) {:8.1f} GB/s {:8.1f} GFLOP/s{}\n", row.name,
                   1e3 * median, 1e3 * least, 1e3 * most,
                   sizeof(float) * row.floats * pixels / median / 1e9,
                   2 * row.weights * pixels / median / 1e9,
                   row.predicted > 0 ? fmt::format("   {:.2f} OP/B by the book", row.predicted)
                                     : std::string());
    }

    Device device_{DeviceOptions{}};
    DeviceImages<float> in_;
    DeviceImages<float> between_;
    DeviceImages<float> out_;
    std::vector<Row> rows_;
};

} // namespace

int main(int count, char **words) try {
    std::vector<std::string_view> arguments(words + 1, words + count);
    const bool shapes = !arguments.empty() && arguments.front() == "--shapes";
    if (shapes) arguments.erase(arguments.begin());
    std::vector<std::size_t> sizes;
    for (const std::string_view argument : arguments)
        sizes.push_back(std::strtoul(argument.data(), nullptr, 10));
    if (sizes.size() != 3) sizes = {1024, 1024, 64};
    Bench bench(sizes[0], sizes[1], sizes[2]);
    if (shapes)
        bench.add_shapes();
    else
        bench.add_methods();
    bench.report();
} catch (const Error &error) {
    fmt::print(stderr, "convolve_times: {}\n{}\n", error.what(), error.detail);
    return 1;
}
