#include <bowhist/core/default_floats.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/device/device.hpp>
#include <bowhist/train/sample.hpp>
#include <bowhist/train/seeding.hpp>
#include <bowhist/train/train_launch.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace bowhist {
namespace {

constexpr std::size_t steps_at_once = 64; // queued between two checks for an interruption
constexpr std::size_t spare = 1024;       // numbers: with 2^24 rows, one draw in 2^16 is repeated

static_assert(CHOOSE_DRAWS == QuantizedRows::most_others);
static_assert(std::size_t{CHOOSE_BLOCK} == QuantizedRows::block);
static_assert(QuantizedRows::chunk % CHOOSE_GROUP == 0);

} // namespace

bool can_choose(const Device &device, std::size_t dimensions) {
    const std::size_t floats = CHOOSE_DRAWS * (dimensions + CHOOSE_GROUP) + 4UL * CHOOSE_GROUP;
    return floats * sizeof(float) <= device.limits().local_bytes &&
           CHOOSE_GROUP <= device.limits().work_group_size;
}

std::vector<std::size_t> choose_on_device(Device &device, const QuantizedRows &rows, std::size_t k,
                                          std::uint64_t seed, Observer &observer) {
    const DefaultFloats floats; // an OpenCL implementation may use the caller's state
    std::mt19937_64 engine(seed);
    const std::size_t draws = draws_for(k);
    const std::string options = fmt::format("-DDIMENSIONS={}", rows.dimensions());
    Kernel draw = device.kernel("choose_rows.cl", "draw_rows", options);
    Kernel compare = device.kernel("choose_rows.cl", "compare_rows", options);
    Kernel lower = device.kernel("choose_rows.cl", "lower_rows", options);
    const std::size_t padded = rows.padded();
    const std::size_t chunks = padded / CHOOSE_GROUP;
    const auto values = uploaded(device, rows.values());
    const auto squares = uploaded(device, rows.squares());
    const auto nearest = device.allocate<float>(padded);
    device.fill<float>(nearest, 0, padded);
    device.fill<float>(nearest, QuantizedRows::above_all, rows.size());
    const auto distances = device.allocate<float>(padded * CHOOSE_DRAWS);
    const auto potentials = device.allocate<cl_ulong>(chunks);
    const auto chosen = device.allocate<cl_uint>(k);
    const auto state = device.allocate<cl_uint>(CHOOSE_STATE);
    device.fill<cl_uint>(state, 0, state.size);

    const std::vector<cl_uint> first(CHOOSE_DRAWS,
                                     static_cast<cl_uint>(draw_below(engine, rows.size())));
    const auto drawn = uploaded<cl_uint>(device, first);
    std::vector<cl_ulong> numbers(k * draws + spare);
    std::ranges::generate(numbers, engine);
    const auto numbers_there = uploaded<cl_ulong>(device, numbers);
    for (std::size_t step = 0; step < k; ++step) {
        if (step > 0)
            device.launch(draw, {CHOOSE_GROUP, 1}, {CHOOSE_GROUP, 1}, potentials,
                          static_cast<cl_uint>(chunks), static_cast<cl_uint>(rows.size()), nearest,
                          numbers_there, static_cast<cl_uint>(draws), drawn, state);
        device.launch(compare, {padded, 1}, {CHOOSE_GROUP, 1}, values, squares, nearest, drawn,
                      distances, state);
        device.launch(lower, {padded, 1}, {CHOOSE_GROUP, 1}, drawn, distances, nearest, potentials,
                      chosen, static_cast<cl_uint>(step), state);
        if (step % steps_at_once != 0 && step + 1 < k) continue;
        device.drop_launches();
        observer.stop_if_interrupted();
        observer.progress("starting words", step + 1, k);
    }
    const std::vector<cl_uint> found = downloaded(device, chosen);
    if (std::ranges::max(found) >= rows.size())
        throw Error(Fault::device, fmt::format("{} chooses a row that does not exist: a kernel is "
                                               "broken; use --kernel simd",
                                               device.info().name));
    return {found.begin(), found.end()};
}

} // namespace bowhist
