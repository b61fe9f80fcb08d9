#include <bowhist/learn/learn.hpp>

#include <bowhist/assign/choose/choice.hpp>
#include <bowhist/assign/choose/unused_options.hpp>
#include <bowhist/core/preparation.hpp>
#include <bowhist/core/version.hpp>
#include <bowhist/core/weights.hpp>
#include <bowhist/encode/mirrored.hpp>
#include <bowhist/encode/preparation.hpp>
#include <bowhist/io/atomic_file.hpp>
#include <bowhist/learn/gathered_rows.hpp>
#include <bowhist/learn/second_reading.hpp>
#include <bowhist/learn/shared_preparation.hpp>
#include <bowhist/learn/shared_rows.hpp>
#include <bowhist/pipeline/descriptor_stream.hpp>
#include <bowhist/pipeline/few_descriptors.hpp>
#include <bowhist/pipeline/histogram_stream.hpp>
#include <bowhist/pipeline/output_check.hpp>
#include <bowhist/tables/vocabulary/tree_file.hpp>
#include <bowhist/tables/vocabulary/vocabulary_pair.hpp>
#include <bowhist/team/team.hpp>
#include <bowhist/train/tree_training.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace bowhist {
namespace {

/// The words to count, and the number of images.
struct CountRequest {
    const Vocabulary *words = nullptr;        ///< outlives the call
    const Preparation *preparation = nullptr; ///< of descriptors before words; null: none
    std::size_t most_images = 0;
    std::uint64_t seed = 0;        ///< draws the images where there are more
    bool in_little_memory = false; ///< rather than fast
    Team *team = &one_process();   ///< who share the images
};

/// Keeps no row, but its part in the frequencies.
class Tally : public HistogramWriter {
  public:
    void write(const Histogram &row) override { frequencies.add(row.counts); }
    void finish() override {}

    void join(Team &team, std::size_t words) {
        if (team.size() == 1) return;
        frequencies.images_with.resize(words);
        team.sum(frequencies.images_with);
        std::array<std::uint64_t, 2> counts{frequencies.images, frequencies.descriptors};
        team.sum(counts);
        frequencies.images = counts[0];
        frequencies.descriptors = counts[1];
    }

    WordFrequencies frequencies;
};

/// In how many of the inputs each word occurs, all of their descriptors counted. An input that
/// cannot be used is left out without a line: an earlier reading reported it. Words are exact, and
/// so are the frequencies.
/// @throws as stream_descriptors and the assigner; nothing where no image has descriptors
std::optional<WordFrequencies> count_words(const CountRequest &request,
                                           std::span<const Input> inputs,
                                           const Extractor &extractor, const LevelChoice &level,
                                           StreamOptions options, Observer &observer) {
    options.dimensions = request.words->dimensions;
    options.strict = false;
    options.doubt.clear();
    if (const Preparation *preparation = request.preparation)
        options.prepare = [preparation](Described &described) {
            described.descriptors =
                prepare(*preparation, described.descriptors, described.width, described.height);
        };
    HistogramOptions counting{.stream = std::move(options), .words = request.words->size()};
    if (request.in_little_memory) {
        counting.batch = std::size_t{1} << 13;
        counting.stream.in_flight = 2;
    }
    ProgressOnly quiet(observer);
    Tally tally;
    const auto assigner = level.prepare(*request.words);
    const std::vector<Input> drawn = draw_inputs(inputs, request.most_images, request.seed);
    Team &team = *request.team;
    const ShardRange share = share_of(team, drawn.size());
    stream_histograms(std::span(drawn).subspan(share.first, share.size()), extractor, *assigner,
                      tally, counting, quiet);
    tally.join(team, request.words->size());
    if (tally.frequencies.images == 0) return std::nullopt;
    return std::move(tally.frequencies);
}

/// At most, of all iterations; the greedy start takes as many distances as one.
double assignments(std::size_t rows, const TrainOptions &options) {
    const std::size_t levels = std::max<std::size_t>(1, options.branches.size());
    return static_cast<double>(rows * levels) * options.restarts *
           (options.iterations + (options.start == Start::greedy ? 1 : 0));
}

/// Chooses the level before anything is read, if it can. auto needs to know how much work there is,
/// and chooses once the descriptors are gathered.
class LevelOfTraining {
  public:
    LevelOfTraining(const LevelRequest &request, const TrainOptions &training)
        : request_(request), is_auto_(request.level == "auto") {
        request_.host_seconds = 0;
        if (!is_auto_ || !request.device.empty())
            choice_ = choose_level(request_, usual_dimensions, training.words_at_once());
    }

