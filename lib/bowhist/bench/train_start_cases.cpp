#include <bowhist/bench/cases.hpp>
#include <bowhist/bench/device_case.hpp>
#include <bowhist/bench/device_output.hpp>
#include <bowhist/bench/train_sample.hpp>
#include <bowhist/device/device.hpp>
#include <bowhist/train/device_seeding.hpp>
#include <bowhist/train/draw.hpp>
#include <bowhist/train/seeding.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace bowhist {
namespace {

/// What a start of k words does, to some descriptors, from a seed.
struct Task {
    const Descriptors &descriptors;
    std::size_t k;
    Start start;
    std::uint64_t seed;

    std::size_t compared() const {
        return start == Start::greedy ? descriptors.size()
                                      : std::min(sampled_among(k), descriptors.size());
    }
    /// The descriptors that words are chosen among: `drawn`, where they are a sample. A random
    /// start of so many words is such a sample.
    const Descriptors &among(Descriptors &drawn, Observer &observer) const {
        if (compared() == descriptors.size()) return descriptors;
        drawn = {descriptors.dimensions, start_centroids(RowsInMemory(descriptors), compared(),
                                                         Start::random, seed, observer)
                                             .values};
        return drawn;
    }
};

std::vector<float> values_of(const Descriptors &among, const std::vector<std::size_t> &rows) {
    std::vector<float> values;
    for (const std::size_t row : rows)
        values.insert(values.end(), among.row(row).begin(), among.row(row).end());
    return values;
}

std::vector<float> on_host(const Task &task, Observer &observer) {
    return start_centroids(RowsInMemory(task.descriptors), task.k, task.start, task.seed, observer)
        .values;
}

std::vector<float> on_device(const Task &task, Device &device, Observer &observer) {
    Descriptors drawn;
    const Descriptors &among = task.among(drawn, observer);
    return values_of(among,
                     choose_on_device(device, QuantizedRows(among), task.k, task.seed, observer));
}

/// Each row's squared distance, in whole numbers, to the nearest of those before and another.
std::vector<std::int64_t> lowered(const std::vector<std::int64_t> &nearest,
                                  const QuantizedRows &rows, std::size_t other) {
    constexpr std::size_t side_by_side = QuantizedRows::block;
    const std::size_t apart = side_by_side * rows.dimensions(); // blocks, whose rows are
    const std::int16_t *all = rows.values().data();
    const std::int16_t *its = all + other / side_by_side * apart + other % side_by_side;
    std::vector<std::int64_t> distances(nearest.size());
#pragma omp parallel for
    for (std::size_t first = 0; first < nearest.size(); first += side_by_side) {
        std::array<int, side_by_side> sums{}; // below 2^24
        const std::int16_t *values = all + first * rows.dimensions();
        for (std::size_t i = 0; i < apart; i += side_by_side)
            for (std::size_t row = 0; row < side_by_side; ++row)
                sums[row] += (values[i + row] - its[i]) * (values[i + row] - its[i]);
        for (std::size_t row = 0; row < side_by_side; ++row)
            distances[first + row] = std::min<std::int64_t>(nearest[first + row], sums[row]);
    }
    return distances;
}

/// Rows drawn with a probability in proportion to how far they are; any of n, where none is.
std::vector<std::size_t> draw(const std::vector<std::int64_t> &nearest, std::size_t n,
                              std::size_t draws, std::mt19937_64 &engine) {
    std::vector<std::int64_t> up_to(nearest.size());
    std::partial_sum(nearest.begin(), nearest.end(), up_to.begin());
    if (up_to.back() == 0) return {draw_below(engine, n)};
    std::vector<std::size_t> rows(draws);
    for (std::size_t &row : rows) {
        const auto target =
            static_cast<std::int64_t>(draw_below(engine, static_cast<std::uint64_t>(up_to.back())));
        row = static_cast<std::size_t>(std::ranges::upper_bound(up_to, target) - up_to.begin());
    }
    return rows;
}

/// Greedy k-means++ as seeding.hpp defines it, one centroid after another.
std::vector<float> by_definition(const Task &task, Observer &observer) {
    Descriptors sample;
    const Descriptors &among = task.among(sample, observer);
    const QuantizedRows rows(among);
    std::mt19937_64 engine(task.seed);
    std::vector<std::int64_t> nearest(rows.padded(), 0);
    std::fill_n(nearest.begin(), rows.size(), std::int64_t{1} << 24); // above all
    std::vector<std::size_t> drawn{draw_below(engine, rows.size())};
    std::vector<std::size_t> chosen;
    while (true) {
        observer.stop_if_interrupted();
        std::vector<std::vector<std::int64_t>> ways;
        for (const std::size_t row : drawn) ways.push_back(lowered(nearest, rows, row));
        const auto best = std::ranges::min_element(
            ways, {}, [](const auto &way) { return std::reduce(way.begin(), way.end()); });
        chosen.push_back(drawn[static_cast<std::size_t>(best - ways.begin())]);
        if (chosen.size() == task.k) return values_of(among, chosen);
        nearest = std::move(*best);
        drawn = draw(nearest, rows.size(), draws_for(task.k), engine);
    }
}

Work work_of(const Task &task) {
    const double floats = sizeof(float) * static_cast<double>(task.descriptors.dimensions);
    const auto rows = static_cast<double>(task.compared());
    const auto drawn = static_cast<double>(1 + (task.k - 1) * draws_for(task.k));
    return {.bytes_read = floats * rows,
            .bytes_written = floats * static_cast<double>(task.k),
            .operations = floats / 2 * rows * drawn};
}

/// A start of some of the descriptors, by a way that takes the task. However long a round takes,
/// there are two descriptors for each word, so that there is something to choose.
template <typename Way>
Case start_case(const Scene &scene, std::shared_ptr<const Descriptors> descriptors, Subject subject,
                Start start, const Way &way) {
    const auto observer = std::make_shared<Quiet>(scene.observer);
    const auto task_of = [k = subject.k, start,
                          seed = scene.request.synthetic.seed](const Descriptors &some) {
        return Task{some, k, start, seed};
    };
    if (scene.request.n == 0) {
        const auto time = [&](std::size_t rows) {
            const Descriptors some = repeated(*descriptors, rows);
            return time_on_host([&] { way(task_of(some), *observer); }).wall_seconds;
        };
        subject.n = fitting_rows(subject.n, time, std::max<std::size_t>(1024, 2 * subject.k));
    }
    if (subject.n < descriptors->size())
        descriptors = std::make_shared<const Descriptors>(repeated(*descriptors, subject.n));
    const Task task = task_of(*descriptors);
    const auto right = std::make_shared<std::vector<float>>(by_definition(task, *observer));
    const auto found = std::make_shared<std::vector<float>>(right->size());
    const auto output = std::make_shared<HostOutput<float>>(found, subject.d, right);
    const auto work = [=] { *found = way(task_of(*descriptors), *observer); };
    const Case row{subject, work_of(task)};
    if (subject.place == Place::host) return host_case(scene, row, work, output);
    Case there = device_case(row, scene.device, work, output);
    there.run = [work] { return time_on_host(work); }; // the host queues it step by step
    return there;
}

} // namespace

