#include <bowhist/pipeline/make_soft_words.hpp>

#include <bowhist/assign/choose/unused_options.hpp>
#include <bowhist/assign/nearest_words.hpp>
#include <bowhist/core/default_floats.hpp>
#include <bowhist/pipeline/row_run.hpp>

#include <fmt/format.h>

namespace bowhist {
namespace {

/// m for the nearest word, 1 for the farthest.
std::vector<std::uint32_t> count_soft(const NearestWords &words, std::span<const float> rows,
                                      std::size_t k) {
    std::vector<std::uint32_t> counts(k);
    const std::vector<std::int32_t> nearest = words.find(rows);
    for (std::size_t i = 0; i < nearest.size(); ++i)
        counts[static_cast<std::size_t>(nearest[i])] +=
            static_cast<std::uint32_t>(words.size() - i % words.size());
    return counts;
}

void warn_of_unused_level(LevelRequest level, bool preprocesses, Observer &observer) {
    const std::string why = "soft words are found on the host";
    if (level.level != "auto" && find_level(level.level).on_device)
        observer.warning(fmt::format("--kernel {} has no effect: {}", level.level, why));
    if (preprocesses) { // on that device
        level.device.clear();
        level.kernel_dir.clear();
    }
    warn_of_unused(level, why, observer);
}

/// Counts of the nearest words.
class SoftRun {
  public:
    SoftRun(const HistogramRequest &request, std::size_t nearest, Observer &observer)
        : request_(request), nearest_(nearest), observer_(observer) {}

    HistogramRun run() const {
        const VocabularyPair pair = read_vocabulary_pair(request_.centroids);
        const std::size_t k = pair.vocabulary.size();
        const NearestWords words(pair.vocabulary, nearest_);
        auto weights = weights_for(pair, request_.normalization);
        if (weights) weights = weights->scaled(words.size() * (words.size() + 1) / 2);
        RowRun run(request_, pair, observer_);
        warn_of_unused_level(request_.level, run.options.preprocessor != nullptr, observer_);
        run.describe(steps_of(pair),
                     fmt::format("finding {} words of each on the host", words.size()));
        run.open({.size = k,
                  .codes = false,
                  .encoding = fmt::format("soft {}", words.size()),
                  .fingerprint = pair.fingerprint,
                  .extractor = run.extractor_text(),
                  .preparation = steps_of(pair)});
        return run.finish(stream_descriptors(
            run.list().inputs, run.extractor(), run.options, observer_, [&](Described &&described) {
                const DefaultFloats floats;
                run.write({.image = described.image,
                           .descriptors = static_cast<std::uint32_t>(described.found),
                           .code = {},
                           .row = features(count_soft(words, described.descriptors.values, k),
                                           request_.normalization, weights)});
            }));
    }

  private:
    const HistogramRequest &request_; ///< outlives it, as the observer does
    std::size_t nearest_;
    Observer &observer_;
};

} // namespace

HistogramRun make_soft_words(const HistogramRequest &request, std::size_t nearest,
                             Observer &observer) {
    return SoftRun(request, nearest, observer).run();
}

} // namespace bowhist
