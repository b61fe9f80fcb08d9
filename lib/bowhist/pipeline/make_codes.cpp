#include <bowhist/pipeline/make_codes.hpp>

#include <bowhist/core/default_floats.hpp>
#include <bowhist/pipeline/encoded_stream.hpp>
#include <bowhist/pipeline/in_cells.hpp>
#include <bowhist/pipeline/row_run.hpp>
#include <bowhist/pipeline/tally_stream.hpp>
#include <bowhist/tables/vocabulary/model_file.hpp>
#include <bowhist/tables/vocabulary/tree_file.hpp>

#include <fmt/format.h>

namespace bowhist {
namespace {

/// The histograms of all cells, end to end.
std::vector<std::uint32_t> count_cells(const ImageWords &image, const CellGrids &grids,
                                       std::size_t k) {
    std::vector<std::uint32_t> counts(cell_count(grids) * k);
    std::size_t first = 0; // cell of the grid
    for (const CellGrid &grid : grids) {
        const auto cells = cells_of(image.described, grid, image.words.size());
        for (std::size_t i = 0; i < cells.size(); ++i)
            ++counts[(first + cells[i]) * k + static_cast<std::size_t>(image.words[i])];
        first += grid.size();
    }
    return counts;
}

/// Codes by a model.
class CodeRun {
  public:
    CodeRun(const HistogramRequest &request, const CellGrids &grids, Observer &observer)
        : request_(request), grids_(grids), observer_(observer) {}

    HistogramRun run() const {
        const VladModel model = read_model(request_.centroids);
        const VocabularyPair recorded = descriptors_of(model, request_.centroids);
        const std::size_t size = numbers_in(grids_, model.row_size(), model.makes_codes());
        RowRun run(request_, recorded, observer_);
        const std::string steps = as_text(model.preparation.steps);
        if (auto complete = run.settle({.size = size,
                                        .codes = model.makes_codes(),
                                        .encoding = as_encoding("vlad", grids_),
                                        .fingerprint = model.fingerprint,
                                        .extractor = run.extractor_text(),
                                        .preparation = steps}))
            return *std::move(complete);
        run.choose_level_for(model.words, steps);
        run.open();
        return run.finish(stream_encoded(
            run.list().inputs, run.recipe(), model, run.assigner(), run.options, observer_,
            [&](EncodedImage &&encoded) { run.write(encoded); }, grids_));
    }

  private:
    const HistogramRequest &request_; ///< outlives it, as the others do
    const CellGrids &grids_;
    Observer &observer_;
};

/// Histograms of cells.
class PyramidRun {
  public:
    PyramidRun(const HistogramRequest &request, const CellGrids &grids, Observer &observer)
        : request_(request), grids_(grids), observer_(observer) {}

    HistogramRun run() const {
        const VocabularyPair pair = read_vocabulary_pair(request_.centroids, request_.descends);
        auto weights = weights_for(pair, request_.normalization);
        if (weights) weights = weights->scaled(grids_.size());
        const std::size_t k = pair.vocabulary.size();
        const std::size_t size = numbers_in(grids_, k);
        RowRun run(request_, pair, observer_);
        const std::string steps = steps_of(pair);
        if (auto complete =
                run.settle({.size = size,
                            .codes = false,
                            .encoding = "pyramid " + as_text(grids_),
                            .fingerprint = fingerprint_of_histograms(pair),
                            .extractor = run.extractor_text(),
                            .preparation = steps,
                            .normalization = std::string(name_of(request_.normalization)),
                            .rule = pair.rule()}))
            return *std::move(complete);
        run.choose_level_for(pair.vocabulary, steps);
        run.open();
        const auto write = [&](EncodedImage &&encoded) { run.write(encoded); };
        const auto make_row = [&](std::span<const std::uint32_t> counts, EncodedImage &encoded) {
            const DefaultFloats floats;
            encoded.row = features(counts, request_.normalization, weights);
        };
        const Preparation *preparation = pair.recorded.preparation();
        const TallyShape shape{.grids = grids_,
                               .words = k,
                               .dimensions = pair.vocabulary.dimensions,
                               .rows_each = preparation ? rows_after(preparation->steps) : 1};
        if (const auto counts =
                stream_tallies(run.list().inputs, run.recipe(), preparation, shape, run.assigner(),
                               run.options, observer_, make_row, write))
            return run.finish(*counts);
        require_places(grids_, run.options);
        const auto encode = [&](const ImageWords &image, EncodedImage &encoded) {
            make_row(count_cells(image, grids_, k), encoded);
        };
        return run.finish(stream_words(run.list().inputs, run.recipe().extractor(), run.options,
                                       run.assigner(), observer_, encode, write));
    }

  private:
    const HistogramRequest &request_; ///< outlives it, as the others do
    const CellGrids &grids_;
    Observer &observer_;
};

} // namespace

HistogramRun make_codes(const HistogramRequest &request, const CellGrids &grids,
                        Observer &observer) {
    return CodeRun(request, grids, observer).run();
}

HistogramRun make_pyramids(const HistogramRequest &request, const CellGrids &grids,
                           Observer &observer) {
    return PyramidRun(request, grids, observer).run();
}

} // namespace bowhist
