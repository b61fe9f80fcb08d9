#include <bowhist/pipeline/make_codes.hpp>

#include <bowhist/assign/choose/unused_options.hpp>
#include <bowhist/core/default_floats.hpp>
#include <bowhist/pipeline/encoded_stream.hpp>
#include <bowhist/pipeline/output_check.hpp>
#include <bowhist/tables/histograms/row_writer.hpp>
#include <bowhist/tables/vocabulary/model_file.hpp>

#include <fmt/format.h>

namespace bowhist {
namespace {

/// A run that writes rows: its inputs, its level and its file.
class RowRun {
  public:
    /// @param recorded  what the descriptors are made by; outlives it
    RowRun(const HistogramRequest &request, const VocabularyPair &recorded, Observer &observer)
        : request_(request), observer_(observer), recipe_(request.recipe, recorded),
          wished_(request.level) {
        run_.inputs.list = list_given_inputs(request.inputs, request.stream.strict, observer);
        run_.inputs.recipe = recipe_.recipe();
        check_outputs({request.output}, {request.centroids, request.inputs.list}, list());
        wished_.options.threads = request.stream.threads;
        wished_.options.observer = &observer;
        options = recipe_.options_for(list(), request.stream, {wished_.device, wished_.kernel_dir},
                                      observer);
        run_.inputs.few = options.few;
    }

    void choose_level_for(const Vocabulary &words, const std::string &steps) {
        constexpr double rows_an_image = 10'000; // about: none was read yet
        const double rows = rows_an_image * static_cast<double>(list().inputs.size());
        wished_.host_seconds = host_seconds(wished_, words.dimensions, words.size(), rows);
        level_ = choose_level(wished_, words.dimensions, words.size());
        observer_.note(fmt::format("extracting with {}{}, assigning with {}", extractor_text(),
                                   steps.empty() ? "" : ", preparing by " + steps, level_.name()));
        warn_of_unused_device(wished_, level_, options.preprocessor != nullptr, observer_);
        assigner_ = level_.prepare(words);
    }

    void open(const RowFileInfo &info) { writer_ = open_rows(request_.output, info); }

    void write(const EncodedImage &encoded) {
        writer_->write({encoded.image, encoded.descriptors, encoded.code, encoded.row});
    }

    HistogramRun finish(const StreamCounts &counts) {
        writer_->finish();
        run_.inputs.counts = counts;
        run_.parts.push_back({level_, assigner_->report()});
        return std::move(run_);
    }

    const InputList &list() const { return run_.inputs.list; }
    const Extractor &extractor() const { return recipe_.extractor(); }
    std::string extractor_text() const { return as_options(recipe_.recipe()); }
    Assigner &assigner() { return *assigner_; }

    StreamOptions options;

  private:
    const HistogramRequest &request_;
    Observer &observer_;
    PreparedRecipe recipe_;
    LevelRequest wished_;
    LevelChoice level_;
    HistogramRun run_;
    std::unique_ptr<Assigner> assigner_;
    std::unique_ptr<RowWriter> writer_;
};

/// Makes sure that an image's descriptors have a place in it.
void require_places(const Described &described) {
    const Descriptors &found = described.descriptors;
    if (found.size() == 0 || (found.keypoints.size() == found.size() && described.width > 0))
        return;
    throw Error(Fault::input, "where its descriptors lie in their picture is unknown, which cells "
                              "need; give the picture itself");
}

/// The histograms of all cells, end to end.
std::vector<std::uint32_t> count_cells(const ImageWords &image, const CellGrids &grids,
                                       std::size_t k) {
    const Described &described = image.described;
    std::vector<std::uint32_t> counts(cell_count(grids) * k);
    for (std::size_t i = 0; i < image.words.size(); ++i) {
        std::size_t first = 0; // cell of the grid
        for (const CellGrid &grid : grids) {
            const std::size_t cell =
                grid.cell_of(described.descriptors.keypoints[i], described.width, described.height);
            ++counts[(first + cell) * k + static_cast<std::size_t>(image.words[i])];
            first += grid.size();
        }
    }
    return counts;
}

} // namespace

HistogramRun make_codes(const HistogramRequest &request, Observer &observer) {
    const VladModel model = read_model(request.centroids);
    const VocabularyPair recorded = descriptors_of(model, request.centroids);
    RowRun run(request, recorded, observer);
    const std::string steps = as_text(model.preparation.steps);
    run.choose_level_for(model.words, steps);
    run.open({.size = model.row_size(),
              .codes = model.makes_codes(),
              .encoding = "vlad",
              .fingerprint = model.fingerprint,
              .extractor = run.extractor_text(),
              .preparation = steps});
    return run.finish(stream_encoded(run.list().inputs, run.extractor(), model, run.assigner(),
                                     run.options, observer,
                                     [&](EncodedImage &&encoded) { run.write(encoded); }));
}

HistogramRun make_pyramids(const HistogramRequest &request, const CellGrids &grids,
                           Observer &observer) {
    const VocabularyPair pair = read_vocabulary_pair(request.centroids);
    auto weights = weights_for(pair, request.normalization);
    if (weights) weights = weights->scaled(grids.size());
    RowRun run(request, pair, observer);
    const Preparation *preparation = pair.recorded.preparation();
    const std::string steps = preparation ? as_text(preparation->steps) : "";
    const std::size_t k = pair.vocabulary.size();
    run.choose_level_for(pair.vocabulary, steps);
    run.open({.size = cell_count(grids) * k,
              .codes = false,
              .encoding = "pyramid " + as_text(grids),
              .fingerprint = pair.fingerprint,
              .extractor = run.extractor_text(),
              .preparation = steps});
    run.options.prepare = [before = run.options.prepare](Described &described) {
        if (before) before(described);
        require_places(described);
    };
    const auto encode = [&](const ImageWords &image, EncodedImage &encoded) {
        const DefaultFloats floats;
        encoded.row = features(count_cells(image, grids, k), request.normalization, weights);
    };
    return run.finish(stream_words(run.list().inputs, run.extractor(), run.options, run.assigner(),
                                   observer, encode,
                                   [&](EncodedImage &&encoded) { run.write(encoded); }));
}

} // namespace bowhist
