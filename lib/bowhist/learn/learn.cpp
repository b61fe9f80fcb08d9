#include <bowhist/learn/learn.hpp>

#include <bowhist/assign/choose/unused_options.hpp>
#include <bowhist/core/version.hpp>
#include <bowhist/io/atomic_file.hpp>
#include <bowhist/learn/gathered_rows.hpp>
#include <bowhist/pipeline/few_descriptors.hpp>
#include <bowhist/pipeline/output_check.hpp>
#include <bowhist/tables/vocabulary/vocabulary_pair.hpp>

#include <fmt/format.h>

namespace bowhist {
namespace {

Paths outputs_of(const LearnRequest &request) {
    Paths outputs{request.output, sidecar_path(request.output), request.checkpoint};
    outputs.insert(outputs.end(), request.further_outputs.begin(), request.further_outputs.end());
    return outputs;
}

/// Descriptors to learn from, and how they were made.
struct TrainingSet {
    GatheredRows gathered;
    Recipe made_by = Recipe::imported();
    InputSummary inputs = {};
};

TrainingSet gather(const LearnRequest &request, bool on_device, Checkpoint &checkpoint,
                   Observer &observer) {
    const PreparedRecipe recipe(request.recipe);
    TrainingSet set;
    InputList &list = set.inputs.list;
    list = list_given_inputs(request.inputs, request.stream.strict, observer);
    check_outputs(outputs_of(request), list);
    StreamOptions options = recipe.options_for(
        list, request.stream, {request.level.device, request.level.kernel_dir}, observer);
    if (any_image(list)) options.made_by = set.made_by = recipe.recipe();
    set.inputs.few = options.few;
    set.inputs.recipe = recipe.recipe();
    set.gathered =
        gather_rows({.memory = request.memory,
                     .sample = request.sample,
                     .training = &request.training,
                     .on_device = on_device,
                     .threads = request.stream.threads},
                    list, recipe.recipe(), recipe.extractor(), options, checkpoint, observer);
    set.inputs.counts = set.gathered.counts;
    if (set.gathered.rows->size() == 0) fail_without_descriptors(set.inputs);
    if (set.gathered.made_by && !set.made_by.is_known())
        set.made_by = completed(*set.gathered.made_by);
    return set;
}

/// At most, of all iterations; the greedy start takes as many distances as one.
double assignments(std::size_t rows, const TrainOptions &options) {
    return static_cast<double>(rows) * options.restarts *
           (options.iterations + (options.start == Start::greedy ? 1 : 0));
}

/// Chooses the level before anything is read, if it can. auto needs to know how much work there is,
/// and chooses once the descriptors are gathered.
class LevelOfTraining {
  public:
    LevelOfTraining(const LevelRequest &request, std::size_t k)
        : request_(request), is_auto_(request.level == "auto") {
        request_.host_seconds = 0;
        if (!is_auto_ || !request.device.empty())
            choice_ = choose_level(request_, usual_dimensions, k);
    }

    /// Whether a device may hold the descriptors.
    bool may_be_on_device() const { return is_auto_ || choice_.level->on_device; }

    LevelChoice for_rows(std::size_t rows, std::size_t dimensions, const TrainOptions &training) {
        request_.host_seconds =
            host_seconds(request_, dimensions, training.k, assignments(rows, training));
        if (is_auto_ || dimensions != usual_dimensions)
            choice_ = choose_level(request_, dimensions, training.k);
        return choice_;
    }

  private:
    static constexpr std::size_t usual_dimensions = 64;

    LevelRequest request_;
    bool is_auto_;
    LevelChoice choice_;
};

void note_rows(const GatheredRows &gathered, Observer &observer) {
    const std::size_t size = gathered.rows->size();
    observer.note(
        fmt::format("{} descriptors of {} dimensions{}{}", size, gathered.rows->dimensions(),
                    gathered.seen > size ? fmt::format(", drawn from {}", gathered.seen) : "",
                    gathered.in_memory ? "" : ", which stay in their files"));
}

VocabularySidecar sidecar_of(const TrainingSet &set, const TrainOptions &options,
                             const Training &training) {
    return {.recipe = set.made_by,
            .seed = options.seed,
            .iterations = training.iterations,
            .inertia = training.inertia,
            .descriptors = set.gathered.rows->size(),
            .fingerprint = fingerprint(training.vocabulary),
            .version = std::string(version()),
            .seen = set.gathered.seen,
            .start = std::string(name_of(options.start)),
            .course = training.course};
}

} // namespace

LearnRun learn(LearnRequest request, Observer &observer) {
    check_outputs(outputs_of(request), request.inputs.list);
    request.level.options.threads = request.stream.threads;
    request.level.options.observer = &observer;
    LevelOfTraining level(request.level, request.training.k);
    const AtomicFile writable(request.output);
    const AtomicFile sidecar_writable(sidecar_path(request.output));
    Checkpoint checkpoint(request.checkpoint, observer);
    TrainingSet set = gather(request, level.may_be_on_device(), checkpoint, observer);
    note_rows(set.gathered, observer);
    const bool preprocesses = set.inputs.recipe.preprocessing.any() && any_image(set.inputs.list);
    LearnRun run;
    run.training = keeping(set.gathered, request.training, checkpoint, observer, [&] {
        const DescriptorRows &rows = *set.gathered.rows;
        run.level = level.for_rows(rows.size(), rows.dimensions(), request.training);
        observer.note(fmt::format("assigning with {}", run.level.name()));
        warn_of_unused_device(request.level, run.level, preprocesses, observer);
        checkpoint.attach(rows, request.training);
        return train(rows, request.training, run.level, observer);
    });
    write_vocabulary_pair(request.output, run.training.vocabulary,
                          sidecar_of(set, request.training, run.training));
    run.inputs = std::move(set.inputs);
    return run;
}

} // namespace bowhist