    /// Whether a device may hold the descriptors.
    bool may_be_on_device() const { return is_auto_ || is_on_device(); }
    bool is_on_device() const { return choice_.level != nullptr && choice_.level->on_device; }

    LevelChoice for_rows(std::size_t rows, std::size_t dimensions, const TrainOptions &training) {
        const std::size_t k = training.words_at_once();
        request_.host_seconds = host_seconds(request_, dimensions, k, assignments(rows, training));
        if (is_auto_ || dimensions != usual_dimensions)
            choice_ = choose_level(request_, dimensions, k);
        return choice_;
    }

  private:
    static constexpr std::size_t usual_dimensions = 64;

    LevelRequest request_;
    bool is_auto_;
    LevelChoice choice_;
};

class Learning {
  public:
    Learning(const LearnRequest &request, Observer &observer)
        : request_(request), observer_(observer), team_(*request.team), recipe_(request_.recipe) {
        request_.training.team = &team_;
        request_.level.options.threads = request_.stream.threads;
        request_.level.options.observer = &observer_;
    }

    /// Fails before an image is opened if an output cannot be written or a level cannot be chosen.
    LearnRun run() {
        check_outputs(outputs(), {request_.inputs.list});
        LevelOfTraining level(request_.level, request_.training);
        std::optional<AtomicFile> writable;
        std::optional<AtomicFile> sidecar_writable;
        if (writes()) writable.emplace(request_.output);
        if (writes()) sidecar_writable.emplace(sidecar_path(request_.output));
        Checkpoint checkpoint(request_.checkpoint, observer_);
        // --memory is kept wherever the words are found; a default counts on what is likely.
        gather(request_.memory > 0 ? level.may_be_on_device() : level.is_on_device(), checkpoint);
        note_rows();
        Training training = keeping(gathered_, request_.training, checkpoint, observer_,
                                    [&] { return train_with(level, checkpoint); });
        VocabularySidecar sidecar = sidecar_of(training);
        sidecar.frequencies = frequencies_of(training.vocabulary);
        if (writes()) {
            std::optional<AtomicFile> tree = prepared_tree(training, sidecar);
            write_vocabulary_pair(request_.output, training.vocabulary, sidecar);
            if (tree) tree->commit();
        }
        return {std::move(inputs_), std::move(training), level_};
    }

  private:
    /// Whether this member writes: in a team, rank 0.
    bool writes() const { return team_.rank() == 0; }

    Paths outputs() const {
        if (!writes()) return {};
        Paths all{request_.output, sidecar_path(request_.output), request_.checkpoint};
        if (!request_.training.branches.empty()) all.push_back(tree_path(request_.output));
        all.insert(all.end(), request_.further_outputs.begin(), request_.further_outputs.end());
        return all;
    }

    void gather(bool on_device, Checkpoint &checkpoint) {
        InputList &list = inputs_.list;
        list = list_given_inputs(request_.inputs, request_.stream.strict, observer_);
        check_outputs(outputs(), {}, list);
        StreamOptions options = recipe_.options_for(
            list, request_.stream, {request_.level.device, request_.level.kernel_dir}, observer_);
        if (any_image(list)) options.made_by = made_by_ = recipe_.recipe();
        if (!request_.steps.empty())
            options.prepare = [this](Described &described) {
                described.descriptors = with_places(request_.steps, described.descriptors,
                                                    described.width, described.height);
            };
        inputs_.few = options.few;
        inputs_.recipe = recipe_.recipe();
        options_ = options;
        const MemoryRequest memory{.memory = request_.memory,
                                   .sample = request_.sample,
                                   .training = &request_.training,
                                   .on_device = on_device,
                                   .threads = request_.stream.threads,
                                   .steps = &request_.steps};
        require_same(team_, "other options", options_text());
        gathered_ =
            team_.size() > 1
                ? gather_shares(memory, list, recipe_.extractor(), options, team_, observer_)
                : gather_rows(memory, list, recipe_.recipe(), recipe_.extractor(), options,
                              checkpoint, observer_);
        inputs_.counts = gathered_.counts;
        if (gathered_.total == 0) fail_without_descriptors(inputs_);
        if (request_.descriptors_per_word > 0) lower_k();
        if (gathered_.made_by && !made_by_.is_known()) made_by_ = completed(*gathered_.made_by);
        drawn_ = gathered_.total;
        if (!request_.steps.empty()) prepare_rows();
        if (request_.training.branches.empty()) {
            share_rows(gathered_, team_);
            if (gathered_.all) request_.training.all = gathered_.all.get();
        } else {
            require_in_memory("--tree");
            copy_rows(gathered_, team_);
        }
    }

