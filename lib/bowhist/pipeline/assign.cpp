#include <bowhist/pipeline/assign.hpp>

#include <bowhist/assign/choose/unused_options.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/encode/preparation.hpp>
#include <bowhist/pipeline/few_descriptors.hpp>
#include <bowhist/pipeline/output_check.hpp>
#include <bowhist/pipeline/part_of_run.hpp>
#include <bowhist/tables/histograms/words_file.hpp>
#include <bowhist/tables/vocabulary/tree_file.hpp>

#include <fmt/format.h>

#include <functional>

namespace bowhist {
namespace {

constexpr std::size_t batch = 1 << 24; // floats: 64 MiB

/// The rows whose words are wanted.
Descriptors prepare_as(const Preparation *preparation, Descriptors &&descriptors,
                       const std::string &name) {
    if (preparation == nullptr || descriptors.size() == 0) return std::move(descriptors);
    try {
        constexpr int unknown = 0; // the picture's size
        return prepare(*preparation, descriptors, unknown, unknown);
    } catch (const Error &error) {
        throw Error(error.fault, fmt::format("{}: {}", name, error.what()));
    }
}

/// Reads descriptors of the vocabulary's dimension, and of its recipe where both are known, and
/// prepares them.
Descriptors read_fitting(const Input &input, const VocabularyPair &pair) {
    auto [descriptors, sidecar] = load_descriptors(input);
    const std::string name = printable(input.path);
    const std::string vocabulary = printable(pair.path);
    const Preparation *preparation = pair.recorded.preparation();
    const std::size_t dimensions =
        preparation ? preparation->dimensions : pair.vocabulary.dimensions;
    if (descriptors.size() > 0 && descriptors.dimensions != dimensions)
        throw Error(Fault::input,
                    fmt::format("{}: its descriptors have {} dimensions, {} has {}", name,
                                descriptors.dimensions, vocabulary, dimensions));
    const bool both_known = sidecar && sidecar->recipe.is_known() && pair.recorded.recipe();
    if (both_known && !sidecar->recipe.comparable(*pair.recorded.recipe()))
        throw Error(Fault::input,
                    fmt::format("{}: made with --extractor {}, but {} with {}; extract it again",
                                name, as_options(sidecar->recipe), vocabulary,
                                as_options(*pair.recorded.recipe())));
    return prepare_as(preparation, std::move(descriptors), name);
}

/// An estimate: the rows of the files if they hold nothing but floats.
double rows_in_files(const InputList &list, std::size_t dimensions) {
    double bytes = 0;
    const std::filesystem::path *last = nullptr;
    for (const Input &input : list.inputs) {
        std::error_code unknown; // reading the file names the reason
        const auto size = std::filesystem::file_size(input.path, unknown);
        const bool is_again = last != nullptr && *last == input.path; // more of a collection
        if (!unknown && !is_again) bytes += static_cast<double>(size);
        last = &input.path;
    }
    return bytes / static_cast<double>(sizeof(float) * dimensions);
}

/// Gathers rows until there are enough for a launch, then writes their words.
class WordsOfBatches {
  public:
    using Write = std::function<void(std::span<const std::int32_t>)>;

    WordsOfBatches(Assigner &assigner, Write write)
        : assigner_(assigner), write_(std::move(write)) {}

    void add(const std::vector<float> &rows) {
        if (waiting_.size() + rows.size() > batch) finish();
        if (rows.size() >= batch)
            assign(rows); // a file that large is not copied
        else
            waiting_.insert(waiting_.end(), rows.begin(), rows.end());
    }

    void finish() {
        assign(waiting_);
        waiting_.clear();
    }

  private:
    void assign(std::span<const float> rows) { write_(assigner_.run({rows, {}, 1}).words); }

    Assigner &assigner_; ///< outlives it
    Write write_;
    std::vector<float> waiting_; ///< of files that share a launch
};

StreamCounts assign_inputs(const AssignRequest &request, const VocabularyPair &pair,
                           const InputList &list, WordsOfBatches &gathering, Observer &observer) {
    StreamCounts counts;
    SkippedInputs skipped(observer);
    for (const Input &input : list.inputs) {
        observer.stop_if_interrupted();
        try {
            gathering.add(read_fitting(input, pair).values);
            ++counts.read;
        } catch (const Error &error) {
            if (error.fault != Fault::input || request.strict) throw;
            skipped.report(input, error);
            ++counts.skipped;
        }
        observer.progress("files", counts.read + counts.skipped, list.inputs.size());
    }
    gathering.finish();
    return counts;
}

/// Nothing without a shard.
std::optional<PartOfRun> part_of(const AssignRequest &request, const VocabularyPair &pair,
                                 InputSummary &inputs) {
    if (!request.shard) return std::nullopt;
    StreamOptions options; // every file is compared with the vocabulary alone
    options.strict = request.strict;
    options.dimensions = pair.vocabulary.dimensions;
    options.made_by = pair.recorded.recipe().value_or(Recipe::imported());
    return PartOfRun({.shard = *request.shard,
                      .output = request.output,
                      .vocabulary = fingerprint_of_histograms(pair),
                      .content = WordsInfo{}},
                     inputs, options);
}

} // namespace

AssignRun assign(const AssignRequest &request, Observer &observer) {
    const VocabularyPair pair = read_vocabulary_pair(request.centroids, request.descends);
    const std::size_t dimensions = pair.vocabulary.dimensions;
    InputSummary inputs{
        list_given_inputs(request.inputs, request.strict, observer), {}, Recipe::imported()};
    const InputList &list = inputs.list;
    check_outputs({request.output}, {request.centroids, request.inputs.list}, list);
    auto part = part_of(request, pair, inputs);
    if (auto complete = part ? part->complete() : std::nullopt)
        return {*std::move(complete), std::nullopt};
    LevelRequest wanted = request.level;
    wanted.options.observer = &observer;
    wanted.options.tree = pair.tree;
    wanted.host_seconds =
        host_seconds(wanted, dimensions, pair.vocabulary.size(), rows_in_files(list, dimensions));
    const LevelChoice level = choose_level(wanted, dimensions, pair.vocabulary.size());
    warn_of_unused_device(wanted, level, false, observer);
    const auto assigner = level.prepare(pair.vocabulary);
    std::optional<WordsFile> words;
    if (part)
        part->writer(); // refused before the work
    else
        words.emplace(request.output);
    WordsOfBatches gathering(*assigner, [&](std::span<const std::int32_t> found) {
        if (part)
            part->writer().add(bytes_of(found));
        else
            words->write(found);
    });
    inputs.counts = assign_inputs(request, pair, list, gathering, observer);
    if (part) {
        part->finish(inputs);
    } else {
        require_read(inputs);
        words->finish();
    }
    return {std::move(inputs), LevelPart{level, assigner->report()}};
}

} // namespace bowhist
