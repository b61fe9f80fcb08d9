#include "tests/support/levels.hpp"
#include "tests/support/pictures.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/ops/scan.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <random>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

template <typename T>
std::vector<T> random_values(std::size_t size, unsigned seed) {
    std::mt19937 engine(seed);
    std::vector<T> values(size);
    if constexpr (std::is_floating_point_v<T>)
        for (T &value : values) value = std::normal_distribution<T>()(engine);
    else
        for (T &value : values) value = static_cast<T>(engine());
    return values;
}

/// The first sum of a row that differs from a reference of its own: at all for integers (which
/// wrap), by more than the header's bound for floats. `out_width` when none does.
template <typename In, typename Out>
std::size_t first_wrong(const In *in, const Out *out, std::size_t width, std::size_t out_width,
                        ScanKind kind) {
    using Sum = std::conditional_t<std::is_floating_point_v<Out>, double, std::uint32_t>;
    Sum sum = 0;
    double magnitude = 0;
    for (std::size_t x = 0; x < out_width; ++x) {
        const Sum before = sum;
        if (x < width) {
            sum += static_cast<Sum>(in[x]);
            magnitude += std::abs(static_cast<double>(in[x]));
        }
        const Sum expected = kind == ScanKind::inclusive ? sum : before;
        if constexpr (std::is_floating_point_v<Out>) {
            const double bound = (static_cast<double>(width) / 16 + 100) * 0x1p-24 * magnitude;
            if (!(std::abs(out[x] - expected) <= bound)) return x;
        } else if (static_cast<std::uint32_t>(out[x]) != expected) {
            return x;
        }
    }
    return out_width;
}

template <typename In, typename Out>
void check_rows(Device &device, std::size_t width, std::size_t height, std::size_t padding,
                std::size_t extra, ScanKind kind, ScanMethod method) {
    INFO(width << "×" << height << ", padding " << padding << ", extra " << extra << ", "
               << name_of(method) << (kind == ScanKind::inclusive ? " inclusive" : " exclusive"));
    constexpr std::size_t count = 2;
    const std::size_t pitch = width + padding;
    const auto values = random_values<In>(pitch * height * count, 1);
    const auto in = upload_images(device, values, width, height, count, pitch);
    const auto out = allocate_images<Out>(device, width + extra, height, count, pitch + extra);
    scan_rows(device, in, out, kind, method);
    const auto sums = downloaded(device, out.pixels);
    for (std::size_t row = 0; row < in.rows(); ++row)
        CHECK(first_wrong(&values[row * in.pitch], &sums[row * out.pitch], width, out.width,
                          kind) == out.width);
}

template <typename In, typename Out>
void check_all_rows(Device &device, ScanMethod method, std::initializer_list<int> widths) {
    for (const int width : widths) {
        const std::size_t padding = width % 4 == 1 ? 3 : 0; // rows at every kind of address
        check_rows<In, Out>(device, width, 3, padding, 0, ScanKind::inclusive, method);
        check_rows<In, Out>(device, width, 3, padding, 0, ScanKind::exclusive, method);
        check_rows<In, Out>(device, width, 3, padding, 1, ScanKind::exclusive, method);
    }
}

template <typename T>
void check_vector(Device &device, std::size_t size, ScanKind kind, ScanMethod method) {
    INFO(size << ", " << name_of(method) << (kind == ScanKind::inclusive ? " incl." : " excl."));
    const auto values = random_values<T>(size, 2);
    const auto in = device.allocate<T>(size);
    const auto out = device.allocate<T>(size);
    device.upload<T>(in, values);
    scan(device, in, out, size, kind, method);
    const auto sums = downloaded(device, out);
    CHECK(first_wrong(values.data(), sums.data(), size, size, kind) == size);
}

template <typename T>
void check_all_vectors(Device &device, std::initializer_list<std::size_t> sizes) {
    for (const ScanMethod method : scan_methods)
        for (const std::size_t size : sizes)
            for (const ScanKind kind : {ScanKind::inclusive, ScanKind::exclusive})
                check_vector<T>(device, size, kind, method);
}

} // namespace

