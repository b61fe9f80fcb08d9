#include <bowhist/library/library.hpp>
#include <bowhist/library/models.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/library/points.hpp>
#include <bowhist/pipeline/output_check.hpp>
#include <bowhist/tables/histograms/histogram_writer.hpp>
#include <bowhist/tables/histograms/row_writer.hpp>

#include <fmt/format.h>

namespace bowhist {
namespace {

const LibraryModel &model_of(const std::map<std::string, LibraryModel> &models,
                             const ExportRequest &request) {
    const bool code = request.what == ExportWhat::code;
    const char *kind = code ? "code" : "words";
    const auto found = models.find(kind);
    if (found == models.end())
        throw Error(Fault::usage,
                    fmt::format("{} has no {}; export --what {}, or make a new library, which has "
                                "both: bowhist index -o NEW.bow INPUT...",
                                request.library, code ? "codes" : "words",
                                code ? "words" : "code"));
    return found->second;
}

std::size_t export_words(const Library &library, const LibraryModel &model,
                         const ExportRequest &request, const Observer &observer) {
    const auto writer = open_histograms(request.output, {.words = model.size,
                                                         .normalization = request.normalization,
                                                         .fingerprint = model.fingerprint,
                                                         .extractor = model.recipe,
                                                         .rule = rule_of(model.recipe)});
    std::size_t rows = 0;
    library.for_each_image(
        [&](const LibraryImage &image) {
            observer.stop_if_interrupted();
            writer->write(library.histogram(image));
            ++rows;
        },
        request.glob);
    writer->finish();
    return rows;
}

std::size_t export_codes(const Library &library, const LibraryModel &model,
                         const ExportRequest &request, const Observer &observer) {
    const auto steps = model.recipe.find(" --prepare ");
    const auto writer = open_rows(
        request.output,
        {.size = model.size,
         .codes = true,
         .encoding = "vlad",
         .fingerprint = model.fingerprint,
         .extractor = model.recipe.substr(0, steps),
         .preparation = steps == std::string::npos ? "" : model.recipe.substr(steps + 11)});
    std::size_t rows = 0;
    library.for_each_image(
        [&](const LibraryImage &image) {
            observer.stop_if_interrupted();
            const Library::Code code = library.code(image);
            writer->write(
                {.image = image.path, .descriptors = code.descriptors, .code = code.values});
            ++rows;
        },
        request.glob);
    writer->finish();
    return rows;
}

} // namespace

std::size_t export_library(const ExportRequest &request, Observer &observer) {
    check_outputs({request.output}, {request.library});
    const Library library(request.library);
    const auto models = library.models();
    const auto points = points_format(request.output);
    if (points && !request.what) return export_points(library, request, *points, observer);
    const LibraryModel &model = model_of(models, request);
    if (points) return export_points(library, request, *points, observer);
    return request.what == ExportWhat::code ? export_codes(library, model, request, observer)
                                            : export_words(library, model, request, observer);
}

} // namespace bowhist
