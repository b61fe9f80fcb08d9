#include <bowhist/assign/level.hpp>
#include <bowhist/bench/cases.hpp>
#include <bowhist/bench/device_case.hpp>
#include <bowhist/bench/device_output.hpp>
#include <bowhist/bench/train_cases.hpp>
#include <bowhist/device/device.hpp>
#include <bowhist/train/device_word_search.hpp>

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>

namespace bowhist {
namespace {

Work read_work(const Subject &subject) {
    const auto floats = static_cast<double>(subject.n * subject.d);
    return {.bytes_read = sizeof(float) * floats, .operations = floats};
}

Work update_work(const Subject &subject) {
    const auto n = static_cast<double>(subject.n);
    const auto k = static_cast<double>(subject.k);
    const auto d = static_cast<double>(subject.d);
    return {.bytes_read = sizeof(float) * n * (d + 1),
            .bytes_written = sizeof(float) * k * d,
            .operations = (n + k) * d};
}

Work iteration_work(const Subject &subject) {
    const auto n = static_cast<double>(subject.n);
    const auto k = static_cast<double>(subject.k);
    const auto d = static_cast<double>(subject.d);
    return {.bytes_read = sizeof(float) * (n + k) * d,
            .bytes_written = sizeof(float) * (n + k * d),
            .operations = 2 * n * k * d + (n + k) * d};
}

std::uint32_t differences(const std::vector<std::int32_t> &a, const std::vector<std::int32_t> &b) {
    return std::transform_reduce(a.begin(), a.end(), b.begin(), std::uint32_t{0}, std::plus{},
                                 std::not_equal_to{});
}

/// A training's search by a level, and what an iteration of it leaves.
class Search {
  public:
    Search(const Scene &scene, std::shared_ptr<const TrainSample> sample, const Level &level)
        : sample_(std::move(sample)), rows_(sample_->problem->descriptors()),
          sums_(rows_, sample_->problem->k()), observer_(scene.observer),
          level_(training_level(scene, level)) {
        renew();
    }

    bool adds_up_on_device() const {
        return dynamic_cast<DeviceWordSearch *>(search_.get()) != nullptr;
    }

    /// The level's latest iteration, or the update's share of it. Both rows of a round share one
    /// iteration: a row that has `seen` the latest makes the next.
    RoundTime time(bool update, std::size_t &seen) {
        if (seen == runs_) {
            search_->replace(start());
            const AssignmentReport before = search_->report();
            iteration_ = time_on_host([&] { iterate(); });
            if (level_.device()) note_times(before, search_->report());
            ++runs_;
        }
        seen = runs_;
        return update ? update_ : iteration_;
    }

    /// An iteration of a search that has found nothing before. Then two numbers that should be 0:
    /// by how many the next search miscounts the words that are others than before, and how many it
    /// finds differently when the host hands it the same centroids.
    std::vector<std::uint32_t> first_iteration() {
        renew();
        iterate();
        unproven_ = search_->report().unproven;
        const std::vector<std::int32_t> first = search_->words();
        auto found = sample_->bits(first, search_->vocabulary().values, found_);
        const std::uint64_t moved = search_->run(sums_).moved;
        const std::vector<std::int32_t> second = search_->words();
        search_->replace(search_->vocabulary());
        search_->run(sums_);
        found.push_back(static_cast<std::uint32_t>(moved) - differences(first, second));
        found.push_back(differences(second, search_->words()));
        return found;
    }

    /// Descriptors that the rule decided in the first iteration.
    std::uint64_t unproven() const { return unproven_; }

  private:
    const Vocabulary &start() const { return sample_->problem->vocabulary(); }

    void renew() {
        search_.reset(); // it may fill the device's memory
        search_ = make_word_search(rows_, level_, start(), observer_, true);
    }

    void iterate() {
        found_ = search_->run(sums_);
        search_->move(sums_);
    }

    void note_times(const AssignmentReport &before, const AssignmentReport &after) {
        iteration_.seconds = after.device_seconds - before.device_seconds;
        // What it packs for the next iteration may take longer than the call.
        iteration_.wall_seconds = std::max(iteration_.wall_seconds, iteration_.seconds);
        update_ = {0, iteration_.wall_seconds};
        for (const char *kernel : {"scan_rows", "order_by_word", "sum_by_word", "move_words"})
            for (const auto &[report, sign] : {std::pair{&after, 1}, std::pair{&before, -1}})
                if (const auto found = report->kernels.find(kernel); found != report->kernels.end())
                    update_.seconds += sign * found->second.seconds;
    }

