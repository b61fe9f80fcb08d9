#include <bowhist/learn/learn_model.hpp>

#include <bowhist/assign/choose/unused_options.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/core/preparation.hpp>
#include <bowhist/core/version.hpp>
#include <bowhist/encode/code.hpp>
#include <bowhist/encode/mirrored.hpp>
#include <bowhist/encode/preparation.hpp>
#include <bowhist/encode/projection.hpp>
#include <bowhist/encode/vlad.hpp>
#include <bowhist/io/atomic_file.hpp>
#include <bowhist/learn/gathered_rows.hpp>
#include <bowhist/learn/second_reading.hpp>
#include <bowhist/learn/shared_preparation.hpp>
#include <bowhist/learn/shared_rows.hpp>
#include <bowhist/pipeline/encoded_stream.hpp>
#include <bowhist/pipeline/few_descriptors.hpp>
#include <bowhist/pipeline/output_check.hpp>
#include <bowhist/pipeline/recipe.hpp>
#include <bowhist/pipeline/word_stream.hpp>
#include <bowhist/tables/vocabulary/model_file.hpp>
#include <bowhist/team/team.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace bowhist {
namespace {

/// Images that a projection learns from, with their rows in whole numbers. The codes of them all
/// need no second reading.
class ImageRows {
  public:
    /// @param dimensions  of a row
    /// @param images      at most, which are given room
    ImageRows(std::size_t dimensions, std::size_t images) : rows_{dimensions, {}} {
        rows_.values.reserve(dimensions * images);
    }

    /// Adds the next image. @param encoded  its whole row
    void add(EncodedImage &&encoded);

    std::size_t images() const { return images_.size(); }
    /// The rows of the images that have descriptors.
    const WholeRows &rows() const { return rows_; }

    /// Adds each image with its code, zeros where it has no descriptors, in their order.
    /// @param projection  learned from rows()
    void add_codes(const Projection &projection, CodedImages &to) const;

  private:
    struct OneImage {
        std::string image;               ///< path bytes
        std::vector<std::uint8_t> shown; ///< words
        bool has_row;                    ///< in rows_
    };

    std::vector<OneImage> images_;
    WholeRows rows_;
};

void ImageRows::add(EncodedImage &&encoded) {
    images_.push_back(
        {std::move(encoded.image), std::move(encoded.shown), encoded.descriptors > 0});
    if (encoded.descriptors == 0) return;
    const std::vector<std::int16_t> row = whole_row(encoded.row);
    rows_.values.insert(rows_.values.end(), row.begin(), row.end());
}

/// Adds an image, its code and the words that it shows.
void add_code(CodedImages &to, EncodedImage &&encoded) {
    to.images.push_back(std::move(encoded.image));
    to.shown.add(encoded.shown);
    to.codes.values.insert(to.codes.values.end(), encoded.code.begin(), encoded.code.end());
}

void ImageRows::add_codes(const Projection &projection, CodedImages &to) const {
    std::size_t row = 0;
    for (const OneImage &image : images_) {
        EncodedImage encoded{.image = image.image,
                             .code = std::vector<std::int8_t>(projection.axes.size(), 0),
                             .row = {},
                             .shown = image.shown};
        if (image.has_row) encoded.code = code_of(project(projection, rows_.row(row++)));
        add_code(to, std::move(encoded));
    }
}

/// The request with a model's defaults: `dense` gets patches of 8,16,24,32,48,64 pixels at a step
/// of 8 where no others were asked for.
RecipeRequest with_model_defaults(RecipeRequest asked) {
    if (asked.recipe.extractor != "dense") return asked;
    if (!asked.given.contains("--patches")) asked.recipe.patches = "8,16,24,32,48,64";
    if (!asked.given.contains("--step")) asked.recipe.step = 8;
    return asked;
}

/// root,whiten:48,position,scale,contrast and, where it is known how, mirror.
PreparationSteps usual_steps(const Recipe &recipe) {
    const bool mirrors = mirroring_of(recipe) != Mirroring::none;
    return parse_preparation(mirrors ? "root,whiten:48,position,scale,contrast,mirror"
                                     : "root,whiten:48,position,scale,contrast");
}

float largest_magnitude(const Descriptors &rows) {
    float largest = 0;
    for (const float value : rows.values) largest = std::max(largest, std::abs(value));
    return largest;
}

class ModelLearning {
  public:
    ModelLearning(const ModelRequest &request, Observer &observer)
        : request_(request), learn_(request_.learn), observer_(observer), team_(*learn_.team),
          recipe_(with_model_defaults(learn_.recipe)),
          steps_(request_.steps.value_or(usual_steps(recipe_.recipe()))) {
        learn_.level.options.threads = learn_.stream.threads;
        learn_.level.options.observer = &observer_;
        learn_.training.team = &team_;
    }

