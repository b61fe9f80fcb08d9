#include "bench/cases/cases.hpp"
#include "bench/cases/train_search.hpp"
#include "bench/device_case.hpp"

#include <bowhist/assign/rule.hpp>
#include <bowhist/train/word_distances.hpp>

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>

namespace bowhist {
namespace {

using Sample = std::shared_ptr<const TrainSample>;

/// The work of one row, counted for n descriptors, k words and D dimensions.
using CountWork = Work (*)(double n, double k, double d);

Work read_work(double n, double /*k*/, double d) {
    return {.bytes_read = sizeof(float) * n * d, .operations = n * d};
}

Work update_work(double n, double k, double d) {
    return {.bytes_read = sizeof(float) * n * (d + 1),
            .bytes_written = sizeof(float) * k * d,
            .operations = (n + k) * d};
}

Work iteration_work(double n, double k, double d) {
    return {.bytes_read = sizeof(float) * (n + k) * d,
            .bytes_written = sizeof(float) * (n + k * d),
            .operations = 2 * n * k * d + (n + k) * d};
}

Work farthest_work(double n, double k, double d) {
    return {.bytes_read = sizeof(float) * (n * (d + 1) + k * d),
            .bytes_written = sizeof(float) * d,
            .operations = 3 * n * d};
}

Case row_of(const Sample &sample, const std::string &level, bool on_device, CountWork count) {
    const Subject subject = sample->problem->subject(level, on_device);
    return {subject, count(static_cast<double>(subject.n), static_cast<double>(subject.k),
                           static_cast<double>(subject.d))};
}

/// CentroidSums of the right words.
Case update_on_host(const Sample &sample) {
    const AssignProblem &problem = *sample->problem;
    const auto sums =
        std::make_shared<CentroidSums>(RowsInMemory(problem.descriptors()), problem.k());
    const auto before = std::make_shared<std::vector<std::int32_t>>(problem.most_rows(), -1);
    const auto output = std::make_shared<HostOutput<float>>(
        problem.dimensions(), Expected<float>(sample, &sample->centroids));
    const auto work = [=] {
        Vocabulary centroids = sample->problem->vocabulary();
        sums->clear();
        sums->add(sample->problem->descriptors().values, sample->words, *before);
        sums->finish();
        sums->move(centroids);
        output->found = std::move(centroids.values);
    };
    return host_case(row_of(sample, "update-host", false, update_work), work, output);
}

/// The sum of the floats' bits.
std::uint32_t sum_of_bits(std::span<const float> values) {
    return std::transform_reduce(values.begin(), values.end(), std::uint32_t{0}, std::plus{},
                                 [](float value) { return std::bit_cast<std::uint32_t>(value); });
}

/// One read of the descriptors, the least that an update takes.
Case read_on_host(const Sample &sample) {
    const auto right = std::make_shared<std::vector<std::uint32_t>>(
        1, sum_of_bits(sample->problem->descriptors().values));
    const auto output = std::make_shared<HostOutput<std::uint32_t>>(1, right);
    const auto work = [=] {
        const std::span<const float> values = sample->problem->descriptors().values;
        const tbb::blocked_range<std::size_t> all(0, values.size(), std::size_t{1} << 16);
        output->found.front() = tbb::parallel_reduce(
            all, std::uint32_t{0},
            [=](const auto &range, std::uint32_t sum) {
                return sum + sum_of_bits(values.subspan(range.begin(), range.size()));
            },
            std::plus{});
    };
    return host_case(row_of(sample, "read-host", false, read_work), work, output);
}

/// An iteration by the level and, on a device, the update in it.
std::vector<Case> level_cases(const Scene &scene, const Sample &sample, const Level &level) {
    const Case whole = row_of(sample, std::string(level.id), level.on_device, iteration_work);
    if (const auto obstacle = level.obstacle(scene.device.get(), whole.subject.d, whole.subject.k))
        return {not_here(whole.subject, *obstacle)};
    const auto right = std::make_shared<std::vector<std::uint32_t>>(
        sample->bits(sample->words, sample->centroids, sample->found));
    right->insert(right->end(), {0, 0}); // see first_iteration()
    std::shared_ptr<TrainSearch> search;
    const auto timed = [&](Case row, bool update) {
        const auto output = std::make_shared<HostOutput<std::uint32_t>>(1, right);
        const auto work = [=] { output->found = search->first_iteration(); };
        row = level.on_device ? device_case(row, scene.device, work, output)
                              : host_case(row, work, output);
        row.run = [=, seen = std::size_t{0}]() mutable { return search->time(update, seen); };
        if (update) return row;
        row.check = [=, check = row.check] {
            Findings findings = check();
            findings.unproven = search->unproven();
            return findings;
        };
        return row;
    };
    Case iteration = prepared(whole.subject, [&] {
        search = std::make_shared<TrainSearch>(scene, sample, level);
        if (level.on_device && !search->on_device())
            return not_here(
                whole.subject,
                "its groups are small, it flushes subnormals or has no room, so the host adds up");
        return timed(whole, false);
    });
    iteration.matrix_units = level.matrix_units;
    iteration.passes_roof = level.passes_roof;
    if (!iteration.run || !level.on_device) return {iteration};
    return {iteration,
            timed(row_of(sample, "update-" + std::string(level.id), true, update_work), true)};
}

/// The descriptor that is farthest from its word.
std::vector<float> farthest_by_definition(const TrainSample &sample) {
    const Descriptors &rows = sample.problem->descriptors();
    double farthest = -1;
    std::size_t found = 0;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const auto word = static_cast<std::size_t>(sample.words[row]);
        const double distance =
            squared_distance(rows.row(row), sample.problem->vocabulary().row(word));
        if (distance > farthest) found = row;
        farthest = std::max(farthest, distance);
    }
    return {rows.row(found).begin(), rows.row(found).end()};
}

/// The search for the descriptor that an empty word is moved to, by the host and by the device.
std::vector<Case> farthest_cases(const Scene &scene, const Sample &sample) {
    const auto output = std::make_shared<HostOutput<float>>(
        sample->problem->dimensions(),
        std::make_shared<std::vector<float>>(farthest_by_definition(*sample)));
    const auto on_host = [=] {
        const AssignProblem &its = *sample->problem;
        output->found =
            farthest(RowsInMemory(its.descriptors()), sample->words, its.vocabulary(), 1).values;
    };
    const Case here =
        host_case(row_of(sample, "farthest-host", false, farthest_work), on_host, output);
    const Case there = row_of(sample, "farthest-device", true, farthest_work);
    const auto obstacle_of = [&](std::string_view level) {
        return find_level(level).obstacle(scene.device.get(), there.subject.d, there.subject.k);
    };
    const Level &finder = find_level(obstacle_of("gpu6") ? "gpu1" : "gpu6"); // of the words
    if (const auto obstacle = obstacle_of(finder.id))
        return {here, not_here(there.subject, *obstacle)};
    return {here, prepared(there.subject, [&] {
                const auto search = std::make_shared<TrainSearch>(scene, sample, finder);
                search->find_words();
                return device_case(
                    there, scene.device, [=] { output->found = search->farthest(); }, output,
                    [=] { search->find_words(); });
            })};
}

} // namespace

std::vector<Case> train_iteration_cases(const Scene &scene) {
    if (scene.most_rows() < scene.k)
        return {
            not_here({.level = "all", .place = Place::host, .n = scene.most_rows(), .k = scene.k},
                     too_few_descriptors)};
    const auto sample = make_train_sample(scene);
    std::vector<Case> cases{read_on_host(sample), update_on_host(sample)};
    for (const Level &level : levels())
        if (scene.request.wants(level.id, !level.is_reference && !level.takes_group))
            std::ranges::move(level_cases(scene, sample, level), std::back_inserter(cases));
    std::ranges::move(farthest_cases(scene, sample), std::back_inserter(cases));
    return cases;
}

} // namespace bowhist
