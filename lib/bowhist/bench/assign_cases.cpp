#include <bowhist/assign/level.hpp>
#include <bowhist/assign/rule.hpp>
#include <bowhist/bench/cases.hpp>
#include <bowhist/bench/peaks.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/device/build_failure.hpp>
#include <bowhist/device/device.hpp>

#include <algorithm>

namespace bowhist {
namespace {

constexpr std::size_t rule_slice = 4096;  // rows that the rule decides between two looks at Ctrl-C
constexpr std::size_t first_probe = 1024; // descriptors
constexpr std::size_t probe_growth = 4;

/// What all rows of the table share: the data, and what the rule says of it.
class Problem {
  public:
    Problem(const Scene &scene, std::size_t k);

    std::size_t k() const { return vocabulary_.size(); }
    std::size_t dimensions() const { return vocabulary_.dimensions; }
    std::size_t most_rows() const { return descriptors_.size(); }
    const Vocabulary &vocabulary() const { return vocabulary_; }
    Batch batch(std::size_t rows) const {
        return {std::span(descriptors_.values).first(rows * dimensions()), {}, 1};
    }

    /// Of the words of the first rows, those that are not the rule's.
    std::uint64_t mismatches(std::span<const std::int32_t> words);

  private:
    /// Makes the rule decide so many rows, on all cores; each once, whatever asks for it.
    void decide(std::size_t rows);

    const Observer &observer_;
    Vocabulary vocabulary_;
    Descriptors descriptors_;
    std::vector<std::int32_t> by_rule_;
};

Problem::Problem(const Scene &scene, std::size_t k) : observer_(scene.observer) {
    const BenchRequest &request = scene.request;
    const std::size_t rows = scene.most_rows();
    if (request.data.size() > 0) {
        vocabulary_ = request.vocabulary.size() > 0
                          ? request.vocabulary
                          : rows_as_vocabulary(request.data, k, request.synthetic.seed);
        descriptors_ = repeated(request.data, rows);
        return;
    }
    vocabulary_ = request.vocabulary.size() > 0
                      ? request.vocabulary
                      : synthetic_vocabulary(request.synthetic, k, request.dimensions);
    descriptors_ = synthetic_descriptors(request.synthetic, rows, vocabulary_.dimensions);
    plant_near_ties(request.synthetic, vocabulary_, descriptors_);
}

void Problem::decide(std::size_t rows) {
    std::size_t first = by_rule_.size();
    by_rule_.resize(std::max(rows, first));
    for (; first < rows; first += rule_slice) {
        observer_.stop_if_interrupted();
        const std::size_t last = std::min(first + rule_slice, rows);
#pragma omp parallel for
        for (std::size_t row = first; row < last; ++row)
            by_rule_[row] = nearest(descriptors_.row(row), vocabulary_);
    }
}

std::uint64_t Problem::mismatches(std::span<const std::int32_t> words) {
    decide(words.size());
    std::uint64_t count = 0;
    for (std::size_t row = 0; row < words.size(); ++row)
        count += words[row] != by_rule_[row] ? 1 : 0;
    return count;
}

/// A level at work on its share of the problem. Its words are its own, and no words (-1) before
/// each round: an assigner gives new ones.
class Runner : public Output {
  public:
    Runner(std::shared_ptr<Problem> problem, const Level &level, std::unique_ptr<Assigner> assigner)
        : problem_(std::move(problem)), on_device_(level.on_device),
          assigner_(std::move(assigner)) {}

    RoundTime run(std::size_t rows) {
        const AssignmentReport before = assigner_->report();
        assignment_ = assigner_->run(problem_->batch(rows));
        const AssignmentReport &after = assigner_->report();
        unproven_ = after.unproven - before.unproven;
        const double wall = after.wall_seconds - before.wall_seconds;
        return {on_device_ ? after.device_seconds - before.device_seconds : wall, wall};
    }

    /// As many rows as a round has time for, found by running more and more of them.
    std::size_t fitting_rows(double seconds) {
        std::size_t rows = std::min(first_probe, problem_->most_rows());
        run(rows); // the first run may still compile
        while (rows < problem_->most_rows()) {
            const std::size_t more = std::min(rows * probe_growth, problem_->most_rows());
            const double growth = static_cast<double>(more) / static_cast<double>(rows);
            // the quicker of two, since a hiccup must not count
            const double taken = std::min(run(rows).wall_seconds, run(rows).wall_seconds);
            if (taken * growth > seconds) break;
            rows = more;
        }
        return rows;
    }

