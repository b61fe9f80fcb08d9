#include <bowhist/pipeline/make_histograms.hpp>

#include <bowhist/assign/choose/unused_options.hpp>
#include <bowhist/pipeline/histogram_stream.hpp>
#include <bowhist/pipeline/output_check.hpp>
#include <bowhist/pipeline/picture_counter.hpp>
#include <bowhist/tables/histograms/histogram_writer.hpp>

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

/// On the host an image takes one thread: of few images all threads assign each. The reference
/// has one thread.
bool is_worth_counting(const InputList &list, const Level &level, int threads) {
    if (level.on_device) return any_image(list);
    const int cores = threads > 0 ? threads : tbb::info::default_concurrency();
    return !level.is_reference && any_image(list) &&
           list.inputs.size() >= static_cast<std::size_t>(cores);
}

using OpenWriter = std::function<std::unique_ptr<HistogramWriter>()>;

/// Streams the inputs by one level, or by the host's and then by a device's.
class Run {
  public:
    Run(const LevelRequest &level, const PreparedRecipe &recipe, const Vocabulary &vocabulary,
        const InputList &list, HistogramOptions options, OpenWriter open, Observer &observer)
        : level_(level), recipe_(recipe), vocabulary_(vocabulary), list_(list),
          options_(std::move(options)), open_(std::move(open)), observer_(observer) {
        options_.words = vocabulary.size();
        level_.prefers_gpu = any_image(list) && suits_gpus(recipe.recipe());
    }

    StreamCounts run() {
        level_.host_seconds = 0;
        if (begins_on_host(level_)) try_the_host();
        if (is_left() || parts_.empty()) work_with(choose());
        writer_->finish();
        return counts_;
    }

    std::vector<LevelPart> parts() const {
        std::vector<LevelPart> parts;
        for (const Part &part : parts_) parts.push_back({part.level, part.assigner->report()});
        return parts;
    }

  private:
    struct Part {
        LevelChoice level;
        std::unique_ptr<Assigner> assigner;
    };

    LevelChoice choose() const {
        return choose_level(level_, vocabulary_.dimensions, vocabulary_.size());
    }

    std::size_t done() const { return counts_.read + counts_.skipped; }
    bool is_left() const { return done() < list_.inputs.size(); }

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
        const auto left = static_cast<double>(list_.inputs.size() - done());
        level_.host_seconds = spent * left / static_cast<double>(done());
    }

    void work_with(const LevelChoice &level, const std::function<bool()> &enough = {}) {
        const bool is_first = parts_.empty();
        if (is_first || parts_.back().level.level != level.level) prepare(level);
        Assigner &assigner = *parts_.back().assigner;
        std::unique_ptr<ImageCounter> counter;
        if (is_worth_counting(list_, *level.level, level_.options.threads))
            counter =
                make_image_counter(recipe_.recipe(), recipe_.extractor(), assigner, observer_);
        HistogramOptions options = options_;
        options.stream.counter = counter.get();
        options.stream.enough = enough;
        if (!is_first) options.stream.doubt.clear(); // the first part warned of it
        StreamCounts so_far = counts_;
        options.stream.so_far = &so_far;
        counts_ = stream_histograms(list_.inputs, recipe_.extractor(), assigner, *writer_, options,
                                    observer_);
    }

    void prepare(const LevelChoice &level) {
        observer_.note(fmt::format("extracting with {}, assigning with {}",
                                   as_options(recipe_.recipe()), level.name()));
        if (parts_.empty())
            warn_of_unused_device(level_, level, options_.stream.preprocessor != nullptr,
                                  observer_);
        parts_.push_back({level, level.prepare(vocabulary_)});
        if (!writer_) writer_ = open_();
    }

    LevelRequest level_;
    const PreparedRecipe &recipe_;
    const Vocabulary &vocabulary_;
    const InputList &list_;
    HistogramOptions options_;
    OpenWriter open_; ///< after the first level is prepared: a kernel that fails leaves no row
    std::unique_ptr<HistogramWriter> writer_;
    Observer &observer_;
    StreamCounts counts_;
    std::vector<Part> parts_;
};

} // namespace

HistogramRun make_histograms(const HistogramRequest &request, Observer &observer) {
    const VocabularyPair pair = read_vocabulary_pair(request.centroids);
    const PreparedRecipe recipe(request.recipe, pair);
    HistogramRun run{
        {list_given_inputs(request.inputs, request.stream.strict, observer), {}, recipe.recipe()},
        {}};
    check_outputs({request.output}, request.centroids);
    check_outputs({request.output}, request.inputs.list);
    check_outputs({request.output}, run.inputs.list);
    LevelRequest level = request.level;
    level.options.threads = request.stream.threads;
    level.options.observer = &observer;
    HistogramOptions options{recipe.options_for(run.inputs.list, request.stream,
                                                {level.device, level.kernel_dir}, observer)};
    run.inputs.few = options.stream.few;
    if (level.options.batch > 0) options.batch = level.options.batch;
    const auto open = [&] {
        return open_histograms(request.output, {pair.vocabulary.size(), request.normalization,
                                                pair.fingerprint, as_options(recipe.recipe())});
    };
    Run parts(level, recipe, pair.vocabulary, run.inputs.list, std::move(options), open, observer);
    run.inputs.counts = parts.run();
    run.parts = parts.parts();
    return run;
}

} // namespace bowhist
