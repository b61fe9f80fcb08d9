#include <bowhist/train/seeding.hpp>

#include <bowhist/core/default_floats.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/device/device.hpp>
#include <bowhist/device/opencl.hpp>
#include <bowhist/train/sample.hpp>
#include <bowhist/train/train_launch.hpp>

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <span>
#include <string_view>
#include <unordered_set>

namespace bowhist {
namespace {

/// The centroids so far, and the distance of each row to the nearest of them. All members of a team
/// have the same rows, and each knows the distances of its range of chunks.
class Seeding {
  public:
    Seeding(const QuantizedRows &rows, std::uint64_t seed, Team &team)
        : rows_(rows), engine_(seed), team_(team), nearest_(rows_.padded(), 0),
          distances_(rows_.chunks() * QuantizedRows::distances_of_chunk), gains_(rows_.chunks()),
          potentials_(rows_.chunks()) {
        std::fill_n(nearest_.begin(), rows_.size(), QuantizedRows::above_all);
        for (std::size_t row = 0; row < rows_.size(); row += QuantizedRows::chunk)
            potentials_[row / QuantizedRows::chunk] =
                std::min(QuantizedRows::chunk, rows_.size() - row) *
                static_cast<std::uint64_t>(QuantizedRows::above_all);
    }

    void first() { choose({draw_below(engine_, rows_.size())}); }
    void next(std::size_t draws) { choose(draw_rows(draws)); }

    const std::vector<std::size_t> &chosen() const { return chosen_; }

  private:
    /// This member's range of chunks.
    tbb::blocked_range<std::size_t> chunks() const {
        const ShardRange share = share_of(team_, rows_.chunks());
        return {share.first, share.last};
    }
    float *nearest_of(std::size_t chunk) { return nearest_.data() + chunk * QuantizedRows::chunk; }
    float *distances_of(std::size_t chunk) {
        return distances_.data() + chunk * QuantizedRows::distances_of_chunk;
    }

    /// Makes the best of the drawn rows the next centroid, of equal ones the first.
    void choose(const std::vector<std::size_t> &drawn) {
        compare(QuantizedRows::Others(rows_, drawn));
        QuantizedRows::Gains all{};
        for (const QuantizedRows::Gains &some : gains_)
            std::ranges::transform(all, some, all.begin(), std::plus{});
        const auto best = std::ranges::max_element(all) - all.begin();
        const auto other = std::min(static_cast<std::size_t>(best), drawn.size() - 1);
        tbb::parallel_for(chunks(), [&](const auto &range) {
            for (std::size_t c = range.begin(); c < range.end(); ++c)
                QuantizedRows::lower(distances_of(c), other, nearest_of(c));
        });
        for (std::size_t c = 0; c < gains_.size(); ++c) potentials_[c] -= gains_[c].at(other);
        chosen_.push_back(drawn[other]);
    }

    /// Computes how much each row would lower the squared distances of each chunk, for all members.
    void compare(const QuantizedRows::Others &others) {
        std::ranges::fill(gains_, QuantizedRows::Gains{});
        tbb::parallel_for(chunks(), [&](const auto &range) {
            for (std::size_t c = range.begin(); c < range.end(); ++c)
                gains_[c] = rows_.compare(c, others, nearest_of(c), distances_of(c));
        });
        team_.sum(std::span(gains_.front().data(), gains_.size() * QuantizedRows::most_others));
    }

    /// Draws with a probability in proportion to the squared distances so far.
    std::vector<std::size_t> draw_rows(std::size_t draws) {
        const auto total = std::reduce(potentials_.begin(), potentials_.end(), std::uint64_t{0});
        // all distances round to 0: any descriptor may be next
        if (total == 0) return {draw_below(engine_, rows_.size())};
        std::vector<std::size_t> drawn(draws);
        for (std::size_t &row : drawn) row = row_at(draw_below(engine_, total));
        team_.sum(drawn);
        return drawn;
    }

    /// The first row up to which the squared distances sum up to more than `target`; 0 where
    /// another member has it.
    std::size_t row_at(std::uint64_t target) const {
        std::size_t chunk = 0;
        while (potentials_[chunk] <= target) target -= potentials_[chunk++];
        if (chunk < chunks().begin() || chunk >= chunks().end()) return 0;
        std::size_t row = chunk * QuantizedRows::chunk;
        while (static_cast<std::uint64_t>(nearest_[row]) <= target)
            target -= static_cast<std::uint64_t>(nearest_[row++]);
        return row;
    }