std::vector<Case> train_start_cases(const Scene &scene, std::size_t k) {
    const auto descriptors = std::make_shared<const Descriptors>(train_descriptors(scene));
    std::vector<Case> cases;
    for (const Start start : {Start::sampled, Start::greedy}) {
        const auto subject = [&](Place place, const char *suffix) {
            return Subject{"train-start",
                           fmt::format("{}-{}", name_of(start), suffix),
                           place,
                           name_of_place(scene, place),
                           descriptors->size(),
                           k,
                           descriptors->dimensions};
        };
        const Subject here = subject(Place::host, "host");
        const Subject there = subject(Place::device, "device");
        if (descriptors->size() < k) {
            cases.push_back(not_here(here, too_few_descriptors));
            continue;
        }
        cases.push_back(start_case(scene, descriptors, here, start, on_host));
        if (!scene.device)
            cases.push_back(not_here(there, "there is no OpenCL device"));
        else if (!can_choose(*scene.device, there.d))
            cases.push_back(not_here(there, "its work-groups or its local memory are too small"));
        else
            cases.push_back(prepared(there, [&] {
                return start_case(scene, descriptors, there, start,
                                  [device = scene.device](const Task &task, Observer &observer) {
                                      return on_device(task, *device, observer);
                                  });
            }));
    }
    return cases;
}

} // namespace bowhist
