#include <bowhist/pipeline/encoded_stream.hpp>

#include <bowhist/core/shown_words.hpp>
#include <bowhist/encode/code.hpp>
#include <bowhist/encode/preparation.hpp>
#include <bowhist/encode/projection.hpp>
#include <bowhist/encode/vlad.hpp>
#include <bowhist/pipeline/in_cells.hpp>

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
        if (words.empty()) { // zeros
            encoded.row.resize(encoded.row.size() + (makes_codes() ? 0 : model_.row_size()));
            encoded.code.resize(encoded.code.size() + (makes_codes() ? model_.row_size() : 0));
            return;
        }
        const std::vector<float> row = encoder_.encode(rows, words);
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

StreamCounts stream_encoded(std::span<const Input> inputs, const Extractor &extractor,
                            const VladModel &model, Assigner &assigner, StreamOptions options,
                            Observer &observer, const std::function<void(EncodedImage &&)> &sink,
                            const CellGrids &grids) {
    options.dimensions = model.words.dimensions;
    options.prepare = [&model](Described &described) {
        described.descriptors =
            prepare(model.preparation, described.descriptors, described.width, described.height);
    };
    require_places(grids, options);
    const ImageEncoder encoder(model, grids);
    const auto encode = [&](const ImageWords &image, EncodedImage &encoded) {
        encoder.encode(image, encoded);
        encoded.shown = shown_by(image.words, model.words.size());
    };
    return stream_words(inputs, extractor, options, assigner, observer, encode, sink);
}

VocabularyPair descriptors_of(const VladModel &model, const std::filesystem::path &path) {
    return {.path = path,
            .vocabulary = {model.preparation.dimensions, {}},
            .fingerprint = model.fingerprint,
            .recorded = {.sidecar = VocabularySidecar{.recipe = model.recipe}}};
}

} // namespace bowhist