    const QuantizedRows &rows_;
    std::mt19937_64 engine_; ///< of all members alike
    Team &team_;
    std::vector<float> nearest_;   ///< each row's squared distance to the nearest centroid so far
    std::vector<float> distances_; ///< of all rows to those that were drawn last
    std::vector<QuantizedRows::Gains> gains_; ///< of each chunk, by those that were drawn last
    std::vector<std::uint64_t> potentials_;   ///< of each chunk: the sum of the nearest
    std::vector<std::size_t> chosen_;
};

/// @param most  0: all
Descriptors draw(const DescriptorRows &rows, std::size_t most, std::uint64_t seed) {
    constexpr std::uint64_t other_draws = 0x9E3779B97F4A7C15; // than of the descriptors themselves
    DescriptorSample sample(most, seed ^ other_draws);
    sample.reserve((most == 0 ? rows.size() : std::min(most, rows.size())) * rows.dimensions());
    rows.read(
        [&](std::size_t, std::span<const float> values) { sample.add(values, rows.dimensions()); });
    return std::move(sample).take();
}

std::vector<std::size_t> choose(const QuantizedRows &rows, std::size_t k, std::uint64_t seed,
                                Observer &observer, Team &team) {
    Seeding seeding(rows, seed, team);
    seeding.first();
    for (std::size_t j = 1; j < k; ++j) {
        observer.stop_if_interrupted();
        seeding.next(draws_for(k));
        observer.progress("starting words", j + 1, k);
    }
    return seeding.chosen();
}

/// Its launches take some microseconds a centroid, however few rows there are.
bool device_pays(const Device *device, const QuantizedRows &rows, std::size_t k) {
    return device != nullptr && device->overlaps() && can_choose(*device, rows.dimensions()) &&
           rows.size() * k >= std::size_t{1} << 25;
}

std::vector<std::size_t> choose_anywhere(const QuantizedRows &rows, std::size_t k,
                                         std::uint64_t seed, Observer &observer, Device *device) {
    if (device_pays(device, rows, k)) {
        try {
            return choose_on_device(*device, rows, k, seed, observer);
        } catch (const OutOfMemory &) { // the host has room
        } catch (const BuildFailure &) {
            if (device->has_own_kernels()) throw;
        }
    }
    return choose(rows, k, seed, observer, one_process());
}

Vocabulary rows_at(const std::vector<std::size_t> &numbers, const Descriptors &descriptors) {
    Vocabulary centroids{descriptors.dimensions, {}};
    for (const std::size_t row : numbers) {
        const auto values = descriptors.row(row);
        centroids.values.insert(centroids.values.end(), values.begin(), values.end());
    }
    return centroids;
}

Vocabulary greedy(const Descriptors &descriptors, std::size_t k, std::uint64_t seed,
                  Observer &observer, Device *device) {
    return rows_at(choose_anywhere(QuantizedRows(descriptors), k, seed, observer, device),
                   descriptors);
}

/// The first k rows that differ; if there are fewer, others follow them.
Vocabulary first_distinct(const Descriptors &rows, std::size_t k) {
    std::unordered_set<std::string_view> known;
    std::vector<std::size_t> chosen, repeated;
    for (std::size_t row = 0; row < rows.size() && chosen.size() < k; ++row) {
        const auto bytes = std::as_bytes(rows.row(row));
        const bool is_new =
            known.emplace(reinterpret_cast<const char *>(bytes.data()), bytes.size()).second;
        (is_new ? chosen : repeated).push_back(row);
    }
    chosen.insert(chosen.end(), repeated.begin(),
                  repeated.begin() + static_cast<std::ptrdiff_t>(k - chosen.size()));
    Vocabulary words{rows.dimensions, {}};
    words.values.reserve(k * rows.dimensions);
    for (const std::size_t row : chosen)
        words.values.insert(words.values.end(), rows.row(row).begin(), rows.row(row).end());
    return words;
}

} // namespace

std::string_view name_of(Start start) {
    constexpr std::array<std::string_view, starts.size()> names = {"sampled", "greedy", "random"};
    return names.at(static_cast<std::size_t>(start));
}

std::size_t draws_for(std::size_t k) {
    return std::min(QuantizedRows::most_others, 2 + static_cast<std::size_t>(std::log(k)));
}

std::size_t sampled_among(std::size_t k) {
    if (k > most_drawn_words) return k + k / 8;
    return std::clamp<std::size_t>(std::size_t{1} << 16, 8 * k, 32 * k);
}

Vocabulary start_centroids(const DescriptorRows &rows, std::size_t k, Start start,
                           std::uint64_t seed, Observer &observer, Device *device) {
    if (start == Start::random) return {rows.dimensions(), draw(rows, k, seed).values};
    const std::size_t enough = sampled_among(k);
    const bool all = start == Start::greedy || rows.size() <= enough;
    if (start == Start::sampled && k > most_drawn_words)
        return first_distinct(draw(rows, enough, seed), k);
    if (all && rows.in_memory() != nullptr)
        return greedy(*rows.in_memory(), k, seed, observer, device);
    return greedy(draw(rows, all ? 0 : enough, seed), k, seed, observer, device);
}

bool can_share_start(Start start, std::size_t k) {
    return start == Start::sampled && k <= most_drawn_words;
}

Descriptors start_sample(const DescriptorRows &rows, std::size_t k, std::uint64_t seed) {
    const std::size_t enough = sampled_among(k);
    const bool all = rows.size() <= enough;
    if (all && rows.in_memory() != nullptr) return *rows.in_memory();
    return draw(rows, all ? 0 : enough, seed);
}

Vocabulary shared_start(const Descriptors &sample, std::size_t k, std::uint64_t seed,
                        Observer &observer, Team &team) {
    return rows_at(choose(QuantizedRows(sample), k, seed, observer, team), sample);
}

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