    LearnRun run() {
        check_outputs(outputs(), {learn_.inputs.list});
        std::optional<AtomicFile> writable;
        if (is_first()) writable.emplace(learn_.output);
        Training training = learn();
        if (is_first()) write_model(learn_.output, model_);
        return {std::move(inputs_), std::move(training), level_};
    }

    CodedImages run_to_codes() {
        const Training training = learn();
        CodedImages coded;
        share_projection(model_.projection, team_);
        coded.codes.dimensions = model_.projection.axes.size();
        coded.shown.words = model_.words.size();
        if (some_images_ == inputs_.list.inputs.size() - inputs_.counts.skipped)
            some_->add_codes(model_.projection, coded); // they are all
        else
            code_all(coded);
        model_.fingerprint = fingerprint(model_);
        coded.inputs = std::move(inputs_);
        coded.model = std::move(model_);
        coded.level = level_;
        coded.report = training.report;
        return coded;
    }

  private:
    /// Whether this is rank 0, which has all rows and writes.
    bool is_first() const { return team_.rank() == 0; }

    Training learn() {
        list();
        require_same(team_, "other options", options_text());
        choose(0);
        GatheredRows rows;
        rows.in_memory = std::make_unique<Descriptors>(gather_prepared());
        rows.rows = std::make_unique<RowsInMemory>(*rows.in_memory);
        rows.total = rows.in_memory->size();
        Training training = train_words(std::move(rows));
        if (request_.components > 0) learn_projection_of_some();
        describe_origin(training);
        return training;
    }

    /// The options that members must have alike.
    std::string options_text() const {
        const TrainOptions &training = learn_.training;
        return fmt::format("{} {} {} {} {} {} {}", recipe_text(recipe_.recipe()), as_text(steps_),
                           training.k, training.seed, training.iterations, learn_.sample,
                           request_.components);
    }

    Paths outputs() const {
        if (!is_first()) return {};
        Paths all{learn_.output};
        all.insert(all.end(), learn_.further_outputs.begin(), learn_.further_outputs.end());
        return all;
    }

    void list() {
        inputs_.list = list_given_inputs(learn_.inputs, learn_.stream.strict, observer_);
        inputs_.recipe = recipe_.recipe();
        check_outputs(outputs(), {}, inputs_.list);
        options_ = recipe_.options_for(inputs_.list, learn_.stream,
                                       {learn_.level.device, learn_.level.kernel_dir}, observer_);
        inputs_.few = options_.few;
        model_.recipe = Recipe::imported();
        if (!any_image(inputs_.list)) return;
        options_.made_by = model_.recipe = recipe_.recipe();
        require_rows_of(recipe_.extractor().dimensions());
    }

    /// A named level is chosen before an image is opened; auto when it knows how much work there
    /// is.
    void choose(std::size_t rows) {
        const std::size_t k = learn_.training.k;
        const std::size_t dimensions =
            rows > 0 ? model_.preparation.prepared_dimensions() : usual_dimensions;
        if (rows == 0 && learn_.level.level == "auto") return;
        const auto assigned = static_cast<double>(rows) * (learn_.training.iterations + 1);
        learn_.level.host_seconds = host_seconds(learn_.level, dimensions, k, assigned);
        level_ = choose_level(learn_.level, dimensions, k);
    }

    Descriptors gather_prepared() {
        Descriptors placed = gather();
        const std::size_t dimensions = placed.dimensions - appended_numbers(steps_);
        require_rows_of(dimensions);
        if (request_.components > 0)
            require_projection_room(
                learn_.memory, std::min(inputs_.list.inputs.size(), most_projection_rows),
                learn_.training.k * dimensions_after(steps_, dimensions), request_.components);
        if (!is_first()) { // who has the rows
            model_.preparation = received_preparation(team_);
            return {model_.preparation.prepared_dimensions(), {}};
        }
        model_.preparation =
            learn_preparation(steps_, placed, mirroring_of(model_.recipe), observer_);
        send_preparation(team_, model_.preparation);
        return prepared_on_all_threads(model_.preparation, placed);
    }

    /// Rows of images have a number for each dimension of each word.
    void require_rows_of(std::size_t dimensions) const {
        const std::size_t prepared = dimensions_after(steps_, dimensions);
        const std::size_t most = WholeRows::most_dimensions / prepared;
        if (learn_.training.k > most && !request_.fewer_words)
            throw Error(Fault::usage,
                        fmt::format("{} words of {} dimensions make rows of more than {} numbers; "
                                    "give -k {} or fewer",
                                    learn_.training.k, prepared, WholeRows::most_dimensions, most));
    }

