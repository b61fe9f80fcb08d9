#include <bowhist/pipeline/make_soft_words.hpp>

#include <bowhist/assign/device/device_nearest_words.hpp>
#include <bowhist/core/default_floats.hpp>
#include <bowhist/pipeline/in_cells.hpp>
#include <bowhist/pipeline/row_run.hpp>
#include <bowhist/pipeline/tally_stream.hpp>

#include <fmt/format.h>

namespace bowhist {
namespace {

/// In each cell m for the nearest word, 1 for the farthest.
/// @param m  words of a row
std::vector<std::uint32_t> count_soft(const ImageWords &image, std::size_t m,
                                      const CellGrids &grids, std::size_t k) {
    std::vector<std::uint32_t> counts(cell_count(grids) * k);
    std::size_t first = 0; // cell of the grid
    for (const CellGrid &grid : grids) {
        const auto cells = cells_of(image.described, grid, image.words.size() / m);
        for (std::size_t i = 0; i < image.words.size(); ++i)
            counts[(first + cells[i / m]) * k + static_cast<std::size_t>(image.words[i])] +=
                static_cast<std::uint32_t>(m - i % m);
        first += grid.size();
    }
    return counts;
}

/// Counts of the nearest words.
class SoftRun {
  public:
    SoftRun(const HistogramRequest &request, std::size_t nearest, const CellGrids &grids,
            Observer &observer)
        : request_(request), grids_(grids), observer_(observer),
          pair_(read_vocabulary_pair(request.centroids)), words_(pair_.vocabulary, nearest),
          weights_(weights_for(pair_, request.normalization)), run_(request, pair_, observer) {
        const std::size_t m = words_.size();
        if (weights_) weights_ = weights_->scaled(m * (m + 1) / 2 * grids_.size());
    }

    HistogramRun run() {
        const std::size_t size = numbers_in(grids_, pair_.vocabulary.size());
        if (auto complete =
                run_.settle({.size = size,
                             .codes = false,
                             .encoding = as_encoding(fmt::format("soft {}", words_.size()), grids_),
                             .fingerprint = fingerprint_of_histograms(pair_),
                             .extractor = run_.extractor_text(),
                             .preparation = steps_of(pair_),
                             .normalization = std::string(name_of(request_.normalization))}))
            return *std::move(complete);
        const LevelChoice &level = run_.choose_level(pair_.vocabulary);
        if (words_.size() < pair_.vocabulary.size()) // else all are to be ordered
            if (const auto device = level.device())
                on_device_.emplace(device, pair_.vocabulary, words_, level.options);
        run_.describe(steps_of(pair_),
                      fmt::format("finding {} words of each on {}", words_.size(),
                                  on_device_ ? level.device()->info().name : "the host"));
        require_places(grids_, run_.options);
        run_.open();
        const auto write = [&](EncodedImage &&encoded) { run_.write(encoded); };
        if (const auto device = device_encoder()) {
            const auto encode = [&](std::span<const std::uint32_t> counts, EncodedImage &encoded) {
                encoded.row = row_of(counts);
            };
            const StreamCounts counts = stream_tallies(run_.list().inputs, run_.recipe(), *device,
                                                       run_.options, observer_, encode, write);
            return run_.finish(counts, on_device_->report());
        }
        const StreamCounts counts = stream_words(
            run_.list().inputs, run_.recipe().extractor(), run_.options, search(), observer_,
            [&](const ImageWords &image, EncodedImage &encoded) {
                encoded.row =
                    row_of(count_soft(image, words_.size(), grids_, pair_.vocabulary.size()));
            },
            write);
        return on_device_ ? run_.finish(counts, on_device_->report()) : run_.finish(counts);
    }

  private:
    WordFinder search() {
        const auto on_host = [this](std::span<const float> rows) { return words_.find(rows); };
        const auto on_device = [this](std::span<const float> rows) {
            return on_device_->find(rows);
        };
        if (on_device_) return {on_device, {}, words_.size()};
        return {on_host, on_host, words_.size()};
    }

    /// Null where the host prepares and counts.
    std::unique_ptr<DeviceEncoder> device_encoder() {
        if (!on_device_) return nullptr;
        row_words_ = words_by(*on_device_, pair_.vocabulary);
        const Preparation *preparation = pair_.recorded.preparation();
        const TallyShape shape{.grids = grids_,
                               .words = pair_.vocabulary.size(),
                               .dimensions = pair_.vocabulary.dimensions,
                               .rows_each = preparation ? rows_after(preparation->steps) : 1,
                               .nearest = words_.size()};
        return make_device_encoder(*row_words_, preparation, shape, observer_);
    }

    std::vector<float> row_of(std::span<const std::uint32_t> counts) const {
        const DefaultFloats floats;
        return features(counts, request_.normalization, weights_);
    }

    const HistogramRequest &request_; ///< outlives it, as the grids and the observer do
    const CellGrids &grids_;
    Observer &observer_;
    VocabularyPair pair_;
    NearestWords words_;
    std::optional<WordWeights> weights_;
    RowRun run_;
    std::optional<DeviceNearestWords> on_device_;
    std::unique_ptr<RowWords> row_words_; ///< of on_device_
};

} // namespace

HistogramRun make_soft_words(const HistogramRequest &request, std::size_t nearest,
                             const CellGrids &grids, Observer &observer) {
    return SoftRun(request, nearest, grids, observer).run();
}

} // namespace bowhist
