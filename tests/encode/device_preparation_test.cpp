// Rows that a device prepares: the host's, bit for bit.
#include "tests/support/descriptors.hpp"
#include "tests/support/levels.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/device/kernel_source.hpp>
#include <bowhist/encode/device/device_preparation.hpp>
#include <bowhist/encode/preparation.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <fstream>
#include <limits>
#include <random>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

using Limits = std::numeric_limits<float>;

constexpr std::size_t dimensions = 64;
const std::vector<LaunchImage> two_images = {{0, 200, 100}, {20000, 37, 1030}};

/// Steps of all kinds, in each order that there is.
constexpr std::array step_lists = {"root,whiten:48,position,scale,contrast,mirror",
                                   "",
                                   "root",
                                   "mirror",
                                   "root,mirror",
                                   "whiten:1",
                                   "whiten",
                                   "whiten:13,root,contrast:0.001",
                                   "root,contrast:1.5,position:3,mirror",
                                   "scale:1000,position:0.7"};

/// A part of a number's whole range: any exponent, any significand.
float any_float(std::mt19937 &random) {
    const float value = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    return std::isfinite(value) ? value : 0;
}

/// Rows of values that roots and sums are hard for.
Descriptors hard_rows() {
    std::mt19937 random(5);
    Descriptors rows{dimensions, {}};
    const auto add = [&](auto value_at) {
        for (std::size_t i = 0; i < dimensions; ++i) rows.values.push_back(value_at(i));
    };
    for (const float value : {0.0F, -0.0F, 1.0F, -3.0F, Limits::denorm_min(), -Limits::denorm_min(),
                              Limits::min(), Limits::max(), 0x1.FFFFFEp-127F, 0x1p-60F, 1e30F}) {
        add([&](std::size_t /*i*/) { return value; });
        add([&](std::size_t i) { return i == 7 ? value : 0; });
        add([&](std::size_t i) { return i % 2 == 0 ? value : -0.0F; });
    }
    for (int row = 0; row < 40; ++row) {
        add([&](std::size_t /*i*/) { return any_float(random); });
        add([&](std::size_t i) { return i % 5 == 0 ? any_float(random) : 0; });
        add([&](std::size_t /*i*/) { // subnormals
            return std::bit_cast<float>(static_cast<std::uint32_t>(random() & 0x807FFFFF));
        });
        add([&](std::size_t /*i*/) { // neighbors of squares
            const auto root = static_cast<float>(random() % 4096 + 1);
            return std::nextafter(root * root, random() % 2 == 0 ? 0 : Limits::max());
        });
    }
    return rows;
}

/// With keypoints of which logarithms and quotients are hard to round.
Descriptors with_hard_keypoints(Descriptors rows) {
    std::mt19937 random(6);
    const auto of_one = [&] { return std::ldexp(static_cast<float>(random() >> 8), -24); };
    const auto near_power = [&] {
        const float power = std::ldexp(1.0F, static_cast<int>(random() % 12) - 3);
        return random() % 2 == 0 ? power : std::nextafter(power, random() % 2 == 0 ? 0 : 256.0F);
    };
    const std::array odd = {0.0F, 0.5F, 0.8F, 1.6F, Limits::denorm_min(), Limits::max(), 0x1p64F};
    rows.keypoints.clear();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        Keypoint one{200 * of_one(), 1030 * of_one(), 0.4F + 5 * of_one(), 0, 120 * of_one()};
        if (i % 3 == 1) one = {static_cast<float>(i % 200), 49.5F, near_power(), 0, near_power()};
        if (i % 7 == 2) one = {-0.5F, 99.5F, odd.at(i % odd.size()), 0, odd.at(i / 3 % odd.size())};
        if (i % 13 == 6) one.x = 99.5F; // the middle of the first image
        if (i % 11 == 4) one = {0, Limits::denorm_min(), 1.6F, 0, one.response};
        rows.keypoints.push_back(one);
    }
    return rows;
}

/// Learned from usual rows, with a mean and projections that are hard to add up.
Preparation preparation_of(const char *text, Mirroring mirroring) {
    const PreparationSteps steps = parse_preparation(text);
    Descriptors usual = with_hard_keypoints(random_descriptors(200, dimensions, 3));
    Preparation learned =
        learn_preparation(steps, with_places(steps, usual, 200, 1030), Mirroring::columns);
    learned.mirroring = mirroring;
    for (std::size_t i = 0; i < learned.projection.size(); i += 61) learned.projection[i] = 0;
    for (std::size_t i = 5; i < learned.projection.size(); i += 97) learned.projection[i] = 1e-39F;
    return learned;
}

/// The second half of the rows is of the second image.
std::vector<cl_uint> halves(std::size_t rows) {
    std::vector<cl_uint> bag(rows);
    std::fill(bag.begin() + static_cast<std::ptrdiff_t>(rows / 2), bag.end(), 1);
    return bag;
}

std::vector<float> by_host(const Preparation &preparation, const Descriptors &rows) {
    Descriptors placed{rows.dimensions + appended_numbers(preparation.steps), {}};
    const std::vector<cl_uint> bag = halves(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto row = rows.row(i);
        const LaunchImage &image = two_images.at(bag[i]);
        const Descriptors one = with_places(
            preparation.steps, {rows.dimensions, {row.begin(), row.end()}, {rows.keypoints[i]}},
            image.width, image.height);
        placed.values.insert(placed.values.end(), one.values.begin(), one.values.end());
    }
    return prepared(preparation, placed).values;
}

