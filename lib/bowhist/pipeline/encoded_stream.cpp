#include <bowhist/pipeline/encoded_stream.hpp>

#include <bowhist/core/shown_words.hpp>
#include <bowhist/encode/code.hpp>
#include <bowhist/encode/preparation.hpp>
#include <bowhist/encode/projection.hpp>
#include <bowhist/encode/vlad.hpp>
#include <bowhist/pipeline/in_cells.hpp>
#include <bowhist/pipeline/tally_stream.hpp>

#include <algorithm>

namespace bowhist {
namespace {

/// The rows of a cell, with their words.
struct RowsOfCell {
    std::vector<float> rows = {};
    std::vector<std::int32_t> words = {};
};

std::vector<RowsOfCell> split(const ImageWords &image, const CellGrid &grid,
                              std::size_t dimensions) {
    std::vector<RowsOfCell> split(grid.size());
    const auto cells = cells_of(image.described, grid, image.words.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const auto row = image.rows.subspan(i * dimensions, dimensions);
        RowsOfCell &cell = split[cells[i]];
        cell.rows.insert(cell.rows.end(), row.begin(), row.end());
        cell.words.push_back(image.words[i]);
    }
    return split;
}

/// Codes or rows of an image's cells, end to end.
class ImageEncoder {
  public:
    ImageEncoder(const VladModel &model, const CellGrids &grids)
        : model_(model), grids_(grids), encoder_(model.words, model.exponent) {}

    TallyShape shape() const {
        return {grids_, model_.words.size(), model_.words.dimensions, model_.exponent,
                rows_after(model_.preparation.steps)};
    }

    /// @param tally  of shape()
    void encode(std::span<const std::uint32_t> tally, EncodedImage &encoded) const {
        const std::size_t size = shape().cell_size();
        for (; !tally.empty(); tally = tally.subspan(size)) {
            const auto counts = tally.first(model_.words.size());
            if (std::ranges::any_of(counts, [](std::uint32_t count) { return count > 0; }))
                append(encoder_.encode(tally.first(size)), encoded);
            else
                append_zeros(encoded);
        }
    }

    void encode(const ImageWords &image, EncodedImage &encoded) const {
        for (const CellGrid &grid : grids_)
            if (grid.size() == 1)
                append(image.rows, image.words, encoded);
            else
                for (const RowsOfCell &cell : split(image, grid, model_.words.dimensions))
                    append(cell.rows, cell.words, encoded);
    }

  private:
    void append(std::span<const float> rows, std::span<const std::int32_t> words,
                EncodedImage &encoded) const {
        if (words.empty())
            append_zeros(encoded);
        else
            append(encoder_.encode(rows, words), encoded);
    }

    void append_zeros(EncodedImage &encoded) const {
        encoded.row.resize(encoded.row.size() + (makes_codes() ? 0 : model_.row_size()));
        encoded.code.resize(encoded.code.size() + (makes_codes() ? model_.row_size() : 0));
    }

    void append(const std::vector<float> &row, EncodedImage &encoded) const {
        if (makes_codes()) {
            const auto code = code_of(project(model_.projection, whole_row(row)));
            encoded.code.insert(encoded.code.end(), code.begin(), code.end());
        } else {
            encoded.row.insert(encoded.row.end(), row.begin(), row.end());
        }
    }

    bool makes_codes() const { return model_.makes_codes(); }

    const VladModel &model_; ///< outlives it, as the grids do
    const CellGrids &grids_;
    VladEncoder encoder_;
};

std::vector<std::uint8_t> shown_by(std::span<const std::int32_t> words, std::size_t k) {
    std::vector<std::uint32_t> counts(k, 0);
    for (const std::int32_t word : words) ++counts[static_cast<std::size_t>(word)];
    return shown_words(counts);
}

} // namespace

StreamCounts stream_encoded(std::span<const Input> inputs, const PreparedRecipe &recipe,
                            const VladModel &model, Assigner &assigner, StreamOptions options,
                            Observer &observer, const std::function<void(EncodedImage &&)> &sink,
                            const CellGrids &grids) {
    const ImageEncoder encoder(model, grids);
    const TallyShape shape = encoder.shape();
    const auto encode_tally = [&](std::span<const std::uint32_t> tally, EncodedImage &encoded) {
        encoder.encode(tally, encoded);
        encoded.shown = shown_words(words_in(shape, tally));
    };
    if (const auto counts = stream_tallies(inputs, recipe, &model.preparation, shape, assigner,
                                           options, observer, encode_tally, sink))
        return *counts;
    options.dimensions = model.words.dimensions;
    options.prepare = [&model](Described &described) {
        described.descriptors =
            prepare(model.preparation, described.descriptors, described.width, described.height);
    };
    require_places(grids, options);
    const auto encode = [&](const ImageWords &image, EncodedImage &encoded) {
        encoder.encode(image, encoded);
        encoded.shown = shown_by(image.words, model.words.size());
    };
    return stream_words(inputs, recipe.extractor(), options, assigner, observer, encode, sink);
}

VocabularyPair descriptors_of(const VladModel &model, const std::filesystem::path &path) {
    return {.path = path,
            .vocabulary = {model.preparation.dimensions, {}},
            .fingerprint = model.fingerprint,
            .recorded = {.sidecar = VocabularySidecar{.recipe = model.recipe}}};
}

} // namespace bowhist
