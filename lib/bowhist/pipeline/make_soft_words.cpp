#include <bowhist/pipeline/make_soft_words.hpp>

#include <bowhist/assign/choose/unused_options.hpp>
#include <bowhist/assign/nearest_words.hpp>
#include <bowhist/core/default_floats.hpp>
#include <bowhist/pipeline/in_cells.hpp>
#include <bowhist/pipeline/row_run.hpp>

#include <fmt/format.h>

namespace bowhist {
namespace {

/// In each cell m for the nearest word, 1 for the farthest.
std::vector<std::uint32_t> count_soft(const NearestWords &words, const Described &described,
                                      const CellGrids &grids, std::size_t k) {
    std::vector<std::uint32_t> counts(cell_count(grids) * k);
    const std::size_t m = words.size();
    const std::vector<std::int32_t> nearest = words.find(described.descriptors.values);
    std::size_t first = 0; // cell of the grid
    for (const CellGrid &grid : grids) {
        const auto cells = cells_of(described, grid, nearest.size() / m);
        for (std::size_t i = 0; i < nearest.size(); ++i)
            counts[(first + cells[i / m]) * k + static_cast<std::size_t>(nearest[i])] +=
                static_cast<std::uint32_t>(m - i % m);
        first += grid.size();
    }
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
    SoftRun(const HistogramRequest &request, std::size_t nearest, const CellGrids &grids,
            Observer &observer)
        : request_(request), nearest_(nearest), grids_(grids), observer_(observer) {}

    HistogramRun run() const {
        const VocabularyPair pair = read_vocabulary_pair(request_.centroids);
        const std::size_t k = pair.vocabulary.size();
        const NearestWords words(pair.vocabulary, nearest_);
        auto weights = weights_for(pair, request_.normalization);
        if (weights)
            weights = weights->scaled(words.size() * (words.size() + 1) / 2 * grids_.size());
        const std::size_t size = numbers_in(grids_, k);
        RowRun run(request_, pair, observer_);
        warn_of_unused_level(request_.level, run.options.preprocessor != nullptr, observer_);
        run.describe(steps_of(pair),
                     fmt::format("finding {} words of each on the host", words.size()));
        require_places(grids_, run.options);
        run.open({.size = size,
                  .codes = false,
                  .encoding = as_encoding(fmt::format("soft {}", words.size()), grids_),
                  .fingerprint = pair.fingerprint,
                  .extractor = run.extractor_text(),
                  .preparation = steps_of(pair)});
        return run.finish(stream_descriptors(
            run.list().inputs, run.extractor(), run.options, observer_, [&](Described &&described) {
                const DefaultFloats floats;
                run.write({.image = described.image,
                           .descriptors = static_cast<std::uint32_t>(described.found),
                           .code = {},
                           .row = features(count_soft(words, described, grids_, k),
                                           request_.normalization, weights)});
            }));
    }

  private:
    const HistogramRequest &request_; ///< outlives it, as the others do
    std::size_t nearest_;
    const CellGrids &grids_;
    Observer &observer_;
};

} // namespace

HistogramRun make_soft_words(const HistogramRequest &request, std::size_t nearest,
                             const CellGrids &grids, Observer &observer) {
    return SoftRun(request, nearest, grids, observer).run();
}

} // namespace bowhist