    std::shared_ptr<const TrainSample> sample_;
    RowsInMemory rows_;
    CentroidSums sums_;
    Observer &observer_;
    LevelChoice level_;
    std::unique_ptr<WordSearch> search_;
    Iteration found_;
    std::uint64_t unproven_ = 0;
    std::size_t runs_ = 0; ///< timed ones
    RoundTime iteration_;  ///< of the latest
    RoundTime update_;
};

/// CentroidSums with the right words.
Case update_on_host(const Scene &scene, const std::shared_ptr<const TrainSample> &sample) {
    const AssignProblem &problem = *sample->problem;
    const Subject subject = iteration_subject(scene, problem, "update-host", Place::host);
    const auto sums =
        std::make_shared<CentroidSums>(RowsInMemory(problem.descriptors()), subject.k);
    const auto before = std::make_shared<std::vector<std::int32_t>>(subject.n, -1);
    const auto moved = std::make_shared<std::vector<float>>(subject.k * subject.d);
    const auto work = [=] {
        Vocabulary centroids = sample->problem->vocabulary();
        sums->clear();
        sums->add(sample->problem->descriptors().values, sample->words, *before);
        sums->finish();
        sums->move(centroids);
        *moved = std::move(centroids.values);
    };
    return host_case(
        scene, {subject, update_work(subject)}, work,
        std::make_shared<HostOutput<float>>(
            moved, subject.d, HostOutput<float>::Expected(sample, &sample->centroids)));
}

/// The sum of the floats' bits.
std::uint32_t sum_of_bits(std::span<const float> values) {
    return std::transform_reduce(values.begin(), values.end(), std::uint32_t{0}, std::plus{},
                                 [](float value) { return std::bit_cast<std::uint32_t>(value); });
}

/// One read of the descriptors, which an update is measured by.
Case read_on_host(const Scene &scene, const std::shared_ptr<const TrainSample> &sample) {
    const Subject subject = iteration_subject(scene, *sample->problem, "read-host", Place::host);
    const auto found = std::make_shared<std::vector<std::uint32_t>>(1);
    const auto work = [=] {
        const std::span<const float> values = sample->problem->descriptors().values;
        const tbb::blocked_range<std::size_t> all(0, values.size(), std::size_t{1} << 16);
        found->front() = tbb::parallel_reduce(
            all, std::uint32_t{0},
            [=](const auto &range, std::uint32_t sum) {
                return sum + sum_of_bits(values.subspan(range.begin(), range.size()));
            },
            std::plus{});
    };
    const auto right = std::make_shared<std::vector<std::uint32_t>>(
        1, sum_of_bits(sample->problem->descriptors().values));
    return host_case(scene, {subject, read_work(subject)}, work,
                     std::make_shared<HostOutput<std::uint32_t>>(found, 1, right));
}

/// An iteration by the level and, on a device, the update in it.
std::vector<Case> level_cases(const Scene &scene, const std::shared_ptr<const TrainSample> &sample,
                              const Level &level) {
    const Place place = level.on_device ? Place::device : Place::host;
    const AssignProblem &problem = *sample->problem;
    const auto right = std::make_shared<std::vector<std::uint32_t>>(
        sample->bits(sample->words, sample->centroids, sample->found));
    right->insert(right->end(), {0, 0}); // as first_iteration() has them
    std::shared_ptr<Search> search;
    const auto timed = [&](Case row, bool update) {
        const auto found = std::make_shared<std::vector<std::uint32_t>>(right->size());
        const auto output = std::make_shared<HostOutput<std::uint32_t>>(found, 1, right);
        const auto work = [=] { *found = search->first_iteration(); };
        row = level.on_device ? device_case(row, scene.device, work, output)
                              : host_case(scene, row, work, output);
        row.run = [=, seen = std::size_t{0}]() mutable { return search->time(update, seen); };
        if (update) return row;
        row.check = [=, check = row.check] {
            Findings findings = check();
            findings.unproven = search->unproven();
            return findings;
        };
        return row;
    };
    const Subject whole = iteration_subject(scene, problem, std::string(level.id), place);
    if (const auto obstacle = level.obstacle(scene.device.get(), whole.d, whole.k))
        return {not_here(whole, *obstacle)};
    const Case iteration = prepared(whole, [&] {
        search = std::make_shared<Search>(scene, sample, level);
        if (level.on_device && !search->adds_up_on_device())
            return not_here(
                whole,
                "its groups are small, it flushes subnormals or has no room, so the host adds up");
        Case row{whole, iteration_work(whole), level.matrix_units};
        row.passes_roof = level.passes_roof;
        return timed(row, false);
    });
    if (!iteration.run || !level.on_device) return {iteration};
    const Subject part =
        iteration_subject(scene, problem, fmt::format("update-{}", level.id), place);
    return {iteration, timed({part, update_work(part)}, true)};
}

} // namespace

Subject iteration_subject(const Scene &scene, const AssignProblem &problem, const std::string &row,
                          Place place) {
    return {"train-iteration",
            row,
            place,
            name_of_place(scene, place),
            problem.most_rows(),
            problem.k(),
            problem.dimensions()};
}

LevelChoice training_level(const Scene &scene, const Level &level) {
    return choice_of(level, scene.device,
                     {.threads = scene.request.threads, .observer = &scene.observer});
}

std::vector<Case> train_iteration_cases(const Scene &scene, std::size_t k) {
    if (scene.most_rows() < k)
        return {not_here({"train-iteration", "all", Place::host, name_of_place(scene, Place::host),
                          scene.most_rows(), k},
                         too_few_descriptors)};
    const auto sample = make_train_sample(scene, k);
    std::vector<Case> cases{read_on_host(scene, sample), update_on_host(scene, sample)};
    for (const Level &level : levels())
        if (scene.request.wants(level.id, !level.is_reference && !level.takes_group))
            std::ranges::move(level_cases(scene, sample, level), std::back_inserter(cases));
    std::ranges::move(farthest_cases(scene, sample), std::back_inserter(cases));
    return cases;
}

} // namespace bowhist
