#include "bench/cases/assign_problem.hpp"
#include "bench/cases/cases.hpp"
#include "bench/device_case.hpp"

#include <bowhist/assign/device/device_assigner.hpp>
#include <bowhist/assign/device/tile_screen.hpp>
#include <bowhist/assign/level.hpp>
#include <bowhist/core/default_floats.hpp>
#include <bowhist/device/device.hpp>

#include <algorithm>
#include <functional>

namespace bowhist {
namespace {

AssignProblem make_problem(const Scene &scene) {
    const std::size_t k = scene.k;
    const BenchRequest &request = scene.request;
    const std::size_t rows = scene.most_rows();
    const bool given = request.vocabulary.size() > 0;
    if (request.data.size() > 0)
        return {repeated(request.data, rows),
                given ? request.vocabulary
                      : rows_as_vocabulary(request.data, k, request.synthetic.seed),
                scene.observer};
    const Vocabulary vocabulary =
        given ? request.vocabulary : synthetic_vocabulary(request.synthetic, k, request.dimensions);
    Descriptors descriptors = synthetic_descriptors(request.synthetic, rows, vocabulary.dimensions);
    plant_near_ties(request.synthetic, vocabulary, descriptors);
    return {std::move(descriptors), vocabulary, scene.observer};
}

/// A level at work on its share of the problem. An assigner returns new words, which are no words
/// (-1) before each round.
class Runner : public Output {
  public:
    Runner(std::shared_ptr<AssignProblem> problem, const Level &level,
           std::unique_ptr<Assigner> assigner)
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
    std::shared_ptr<AssignProblem> problem_;
    bool on_device_;
    std::unique_ptr<Assigner> assigner_;
    Assignment assignment_;
    std::uint64_t unproven_ = 0;
};

Work work_of(const Level &level, std::size_t n, std::size_t dimensions, std::size_t k) {
    const auto rows = static_cast<double>(n);
    const auto words = static_cast<double>(k);
    const auto floats = static_cast<double>(dimensions);
    Work work{.bytes_read = sizeof(float) * (rows + words) * floats,
              .bytes_written = sizeof(std::int32_t) * (rows + words),
              .operations = 2 * floats * rows * words};
    if (level.kernel_bytes) work.kernel_bytes = level.kernel_bytes(n, dimensions, k);
    return work;
}

Case level_case(const Scene &scene, const std::shared_ptr<AssignProblem> &problem,
                const Level &level, std::size_t local_size) {
    Subject subject = problem->subject(std::string(level.id), level.on_device);
    subject.local_size = local_size;
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
    options.batch = problem->most_rows(); // one launch, which the events span
    options.threads = scene.request.threads;
    options.observer = &scene.observer;
    options.group = local_size;
    return prepared(subject, [&] {
        const auto runner = std::make_shared<Runner>(
            problem, level, level.prepare(scene.device, problem->vocabulary(), options));
        if (scene.request.n == 0)
            subject.n = fitting_rows(problem->most_rows(), [&](std::size_t rows) {
                return runner->run(rows).wall_seconds;
            });
        Case row{subject, work_of(level, subject.n, subject.d, subject.k), level.matrix_units};
        row.run = [runner, rows = subject.n] { return runner->run(rows); };
        row.check = [runner] { return runner->check(); };
        row.output = runner;
        row.passes_roof = level.passes_roof;
        return row;
    });
}

bool suits(const TileShape &shape, const Device &device, std::size_t dimensions) {
    const DeviceLimits &limits = device.limits();
    return shape.for_cpu == (device.info().kind == DeviceKind::cpu) &&
           (!shape.integers || (device.info().avx512_vnni && limits.fp64)) &&
           shape.group <= limits.work_group_size && shape.local_bytes <= limits.local_bytes &&
           dimensions <= shape.most_dimensions;
}

std::unique_ptr<DeviceScreen> make_shape(const TileShape &shape,
                                         const std::shared_ptr<Device> &device,
                                         const Vocabulary &vocabulary,
                                         const Buffer<float> &centroids,
                                         const AssignOptions &options) {
    if (!shape.integers) return std::make_unique<TileScreen>(device, shape, vocabulary, options);
    auto screen = make_integer_tile_screen(device, shape, vocabulary, centroids, options);
    if (!screen) throw Error(Fault::device, "the words do not suit 16-bit integers");
    return screen;
}

/// gpu6, always in this shape.
Level tile_level(const TileShape &shape) {
    Level level = find_level("gpu6");
    level.id = shape.name;
    level.obstacle = [shape, of_gpu6 = level.obstacle](const Device *device, std::size_t dimensions,
                                                       std::size_t k) {
        return suits(shape, *device, dimensions)
                   ? of_gpu6(device, dimensions, k)
                   : "its kind, its work-groups, its local memory or the dimensions do not suit";
    };
    level.prepare = [shape](const std::shared_ptr<Device> &device, const Vocabulary &vocabulary,
                            const AssignOptions &options) {
        const DefaultFloats floats;
        return std::make_unique<DeviceAssigner>(device, std::bind_front(make_shape, shape),
                                                vocabulary, options);
    };
    return level;
}

} // namespace

std::uint64_t wrong_counts(std::span<const std::int32_t> words,
                           std::span<const std::uint32_t> counts) {
    std::vector<std::uint32_t> recount(counts.size(), 0);
    std::uint64_t wrong = 0;
    for (const std::int32_t word : words) {
        const auto at = static_cast<std::size_t>(word); // negative ones are beyond all counts
        if (at < recount.size())
            ++recount[at];
        else
            ++wrong;
    }
    for (std::size_t j = 0; j < counts.size(); ++j) wrong += counts[j] != recount[j] ? 1 : 0;
    return wrong;
}

std::vector<Case> assign_cases(const Scene &scene) {
    const auto problem = std::make_shared<AssignProblem>(make_problem(scene));
    const std::vector<std::size_t> own = {0};
    std::vector<Case> cases;
    for (const Level &level : levels()) {
        scene.observer.stop_if_interrupted();
        if (!scene.request.wants(level.id, true)) continue;
        const bool sweep = level.takes_group && !scene.request.local_sizes.empty();
        for (const std::size_t size : sweep ? scene.request.local_sizes : own)
            cases.push_back(level_case(scene, problem, level, size));
    }
    return cases;
}

std::vector<Case> tile_cases(const Scene &scene) {
    const auto problem = std::make_shared<AssignProblem>(make_problem(scene));
    std::vector<Case> cases;
    for (const TileShape &shape : tile_shapes())
        cases.push_back(level_case(scene, problem, tile_level(shape), 0));
    return cases;
}

} // namespace bowhist
