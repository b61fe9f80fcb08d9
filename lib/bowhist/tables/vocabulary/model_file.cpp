// A model of VLAD rows, as .npz (npz.hpp):
//
//     words.npy    k×d, float32: among prepared rows
//     mean.npy     1×D, float32, and
//     whiten.npy   D×C, float32: with the step whiten, the mean of D dimensions and a column for
//                  each component, divided by its deviation
//     axes.npy     c×(k·d), int16: of codes of c numbers, the axes of the projection, in 1/32000;
//                  0 rows where rows stay whole
//     offsets.npy  c, int32: the mean row's products with the axes
//     meta.npy     a single text, JSON: {"model": "vlad", "extractor": {...} as in c.bin.json,
//                  "prepare": {"steps": as text, "mirroring", "dimensions": D, "deviation"},
//                  "exponent", "fingerprint", "version", "seed", "iterations", "inertia",
//                  "descriptors", "seen", "images"}

#include <bowhist/tables/vocabulary/model_file.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/io/ending.hpp>
#include <bowhist/io/surrogate_escape.hpp>
#include <bowhist/tables/formats/float_matrix.hpp>
#include <bowhist/tables/formats/npz.hpp>
#include <bowhist/tables/formats/preparation_json.hpp>
#include <bowhist/tables/formats/sidecar_json.hpp>
#include <bowhist/tables/vocabulary/vocabulary_file.hpp>

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