TEST_CASE("scan: rows of integers, exactly, whatever their width and pitch") {
    Device &device = *shared_device();
    for (const ScanMethod method : {ScanMethod::tree, ScanMethod::serial}) {
        check_all_rows<std::int32_t, std::int32_t>(device, method, {1, 15, 16, 17, 1002, 4096});
        check_all_rows<std::uint8_t, std::uint32_t>(device, method, {63, 64, 65, 1002, 4097});
    }
    check_all_rows<std::uint32_t, std::uint32_t>(device, ScanMethod::tree_conflicting, {64, 1000});
}

TEST_CASE("scan: rows of floats, within the bound") {
    for (const ScanMethod method : {ScanMethod::tree, ScanMethod::serial})
        check_all_rows<float, float>(*shared_device(), method, {1, 17, 64, 1002, 4097});
}

TEST_CASE("scan: vectors of any length, cut into chunks") {
    check_all_vectors<std::int32_t>(*shared_device(),
                                    {0, 1, 63, 64, 65, 1000, 4096, 4097, 131073, 1000003});
    check_all_vectors<std::uint32_t>(*shared_device(), {65, 131073});
    check_all_vectors<float>(*shared_device(), {1, 4097, 131073});
}

TEST_CASE("scan: a device with small groups and little local memory gives the same sums") {
    const auto small_group = limited_device([](DeviceLimits &l) { l.work_group_size = 16; });
    const auto odd_group = limited_device([](DeviceLimits &l) { l.work_group_size = 100; });
    const auto little_local = limited_device([](DeviceLimits &l) { l.local_bytes = 256; });
    for (const auto &device : {small_group, odd_group, little_local}) {
        check_all_rows<std::uint8_t, std::uint32_t>(*device, ScanMethod::tree, {1002});
        for (const std::size_t size : {1000, 131073})
            check_vector<std::int32_t>(*device, size, ScanKind::inclusive, ScanMethod::tree);
    }
}

TEST_CASE("scan: in place") {
    Device &device = *shared_device();
    for (const ScanMethod method : scan_methods)
        for (const std::size_t size : {17, 100000}) {
            const auto values = random_values<std::uint32_t>(size, 3);
            const auto buffer = device.allocate<std::uint32_t>(size);
            device.upload<std::uint32_t>(buffer, values);
            scan(device, buffer, buffer, size, ScanKind::exclusive, method);
            const auto sums = downloaded(device, buffer);
            CHECK(first_wrong(values.data(), sums.data(), size, size, ScanKind::exclusive) == size);
        }
}

TEST_CASE("scan: nothing to scan, and shapes that do not fit") {
    Device &device = *shared_device();
    const ScanMethod method = scan_method_for(device);
    const auto none = allocate_images<float>(device, 0, 5);
    CHECK_NOTHROW(scan_rows(device, none, none, ScanKind::inclusive, method));
    // An empty row's total is still a number: zero.
    const auto total = allocate_images<float>(device, 1, 5);
    device.fill(total.pixels, 1.0F, 5);
    scan_rows(device, none, total, ScanKind::exclusive, method);
    CHECK(downloaded(device, total.pixels) == std::vector<float>(5, 0.0F));

    const auto narrow = allocate_images<float>(device, 4, 5);
    const auto wide = allocate_images<float>(device, 5, 5);
    CHECK_THROWS_AS(scan_rows(device, narrow, wide, ScanKind::inclusive, method), Error);
    CHECK_THROWS_AS(scan_rows(device, wide, narrow, ScanKind::exclusive, method), Error);
    CHECK_THROWS_AS(scan(device, narrow.pixels, wide.pixels, 21, ScanKind::inclusive, method),
                    Error);
    CHECK_THROWS_AS(allocate_images<float>(device, 5, 5, 1, 4), Error);
}

TEST_CASE("scan: a few rows and a short vector", "[oclgrind][scan_tree.cl][scan_serial.cl]") {
    const auto device = limited_device([](DeviceLimits &limits) { limits.work_group_size = 32; });
    for (const ScanMethod method : scan_methods) {
        check_rows<float, float>(*device, 17, 3, 3, 1, ScanKind::exclusive, method);
        check_rows<std::uint8_t, std::uint32_t>(*device, 300, 3, 0, 0, ScanKind::inclusive, method);
        check_vector<std::int32_t>(*device, 8300, ScanKind::inclusive, method);
    }
}