    /// The options that members must have alike.
    std::string options_text() const {
        const TrainOptions &training = request_.training;
        return fmt::format("{} {} {} {} {} {} {} {} {} {}", recipe_text(recipe_.recipe()),
                           training.k, fmt::join(training.branches, "x"), training.seed,
                           training.iterations, name_of(training.start), training.restarts,
                           request_.sample, as_text(request_.steps), request_.counted_images);
    }

    void lower_k() {
        const std::size_t rows = gathered_.total;
        std::size_t &k = request_.training.k;
        k = std::min(k, std::max(rows / request_.descriptors_per_word, LearnRequest::fewest_words));
        k = std::min(k, rows);
    }

    void require_in_memory(const char *option) const {
        if (gathered_.in_memory) return; // else they have no room, and stay in their files
        throw Error(Fault::usage,
                    fmt::format("{} descriptors do not fit into --memory, as {} needs; raise it, "
                                "or give a smaller --sample",
                                gathered_.total, option));
    }

    void prepare_rows() {
        require_in_memory("--prepare");
        if (!writes()) { // rank 0 has the rows
            preparation_ = received_preparation(team_);
            return;
        }
        preparation_ = learn_preparation(request_.steps, *gathered_.in_memory,
                                         mirroring_of(made_by_), observer_);
        *gathered_.in_memory = prepared_on_all_threads(*preparation_, *gathered_.in_memory);
        send_preparation(team_, *preparation_);
    }

    void note_rows() const {
        const std::size_t size = gathered_.rows->size(); // of this process
        observer_.note(fmt::format(
            "{} descriptors of {} dimensions{}{}", size, gathered_.rows->dimensions(),
            gathered_.seen > drawn_ ? fmt::format(", drawn from {}", gathered_.seen) : "",
            gathered_.in_memory ? "" : ", which stay in their files"));
    }

    Training train_with(LevelOfTraining &level, Checkpoint &checkpoint) {
        const DescriptorRows &rows = *gathered_.rows;
        level_ = level.for_rows(rows.size(), rows.dimensions(), request_.training);
        observer_.note(fmt::format("assigning with {}", level_.name()));
        const bool preprocesses = inputs_.recipe.preprocessing.any() && any_image(inputs_.list);
        warn_of_unused_device(request_.level, level_, preprocesses, observer_);
        checkpoint.attach(rows, request_.training);
        if (!request_.training.branches.empty())
            return train_tree(*gathered_.in_memory, request_.training, level_, observer_);
        return train(rows, request_.training, level_, observer_);
    }

    VocabularySidecar sidecar_of(const Training &training) const {
        return {.recipe = made_by_,
                .seed = request_.training.seed,
                .iterations = training.iterations,
                .inertia = training.inertia,
                .descriptors = drawn_,
                .fingerprint = fingerprint(training.vocabulary),
                .version = std::string(version()),
                .seen = gathered_.seen,
                .start = std::string(name_of(request_.training.start)),
                .course = training.course,
                .preparation = preparation_};
    }

    /// Writes it beside its place, and records its fingerprint.
    std::optional<AtomicFile> prepared_tree(const Training &training,
                                            VocabularySidecar &sidecar) const {
        if (!training.tree) return std::nullopt;
        const std::string bytes = tree_bytes(*training.tree, sidecar.fingerprint);
        sidecar.tree = fingerprint_of_bytes(bytes);
        AtomicFile file(tree_path(request_.output));
        file.write(bytes);
        file.close();
        return file;
    }

    /// Reads some of the inputs again.
    std::optional<WordFrequencies> frequencies_of(const Vocabulary &words) {
        if (request_.counted_images == 0) return std::nullopt;
        gathered_ = {}; // their room is needed
        if (made_by_.is_known()) options_.made_by = made_by_;
        return count_words({.words = &words,
                            .preparation = preparation_ ? &*preparation_ : nullptr,
                            .most_images = request_.counted_images,
                            .seed = request_.training.seed,
                            .in_little_memory = request_.memory > 0,
                            .team = &team_},
                           inputs_.list.inputs, recipe_.extractor(), level_, options_, observer_);
    }

    LearnRequest request_;
    Observer &observer_; ///< outlives it
    Team &team_;
    PreparedRecipe recipe_;
    StreamOptions options_; ///< as the inputs were read, but for their preparation
    InputSummary inputs_;
    GatheredRows gathered_;
    Recipe made_by_ = Recipe::imported(); ///< the recipe of the descriptors
    std::size_t drawn_ = 0;               ///< descriptors, before mirrored ones were added
    std::optional<Preparation> preparation_;
    LevelChoice level_;
};

} // namespace

LearnRun learn(const LearnRequest &request, Observer &observer) {
    return Learning(request, observer).run();
}

} // namespace bowhist