    /// @return rows of with_places()
    Descriptors gather() {
        StreamOptions options = options_;
        options.prepare = [this](Described &described) {
            described.descriptors =
                with_places(steps_, described.descriptors, described.width, described.height);
        };
        Checkpoint nothing({}, observer_);
        const MemoryRequest memory{.memory = learn_.memory,
                                   .sample = learn_.sample,
                                   .training = &learn_.training,
                                   .on_device = level_.level != nullptr && level_.level->on_device,
                                   .threads = learn_.stream.threads,
                                   .steps = &steps_,
                                   .takes_all = false};
        GatheredRows gathered = team_.size() > 1
                                    ? gather_shares(memory, inputs_.list, recipe_.extractor(),
                                                    options, team_, observer_)
                                    : gather_rows(memory, inputs_.list, recipe_.recipe(),
                                                  recipe_.extractor(), options, nothing, observer_);
        inputs_.counts = gathered.counts;
        if (gathered.total == 0) fail_without_descriptors(inputs_);
        if (!gathered.in_memory) // they have no room, and stay in their files
            throw Error(Fault::usage, fmt::format("{} descriptors do not fit into --memory; raise "
                                                  "it, or give a smaller --sample",
                                                  gathered.total));
        if (gathered.made_by && !model_.recipe.is_known())
            model_.recipe = completed(*gathered.made_by);
        model_.origin.seen = gathered.seen;
        model_.origin.descriptors = gathered.total;
        return std::move(*gathered.in_memory);
    }

    Training train_words(GatheredRows gathered) {
        float largest = largest_magnitude(*gathered.in_memory);
        team_.maximize({&largest, 1});
        std::uint64_t all = gathered.total; // rank 0's
        team_.sum({&all, 1});
        if (request_.fewer_words) learn_.training.k = std::min(learn_.training.k, all);
        share_rows(gathered, team_);
        learn_.training.all = gathered.all.get();
        const DescriptorRows &rows = *gathered.rows;
        choose(all);
        observer_.note(fmt::format("{} rows of {} dimensions, prepared by {}; assigning with {}",
                                   rows.size(), rows.dimensions(), as_text(steps_), level_.name()));
        const bool preprocesses = inputs_.recipe.preprocessing.any() && any_image(inputs_.list);
        warn_of_unused_device(learn_.level, level_, preprocesses, observer_);
        Training training = train(rows, learn_.training, level_, observer_);
        model_.words = training.vocabulary;
        model_.exponent = vlad_exponent(largest);
        return training;
    }

    void learn_projection_of_some() {
        const std::vector<Input> inputs =
            draw_inputs(inputs_.list.inputs, most_projection_rows, learn_.training.seed);
        some_.emplace(model_.words.values.size(), inputs.size());
        encode(inputs, [&](EncodedImage &&encoded) { some_->add(std::move(encoded)); });
        some_images_ = some_->images();
        team_.sum({&some_images_, 1});
        if (!is_first()) return;
        model_.origin.images = some_->rows().size();
        model_.projection = learn_projection(some_->rows(), request_.components, observer_);
    }

    void code_all(CodedImages &coded) {
        some_.reset(); // its room is needed
        encode(inputs_.list.inputs,
               [&](EncodedImage &&encoded) { add_code(coded, std::move(encoded)); });
    }

    void encode(std::span<const Input> inputs, const std::function<void(EncodedImage &&)> &sink) {
        ProgressOnly quiet(observer_);
        const auto assigner = level_.prepare(model_.words);
        SharedImages shared(team_);
        const ShardRange share = share_of(team_, inputs.size());
        stream_encoded(inputs.subspan(share.first, share.size()), recipe_, model_, *assigner,
                       options_, quiet, shared.take(sink));
        shared.join(sink);
    }

    void describe_origin(const Training &training) {
        model_.origin.seed = learn_.training.seed;
        model_.origin.iterations = training.iterations;
        model_.origin.inertia = training.inertia;
        model_.origin.version = version();
    }

    static constexpr std::size_t usual_dimensions = 52;

    ModelRequest request_;
    LearnRequest &learn_; ///< the request's
    Observer &observer_;  ///< outlives it
    Team &team_;
    PreparedRecipe recipe_;
    PreparationSteps steps_;
    InputSummary inputs_;
    StreamOptions options_;
    LevelChoice level_;
    VladModel model_;
    std::optional<ImageRows> some_; ///< that the projection learns from; of a team, rank 0's
    std::uint64_t some_images_ = 0; ///< their number
};

} // namespace

LearnRun learn_model(const ModelRequest &request, Observer &observer) {
    return ModelLearning(request, observer).run();
}

CodedImages learn_codes(const ModelRequest &request, Observer &observer) {
    return ModelLearning(request, observer).run_to_codes();
}

} // namespace bowhist