namespace bowhist {
namespace {

/// An empty object where the archive holds none.
nlohmann::json meta_of(zip_t &archive, const InputFile &file) {
    const auto text = read_meta(archive, file);
    auto values = nlohmann::json::parse(protect_escapes(text.value_or("")), nullptr, false);
    return values.is_object() ? values : nlohmann::json::object();
}

/// What decides about rows.
nlohmann::ordered_json decisive_json(const VladModel &model) {
    return {{"model", "vlad"},
            {"extractor", as_json(model.recipe)},
            {"prepare", as_json_without_whiten(model.preparation)},
            {"exponent", model.exponent}};
}

/// An array of whole numbers. @throws Error of the file's fault
template <typename Number>
std::vector<Number> read_whole(zip_t &archive, const InputFile &file, const char *name,
                               std::string_view type, const std::vector<std::uint64_t> &shape) {
    require_entry(archive, file, name);
    ZipEntry entry(archive, file, name);
    const NpyHeader header = read_npy_header(entry);
    if (header.type != type || header.shape != shape)
        file.fail(fmt::format("expected {} to be {}, found {}; learn the model again", name,
                              description({std::string(type), shape}), description(header)));
    auto values = read_values<Number>(entry, npy_value_count(entry, header, sizeof(Number)));
    entry.require_end();
    return values;
}

Preparation read_preparation(zip_t &archive, const InputFile &file, const Section &meta) {
    Preparation preparation = preparation_without_whiten_in(meta.section("prepare"));
    if (has_step(preparation.steps, PreparationStep::Kind::whiten)) {
        preparation.mean = read_matrix(archive, file, "mean.npy").values;
        preparation.projection = read_matrix(archive, file, "whiten.npy").values;
    }
    require_whole(meta, preparation);
    return preparation;
}

Projection read_projection(zip_t &archive, const InputFile &file, std::size_t row_size) {
    require_entry(archive, file, "offsets.npy");
    std::uint64_t count = 0;
    {
        ZipEntry entry(archive, file, "offsets.npy");
        const NpyHeader header = read_npy_header(entry);
        if (header.shape.size() == 1) count = header.shape[0];
    }
    Projection projection{
        {row_size, read_whole<std::int16_t>(archive, file, "axes.npy", "<i2", {count, row_size})},
        read_whole<std::int32_t>(archive, file, "offsets.npy", "<i4", {count})};
    // what WholeRows promises
    for (std::size_t c = 0; c < projection.axes.size(); ++c) {
        std::int64_t square = 0;
        for (const std::int64_t value : projection.axes.row(c)) square += value * value;
        if (square >= std::int64_t{1} << 31)
            file.fail(fmt::format("row {} of axes.npy is too long for an axis; learn the model "
                                  "again",
                                  c));
    }
    return projection;
}

ModelOrigin origin_in(const Section &meta) {
    return {.seed = meta.whole<std::uint64_t>("seed"),
            .iterations = meta.whole<int>("iterations"),
            .inertia = meta.number("inertia"),
            .descriptors = meta.whole<std::uint64_t>("descriptors"),
            .seen = meta.whole<std::uint64_t>("seen"),
            .images = meta.whole<std::uint64_t>("images"),
            .version = meta.text("version")};
}

VladModel read_from(const InputFile &file) {
    const ZipArchive archive = read_zip(file);
    const nlohmann::json values = meta_of(*archive, file);
    if (!values.contains("model"))
        file.fail("is no model; learn one: bowhist train --model vlad -o photos.npz INPUT...");
    const Section meta(file, values);
    if (meta.text("model") != "vlad")
        file.fail(fmt::format("is a model of another kind, \"{}\"; use the bowhist that made it",
                              meta.text("model")));
    VladModel model{.recipe = recipe_in(meta.section("extractor")),
                    .preparation = read_preparation(*archive, file, meta)};
    FloatMatrix words = read_matrix(*archive, file, "words.npy");
    model.words = {words.columns, std::move(words.values)};
    const double exponent = meta.number("exponent");
    if (model.words.size() == 0 ||
        model.words.dimensions != model.preparation.prepared_dimensions() ||
        !(std::abs(exponent) <= 200))
        file.fail("its words and steps do not fit together; learn the model again");
    model.exponent = static_cast<int>(exponent);
    model.projection = read_projection(*archive, file, model.words.values.size());
    model.origin = origin_in(meta);
    model.fingerprint = fingerprint(model);
    if (model.fingerprint != meta.text("fingerprint"))
        file.fail("was changed since it was written: its fingerprint differs; learn it again");
    return model;
}

} // namespace

bool holds_model(const std::filesystem::path &path) {
    if (ending_of(path) != ".npz") return false;
    try {
        const InputFile file(path, Fault::vocabulary);
        return meta_of(*read_zip(file), file).contains("model");
    } catch (const Error &) {
        return false; // reading it as a vocabulary reports the reason
    }
}

std::string fingerprint(const VladModel &model) {
    std::string bytes = text_of(decisive_json(model), -1);
    const auto append = [&](const auto &values) {
        bytes += fmt::format(" {} ", values.size());
        bytes.append(reinterpret_cast<const char *>(values.data()),
                     values.size() * sizeof(values[0]));
    };
    append(model.words.values);
    append(model.preparation.mean);
    append(model.preparation.projection);
    append(model.projection.axes.values);
    append(model.projection.offsets);
    return fingerprint_of_bytes(bytes);
}

VladModel read_model(const std::filesystem::path &path) {
    const InputFile file(path, Fault::vocabulary);
    try {
        return read_from(file);
    } catch (const Error &error) { // of an archive, which may hold inputs, too
        throw Error(Fault::vocabulary, error.what());
    }
}

void write_model(const std::filesystem::path &path, const VladModel &model) {
    NpzArchive archive(path);
    archive.add_rows("words.npy", model.words.dimensions, model.words.values);
    const Preparation &preparation = model.preparation;
    if (!preparation.mean.empty()) {
        archive.add_rows("mean.npy", preparation.mean.size(), preparation.mean);
        archive.add_rows("whiten.npy", preparation.projection.size() / preparation.mean.size(),
                         preparation.projection);
    }
    const Projection &projection = model.projection;
    archive.add_array("axes.npy", "<i2", {projection.axes.size(), model.words.values.size()},
                      std::as_bytes(std::span(projection.axes.values)));
    archive.add_array("offsets.npy", "<i4", {projection.offsets.size()},
                      std::as_bytes(std::span(projection.offsets)));
    nlohmann::ordered_json meta = decisive_json(model);
    meta["fingerprint"] = fingerprint(model);
    meta["version"] = protect_bytes(model.origin.version);
    meta["seed"] = model.origin.seed;
    meta["iterations"] = model.origin.iterations;
    meta["inertia"] = model.origin.inertia;
    meta["descriptors"] = model.origin.descriptors;
    meta["seen"] = model.origin.seen;
    meta["images"] = model.origin.images;
    archive.add_text("meta.npy", text_of(meta, -1));
    archive.commit();
}

} // namespace bowhist
