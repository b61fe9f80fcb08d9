#include <bowhist/pipeline/make_histograms.hpp>

#include <bowhist/assign/choose/unused_options.hpp>
#include <bowhist/inputs/inputs.hpp>
#include <bowhist/io/free_memory.hpp>
#include <bowhist/pipeline/few_descriptors.hpp>
#include <bowhist/pipeline/histogram_stream.hpp>
#include <bowhist/pipeline/output_check.hpp>
#include <bowhist/pipeline/part_of_run.hpp>
#include <bowhist/pipeline/picture_counter.hpp>
#include <bowhist/tables/histograms/histogram_writer.hpp>
#include <bowhist/tables/parts/part_file.hpp>
#include <bowhist/tables/vocabulary/tree_file.hpp>

#include <fmt/format.h>
#include <tbb/info.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>

namespace bowhist {
namespace {

using Clock = std::chrono::steady_clock;

/// Long enough to know the pace, and short compared with the start of a GPU.
constexpr std::chrono::milliseconds trial_time{100};

/// An image takes one thread on the host; if there are few images, all threads assign each. The
/// reference has one thread.
bool is_worth_counting(const InputList &list, const Level &level, int threads) {
    if (level.on_device) return any_image(list);
    const int cores = threads > 0 ? threads : tbb::info::default_concurrency();
    return !level.is_reference && any_image(list) &&
           list.inputs.size() >= static_cast<std::size_t>(cores);
}

/// Streams the inputs by one level, or by the host's and then by a device's.
class Run {
  public:
    Run(const HistogramRequest &request, Observer &observer)
        : request_(request), observer_(observer), level_(request_.level),
          pair_(read_vocabulary_pair(request_.centroids, request_.descends)),
          recipe_(request_.recipe, pair_), weights_(weights_for(pair_, request_.normalization)) {
        inputs_.list = list_given_inputs(request_.inputs, request_.stream.strict, observer_);
        inputs_.recipe = recipe_.recipe();
        check_outputs({request_.output}, {request_.centroids, request_.inputs.list}, inputs_.list);
        level_.options.threads = request_.stream.threads;
        level_.options.observer = &observer_;
        level_.options.tree = pair_.tree;
        level_.host_seconds = 0;
        level_.prefers_gpu = any_image(inputs_.list) && suits_gpus(recipe_.recipe());
        options_.stream = recipe_.options_for(inputs_.list, request_.stream,
                                              {level_.device, level_.kernel_dir}, observer_);
        options_.words = pair_.vocabulary.size();
        const Preparation *preparation = pair_.recorded.preparation();
        const bool mirrors =
            preparation && has_step(preparation->steps, PreparationStep::Kind::mirror);
        options_.rows_each = mirrors ? 2 : 1;
        constexpr std::uint64_t bytes_a_row = 1024; // gathered, copied and on a device
        options_.batch =
            level_.options.batch > 0 ? level_.options.batch : fitting(options_.batch, bytes_a_row);
        inputs_.few = options_.stream.few;
        if (request_.shard) take_part(*request_.shard);
    }

    HistogramRun run() {
        if (auto complete = part_ ? part_->complete() : std::nullopt)
            return {*std::move(complete), {}, true};
        if (begins_on_host(level_)) try_the_host();
        if (is_left() || parts_.empty()) work_with(choose());
        if (!part_) require_read(inputs_); // a part counts for the whole run
        writer_->finish();
        if (part_) part_->finish(inputs_);
        HistogramRun run{std::move(inputs_), {}};
        for (const Part &part : parts_) run.parts.push_back({part.level, part.assigner->report()});
        return run;
    }

  private:
    struct Part {
        LevelChoice level;
        std::unique_ptr<Assigner> assigner;
    };

    LevelChoice choose() const {
        return choose_level(level_, pair_.vocabulary.dimensions, pair_.vocabulary.size());
    }

    std::size_t done() const { return inputs_.counts.read + inputs_.counts.skipped; }
    bool is_left() const { return done() < inputs_.list.inputs.size(); }

    /// Works for a while, and estimates what the rest will take. The clock starts with the first
    /// input: what is prepared before it is done once.
    void try_the_host() {
        std::optional<Clock::time_point> start;
        work_with(choose(), [&start] {
            if (!start) start = Clock::now();
            return Clock::now() - *start > trial_time;
        });
        if (!start || done() == 0) return;
        const double spent = std::chrono::duration<double>(Clock::now() - *start).count();
        const auto left = static_cast<double>(inputs_.list.inputs.size() - done());
        level_.host_seconds = spent * left / static_cast<double>(done());
    }

    void work_with(const LevelChoice &level, const std::function<bool()> &enough = {}) {
        const bool is_first = parts_.empty();
        if (is_first || parts_.back().level.level != level.level) prepare(level);
        Assigner &assigner = *parts_.back().assigner;
        std::unique_ptr<ImageCounter> counter;
        if (is_worth_counting(inputs_.list, *level.level, level_.options.threads))
            counter = make_image_counter(recipe_.recipe(), recipe_.extractor(), assigner, observer_,
                                         false, pair_.recorded.preparation());
        HistogramOptions options = options_;
        options.stream.counter = counter.get();
        options.stream.enough = enough;
        if (!is_first) options.stream.doubt.clear(); // the first part warned of it
        StreamCounts so_far = inputs_.counts;
        options.stream.so_far = &so_far;
        inputs_.counts = stream_histograms(inputs_.list.inputs, recipe_.extractor(), assigner,
                                           *writer_, options, observer_);
    }

    void prepare(const LevelChoice &level) {
        observer_.note(
            fmt::format("extracting with {}, assigning with {}", made_by(), level.name()));
        if (parts_.empty())
            warn_of_unused_device(level_, level, options_.stream.preprocessor != nullptr,
                                  observer_);
        parts_.push_back({level, level.prepare(pair_.vocabulary)});
        if (!writer_) // once a level is prepared: a kernel that fails leaves no row
            writer_ = part_ ? histograms_into(part_->writer())
                            : open_histograms(request_.output, file_info());
    }

    HistogramFileInfo file_info() const {
        return {pair_.vocabulary.size(),
                request_.normalization,
                fingerprint_of_histograms(pair_),
                made_by(),
                weights_,
                labels(),
                pair_.rule()};
    }

    void take_part(const Shard &shard) {
        part_.emplace(PartRequest{.shard = shard,
                                  .output = request_.output,
                                  .dimensions = recipe_.extractor().dimensions(),
                                  .vocabulary = fingerprint_of_histograms(pair_),
                                  .content = file_info()},
                      inputs_, options_.stream);
    }

    std::optional<FolderLabels> labels() const {
        if (!request_.labels_by_folder) return std::nullopt;
        return folder_labels_of(inputs_.list, observer_);
    }

    /// For people.
    std::string made_by() const {
        const Preparation *preparation = pair_.recorded.preparation();
        return as_options(recipe_.recipe()) +
               (preparation ? " --prepare " + as_text(preparation->steps) : "");
    }

    const HistogramRequest &request_; ///< outlives the run, as the observer does
    Observer &observer_;
    LevelRequest level_;
    VocabularyPair pair_;
    PreparedRecipe recipe_;
    std::optional<WordWeights> weights_;
    InputSummary inputs_;
    HistogramOptions options_;
    std::optional<PartOfRun> part_;
    std::unique_ptr<HistogramWriter> writer_;
    std::vector<Part> parts_;
};

} // namespace

HistogramRun make_histograms(const HistogramRequest &request, Observer &observer) {
    return Run(request, observer).run();
}

} // namespace bowhist