    Shape shape() const override { return {assignment_.words.size(), 1, assignment_.words.size()}; }
    void poison(const Area &area) override {
        std::fill_n(assignment_.words.begin() + static_cast<long>(area.first_row), area.rows, -1);
    }
    std::uint64_t mismatches() override {
        return problem_->mismatches(assignment_.words) +
               wrong_counts(assignment_.words, assignment_.histograms);
    }
    Findings check() { return {unproven_, mismatches()}; }

  private:
    std::shared_ptr<Problem> problem_;
    bool on_device_;
    std::unique_ptr<Assigner> assigner_;
    Assignment assignment_;
    std::uint64_t unproven_ = 0;
};

Work work_of(const Level &level, std::size_t n, std::size_t dimensions, std::size_t k) {
    const auto rows = static_cast<double>(n);
    const auto words = static_cast<double>(k);
    const auto floats = static_cast<double>(dimensions);
    Work work;
    work.bytes_read = sizeof(float) * (rows + words) * floats;
    work.bytes_written = sizeof(std::int32_t) * (rows + words);
    work.operations = 2 * floats * rows * words;
    if (level.kernel_bytes) work.kernel_bytes = level.kernel_bytes(n, dimensions, k);
    return work;
}

Case level_case(const Scene &scene, const std::shared_ptr<Problem> &problem, const Level &level,
                std::size_t local_size) {
    Subject subject{"assign",
                    std::string(level.id),
                    level.on_device ? Place::device : Place::host,
                    level.on_device ? (scene.device ? scene.device->info().name : "none")
                                    : host_name(scene.request.threads),
                    problem->most_rows(),
                    problem->k(),
                    problem->dimensions(),
                    local_size};
    if (local_size > 0 && scene.device) {
        const DeviceLimits &limits = scene.device->limits();
        const std::size_t bytes =
            level.local_descriptors ? local_size * problem->dimensions() * sizeof(float) : 0;
        subject.resident_groups =
            resident_groups(local_size, bytes, limits.work_group_size, limits.local_bytes);
    }
    if (const auto obstacle =
            level.obstacle(scene.device.get(), problem->dimensions(), problem->k()))
        return not_here(subject, *obstacle);
    AssignOptions options;
    options.batch = problem->most_rows(); // one launch, so that events span all of it
    options.threads = scene.request.threads;
    options.observer = &scene.observer;
    options.group = local_size;
    try {
        const auto runner = std::make_shared<Runner>(
            problem, level, level.prepare(scene.device, problem->vocabulary(), options));
        if (scene.request.n == 0) subject.n = runner->fitting_rows(Scene::round_seconds);
        Case row{subject, work_of(level, subject.n, subject.d, subject.k), level.matrix_units};
        row.run = [runner, rows = subject.n] { return runner->run(rows); };
        row.check = [runner] { return runner->check(); };
        row.output = runner;
        row.passes_roof = level.passes_roof;
        return row;
    } catch (const BuildFailure &error) {
        return failed(subject, error);
    } catch (const Error &error) { // the size does not suit
        if (error.fault != Fault::device) throw;
        return not_here(subject, error.what());
    }
}

bool wanted(const BenchRequest &request, const Level &level) {
    return request.levels.empty() ||
           std::ranges::find(request.levels, level.id) != request.levels.end();
}

} // namespace

std::uint64_t wrong_counts(std::span<const std::int32_t> words,
                           std::span<const std::uint32_t> counts) {
    std::vector<std::uint32_t> recount(counts.size(), 0);
    std::uint64_t wrong = 0;
    for (const std::int32_t word : words) {
        const auto at = static_cast<std::size_t>(word); // beyond all counts where it is negative
        if (at < recount.size())
            ++recount[at];
        else
            ++wrong;
    }
    for (std::size_t j = 0; j < counts.size(); ++j) wrong += counts[j] != recount[j] ? 1 : 0;
    return wrong;
}

std::vector<Case> assign_cases(const Scene &scene, std::size_t k) {
    const auto problem = std::make_shared<Problem>(scene, k);
    std::vector<Case> cases;
    for (const Level &level : levels()) {
        scene.observer.stop_if_interrupted();
        if (!wanted(scene.request, level)) continue;
        const bool sweep = level.takes_group && !scene.request.local_sizes.empty();
        for (const std::size_t size :
             sweep ? scene.request.local_sizes : std::vector<std::size_t>{0})
            cases.push_back(level_case(scene, problem, level, size));
    }
    return cases;
}

} // namespace bowhist
