// The device's answers are compared with the host's bit for bit, zeros' signs included.

#include <bowhist/core/default_floats.hpp>
#include <bowhist/device/device.hpp>
#include <bowhist/device/premises.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

namespace bowhist {

#include <device/probe_launch.h> // of cl/: the kernels read the same file

namespace {

constexpr std::size_t n = PROBE_PAIRS;

class Draw {
  public:
    /// In [0, below).
    std::uint32_t number(std::uint32_t below) {
        state_ = NEXT_NUMBER(state_);
        return static_cast<std::uint32_t>((std::uint64_t{state_} * below) >> 32);
    }

    /// A number of either sign, with an exponent of at least `least` and below it plus `span`.
    /// Significands are of 1 to `bits` bits, so that sums and products often lie halfway between
    /// two numbers.
    double value(int bits, int least, int span) {
        const int kept = 1 + static_cast<int>(number(static_cast<std::uint32_t>(bits)));
        const double fraction = std::ldexp(number(~0U), -32) + std::ldexp(number(~0U), -64);
        const double significand = std::ldexp(std::floor(std::ldexp(1 + fraction, kept)), -kept);
        const double sign = number(2) == 0 ? 1 : -1;
        const int exponent = least + static_cast<int>(number(static_cast<std::uint32_t>(span)));
        return sign * std::ldexp(significand, exponent);
    }

  private:
    std::uint32_t state_ = 1;
};

template <typename Float>
std::vector<Float> draw(std::size_t count, int least, int span) {
    constexpr int bits = std::numeric_limits<Float>::digits - 1;
    Draw draw;
    std::vector<Float> values(count);
    for (Float &value : values) value = static_cast<Float>(draw.value(bits, least, span));
    return values;
}

template <typename T>
bool same_bits(std::span<const T> a, std::span<const T> b) {
    return std::ranges::equal(std::as_bytes(a), std::as_bytes(b));
}

/// A device's answers to float32 operands beside the host's.
struct Float32Answers {
    std::vector<float> expected, found;
    std::vector<cl_long> expected_integers, found_integers;

    bool same(std::size_t first, std::size_t count) const {
        return same_bits(std::span(expected).subspan(first * n, count * n),
                         std::span(found).subspan(first * n, count * n));
    }
};

Float32Answers ask_float32(Device &device, const std::vector<float> &operands) {
    Float32Answers answers;
    const auto append = [&](auto operation) {
        for (std::size_t i = 0; i < n; ++i)
            answers.expected.push_back(
                operation(operands[i], operands[n + i], operands[2 * n + i]));
    };
    append([](float a, float b, float) { return a + b; });
    append([](float a, float b, float) { return a - b; });
    append([](float a, float b, float) { return a * b; });
    append([](float a, float b, float c) { return a * b + c; });
    for (std::size_t i = 0; i < n; ++i)
        answers.expected_integers.push_back(std::llrint(operands[i]));
    Kernel kernel = device.kernel("probe_float32.cl", "probe_float32");
    const auto results = device.allocate<float>(FLOAT32_RESULTS * n);
    const auto integers = device.allocate<cl_long>(n);
    device.launch(kernel, {n, 1}, {1, 1}, uploaded(device, operands), static_cast<cl_uint>(n),
                  results, integers);
    answers.found = downloaded(device, results);
    answers.found_integers = downloaded(device, integers);
    return answers;
}

bool keeps_float64(Device &device) {
    const std::vector<double> operands = draw<double>(3 * n, -20, 60);
    const std::vector<float> floats = draw<float>(n, -150, 60); // subnormals among them
    std::vector<double> expected;
    const auto append = [&](auto operation) {
        for (std::size_t i = 0; i < n; ++i)
            expected.push_back(operation(operands[i], operands[n + i], operands[2 * n + i]));
    };
    append([](double a, double b, double) { return a + b; });
    append([](double a, double b, double) { return a - b; });
    append([](double a, double b, double) { return a * b; });
    append([](double a, double b, double c) { return a * b + c; });
    append([](double a, double b, double) { return a / b; });
    append([](double a, double, double) { return std::sqrt(std::abs(a)); });
    expected.insert(expected.end(), floats.begin(), floats.end());
    append([](double a, double, double) {
        return static_cast<double>(std::bit_cast<std::int64_t>(a));
    });
    const std::vector<float> expected_narrowed(operands.begin(), operands.begin() + n);
    Kernel kernel = device.kernel("probe_float64.cl", "probe_float64");
    const auto results = device.allocate<double>(FLOAT64_RESULTS * n);
    const auto narrowed = device.allocate<float>(n);
    device.launch(kernel, {n, 1}, {1, 1}, uploaded(device, operands), uploaded(device, floats),
                  static_cast<cl_uint>(n), results, narrowed);
    return same_bits<double>(downloaded(device, results), expected) &&
           same_bits<float>(downloaded(device, narrowed), expected_narrowed);
}

/// How many of `outer` times `inner` steps the device took: found in the numbers that they make.
std::uint64_t steps_taken(Device &device, Kernel &kernel, cl_uint outer, cl_uint inner) {
    const auto last = device.allocate<cl_uint>(1);
    device.launch(kernel, {1, 1}, {1, 1}, outer, inner, last);
    const cl_uint found = downloaded(device, last)[0];
    const std::uint64_t wanted = std::uint64_t{outer} * inner;
    cl_uint number = 1;
    std::uint64_t first = wanted; // that leads to what was found; none: a number out of order
    for (std::uint64_t step = 0; step < wanted; ++step, number = NEXT_NUMBER(number))
        if (number == found) first = std::min(first, step);
    return number == found ? wanted : first == wanted ? 0 : first;
}

std::uint64_t loop_steps(Device &device) {
    constexpr cl_uint side = 1 << 10; // a nest of a million steps takes 5 ms on a GPU
    Kernel kernel = device.kernel("probe_loops.cl", "probe_loops");
    const auto nested = steps_taken(device, kernel, side, side);
    const auto flat = steps_taken(device, kernel, 1, side * side);
    const auto fewer = std::min(nested, flat);
    return fewer == side * side ? std::numeric_limits<std::uint64_t>::max() : fewer;
}

} // namespace

Premises measure_premises(Device &device) {
    const DefaultFloats floats;
    const auto normal = ask_float32(device, draw<float>(3 * n, -20, 40));
    const auto small = ask_float32(device, draw<float>(3 * n, -140, 80));
    Premises found;
    found.rounds_to_nearest =
        normal.same(0, 3) && normal.found_integers == normal.expected_integers;
    found.keeps_subnormals = small.same(0, 3);
    found.rounds_twice = normal.same(3, 1);
    found.float64 = !device.info().fp64 || keeps_float64(device);
    found.loop_steps = loop_steps(device);
    device.take_launches(); // none of a user's
    return found;
}

} // namespace bowhist