struct Made {
    std::vector<float> values;
    std::vector<cl_uint> bag;
    std::vector<cl_uint> count;
};

/// @param unused  room behind the rows
Made on_device(Device &device, DevicePreparation &prepares, const Descriptors &rows,
               std::size_t unused) {
    const auto longer = [&](auto values, std::size_t each) {
        values.resize(values.size() + unused * each);
        return values;
    };
    DeviceDescriptors there{
        .values = uploaded<float>(device, longer(rows.values, rows.dimensions)),
        .bag = uploaded<cl_uint>(device, longer(halves(rows.size()), 1)),
        .count = uploaded<cl_uint>(device, {static_cast<cl_uint>(rows.size()), cl_uint{77}}),
        .capacity = rows.size() + unused,
        .dimensions = rows.dimensions,
        .keypoints = uploaded<Keypoint>(device, longer(rows.keypoints, 1))};
    const DeviceDescriptors &found = prepares.prepare(there, two_images);
    Made made{{}, {}, downloaded(device, found.count)};
    made.values.resize(made.count[0] * found.dimensions);
    made.bag.resize(made.count[0]);
    device.download(std::span(made.values), found.values);
    device.download(std::span(made.bag), found.bag);
    return made;
}

/// NaNs are alike: the rule gives their rows word 0.
bool same_numbers(const std::vector<float> &a, const std::vector<float> &b) {
    return std::ranges::equal(a, b, [](float x, float y) {
        return std::bit_cast<int>(x) == std::bit_cast<int>(y) || (std::isnan(x) && std::isnan(y));
    });
}

void check_steps(const std::shared_ptr<Device> &device, const char *steps, Mirroring mirroring,
                 const Descriptors &rows, std::size_t unused) {
    INFO(steps << ", mirrored " << name_of(mirroring));
    const Preparation preparation = preparation_of(steps, mirroring);
    DevicePreparation prepares(device, preparation);
    const Made made = on_device(*device, prepares, rows, unused);
    CHECK(same_numbers(made.values, by_host(preparation, rows)));
    std::vector<cl_uint> bag = halves(rows.size());
    if (has_step(preparation.steps, PreparationStep::Kind::mirror))
        bag.insert(bag.end(), bag.begin(), bag.begin() + static_cast<std::ptrdiff_t>(rows.size()));
    CHECK(made.bag == bag);
    CHECK(made.count == std::vector<cl_uint>{static_cast<cl_uint>(bag.size()), 77});
}

} // namespace

TEST_CASE("device preparation: rows of every kind, by every list of steps, have the host's bits") {
    const auto device = shared_device();
    if (skips(!can_prepare(*device), "does not prepare rows")) return;
    const Descriptors rows = with_hard_keypoints(hard_rows());
    for (const char *steps : step_lists) check_steps(device, steps, Mirroring::columns, rows, 19);
    check_steps(device, "whiten:5,mirror", Mirroring::rows, rows, 0);
}

TEST_CASE("device preparation: numbers to append have the host's bits, of many keypoints") {
    const auto device = shared_device();
    if (skips(!can_prepare(*device), "does not prepare rows")) return;
    const Preparation preparation = {.steps = parse_preparation("position,scale,contrast"),
                                     .dimensions = 1};
    Descriptors rows{1, std::vector<float>(30'000)};
    rows = with_hard_keypoints(rows);
    DevicePreparation prepares(device, preparation);
    CHECK(same_numbers(on_device(*device, prepares, rows, 0).values, by_host(preparation, rows)));
}

TEST_CASE("device preparation: roots are the nearest, however the device rounds its own") {
    if (skips(!can_prepare(*shared_device()), "does not prepare rows")) return;
    const Descriptors rows = with_hard_keypoints(hard_rows());
    for (const char *off : {"+ 3.0f;", "- 2.0f;"}) {
        const TemporaryFolder folder;
        std::string source = kernel_source("exact_root.cl");
        const std::string guess = "* 8388608.0f;";
        REQUIRE(source.find(guess) != std::string::npos);
        source.replace(source.find(guess), guess.size(), "* 8388608.0f " + std::string(off));
        std::ofstream(folder / "exact_root.cl") << source;
        const auto device = std::make_shared<Device>(DeviceOptions{.kernel_dir = folder.path()});
        check_steps(device, "root", Mirroring::none, rows, 0);
    }
}

TEST_CASE("device preparation: no row at all") {
    const auto device = shared_device();
    if (skips(!can_prepare(*device), "does not prepare rows")) return;
    check_steps(device, step_lists[0], Mirroring::columns, {dimensions, {}}, 5);
    DevicePreparation prepares(device, preparation_of(step_lists[0], Mirroring::rows));
    DeviceDescriptors none{.values = {}, .bag = {}, .count = uploaded<cl_uint>(*device, {0, 3})};
    none.dimensions = dimensions;
    const DeviceDescriptors &found = prepares.prepare(none, {});
    CHECK(found.capacity == 0);
    CHECK(downloaded(*device, found.count) == std::vector<cl_uint>{0, 3});
}

TEST_CASE("device preparation: a few rows",
          "[oclgrind][prepare_copy.cl][prepare_root.cl][prepare_project.cl][prepare_places.cl]") {
    const auto device = shared_device();
    if (skips(!can_prepare(*device), "does not prepare rows")) return;
    const Descriptors rows = with_hard_keypoints(random_descriptors(9, dimensions, 1));
    check_steps(device, "root,whiten:3,position,scale,contrast,mirror", Mirroring::rows, rows, 3);
}
