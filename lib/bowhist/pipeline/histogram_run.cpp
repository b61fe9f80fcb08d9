#include <bowhist/pipeline/histogram_run.hpp>

#include <bowhist/pipeline/picture_counter.hpp>

#include <fmt/format.h>
#include <tbb/info.h>

#include <chrono>

namespace bowhist {
namespace {

using Clock = std::chrono::steady_clock;

/// Long enough to know the pace, short beside the start of a GPU.
constexpr std::chrono::milliseconds trial_time{100};

/// On the host a picture takes one thread: of few pictures all threads assign each. The reference
/// has one thread.
bool is_worth_counting(const InputList &list, const Level &level, int threads) {
    if (level.on_device) return any_picture(list);
    const int cores = threads > 0 ? threads : tbb::info::default_concurrency();
    return !level.is_reference && any_picture(list) &&
           list.inputs.size() >= static_cast<std::size_t>(cores);
}

class Run {
  public:
    Run(HistogramRequest request, HistogramWriter &writer, Observer &observer)
        : request_(std::move(request)), writer_(writer), observer_(observer) {
        request_.options.words = request_.vocabulary.size();
        request_.level.prefers_gpu =
            any_picture(request_.inputs) && suits_gpus(request_.recipe.recipe());
    }

    HistogramRun run() {
        request_.level.host_seconds = 0;
        if (begins_on_host(request_.level)) try_the_host();
        if (is_left() || parts_.empty()) work_with(choose());
        HistogramRun run{counts_, {}};
        for (const Part &part : parts_) run.parts.push_back({part.level, part.assigner->report()});
        return run;
    }

  private:
    struct Part {
        LevelChoice level;
        std::unique_ptr<Assigner> assigner;
    };

    LevelChoice choose() const {
        return choose_level(request_.level, request_.vocabulary.dimensions,
                            request_.vocabulary.size());
    }

    std::size_t done() const { return counts_.read + counts_.skipped; }
    bool is_left() const { return done() < request_.inputs.inputs.size(); }

    /// Works for a while, and sets what the rest will take.
    void try_the_host() {
        const LevelChoice host = choose();
        const auto start = Clock::now();
        work_with(host, [start] { return Clock::now() - start > trial_time; });
        const double spent = std::chrono::duration<double>(Clock::now() - start).count();
        const auto left = static_cast<double>(request_.inputs.inputs.size() - done());
        request_.level.host_seconds =
            spent * left / static_cast<double>(std::max<std::size_t>(1, done()));
    }

    void work_with(const LevelChoice &level, const std::function<bool()> &enough = {}) {
        const bool is_first = parts_.empty();
        if (is_first || parts_.back().level.level != level.level) prepare(level);
        Assigner &assigner = *parts_.back().assigner;
        std::unique_ptr<PictureCounter> counter;
        if (is_worth_counting(request_.inputs, *level.level, request_.level.options.threads))
            counter = make_picture_counter(request_.recipe.recipe(), request_.recipe.extractor(),
                                           assigner, observer_);
        HistogramOptions options = request_.options;
        options.stream.counter = counter.get();
        options.stream.enough = enough;
        if (!is_first) options.stream.doubt.clear(); // the first part voiced it
        StreamCounts so_far = counts_;
        options.stream.so_far = &so_far;
        counts_ = make_histograms(request_.inputs.inputs, request_.recipe.extractor(), assigner,
                                  writer_, options, observer_);
    }

    void prepare(const LevelChoice &level) {
        observer_.note(fmt::format("extracting with {}, assigning with {}",
                                   as_options(request_.recipe.recipe()), level.name()));
        parts_.push_back({level, level.prepare(request_.vocabulary)});
    }

    HistogramRequest request_;
    HistogramWriter &writer_;
    Observer &observer_;
    StreamCounts counts_;
    std::vector<Part> parts_;
};

} // namespace

HistogramRun run_histograms(HistogramRequest request, HistogramWriter &writer, Observer &observer) {
    return Run(std::move(request), writer, observer).run();
}

} // namespace bowhist
