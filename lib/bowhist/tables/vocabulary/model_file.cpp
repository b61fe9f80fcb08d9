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
//
// Where codes of images are kept with it (groups.json.npz):
//
//     codes.npy    n×c, int8
//     shown.npy    n×⌈k/8⌉, uint8: the words that each image shows (core/shown_words.hpp)
//     images.npy   n names, as those of histograms
//     stamps.npy   n×2, int64: each file's size and its time of modification, in nanoseconds

#include <bowhist/tables/vocabulary/model_file.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/io/ending.hpp>
#include <bowhist/io/surrogate_escape.hpp>
#include <bowhist/tables/formats/float_matrix.hpp>
#include <bowhist/tables/formats/name_column.hpp>
#include <bowhist/tables/formats/npz.hpp>
#include <bowhist/tables/formats/sidecar_json.hpp>
#include <bowhist/tables/vocabulary/vocabulary_file.hpp>

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

namespace bowhist {
namespace {

/// The settings that decide about rows.
nlohmann::ordered_json decisive_json(const VladModel &model) {
    return {{"model", "vlad"},
            {"extractor", as_json(model.recipe)},
            {"prepare", as_json_without_whiten(model.preparation)},
            {"exponent", model.exponent}};
}

/// An array of whole numbers. @throws Error of the file's fault
template <typename Number>
std::vector<Number> read_whole(const InputFile &file, const NpzFile &archive, const char *name,
                               std::string_view type, const std::vector<std::uint64_t> &shape) {
    ZipEntry entry = archive.entry(name);
    const NpyHeader header = read_npy_header(entry);
    if (header.type != type || header.shape != shape)
        file.fail("expected {} to be {}, found {}; learn the model again", name,
                  description({std::string(type), shape}), description(header));
    auto values = read_values<Number>(entry, npy_value_count(entry, header, sizeof(Number)));
    entry.require_end();
    return values;
}

Preparation read_preparation(const NpzFile &archive, const Section &meta) {
    Preparation preparation = preparation_without_whiten_in(meta.section("prepare"));
    if (has_step(preparation.steps, PreparationStep::Kind::whiten)) {
        preparation.mean = archive.matrix("mean.npy").values;
        preparation.projection = archive.matrix("whiten.npy").values;
    }
    require_whole(meta, preparation);
    return preparation;
}

Projection read_projection(const InputFile &file, const NpzFile &archive, std::size_t row_size) {
    ZipEntry offsets = archive.entry("offsets.npy");
    const NpyHeader header = read_npy_header(offsets);
    const std::uint64_t count = header.shape.size() == 1 ? header.shape[0] : 0;
    Projection projection{
        {row_size, read_whole<std::int16_t>(file, archive, "axes.npy", "<i2", {count, row_size})},
        read_whole<std::int32_t>(file, archive, "offsets.npy", "<i4", {count})};
    // what WholeRows promises
    for (std::size_t c = 0; c < projection.axes.size(); ++c) {
        std::int64_t square = 0;
        for (const std::int64_t value : projection.axes.row(c)) square += value * value;
        if (square >= std::int64_t{1} << 31)
            file.fail("row {} of axes.npy is too long for an axis; learn the model again", c);
    }
    return projection;
}

ModelOrigin origin_in(const Section &meta) {
    return {.seed = meta.get<std::uint64_t>("seed"),
            .iterations = meta.get<int>("iterations"),
            .inertia = meta.get<double>("inertia"),
            .descriptors = meta.get<std::uint64_t>("descriptors"),
            .seen = meta.get<std::uint64_t>("seen"),
            .images = meta.get<std::uint64_t>("images"),
            .version = meta.text("version")};
}

VladModel read_from(const InputFile &file) {
    const NpzFile archive(file);
    const nlohmann::json values = archive.meta();
    if (!values.contains("model"))
        file.fail("is no model; learn one: bowhist train --model vlad -o photos.npz INPUT...");
    const Section meta(file, values);
    if (meta.text("model") != "vlad")
        file.fail("is a model of another kind, \"{}\"; use the bowhist that made it",
                  meta.text("model"));
    VladModel model{.recipe = recipe_in(meta.section("extractor")),
                    .preparation = read_preparation(archive, meta)};
    FloatMatrix words = archive.matrix("words.npy");
    model.words = {words.columns, std::move(words.values)};
    const double exponent = meta.get<double>("exponent");
    if (model.words.size() == 0 ||
        model.words.dimensions != model.preparation.prepared_dimensions() ||
        !(std::abs(exponent) <= 200))
        file.fail("its words and steps do not fit together; learn the model again");
    model.exponent = static_cast<int>(exponent);
    model.projection = read_projection(file, archive, model.words.values.size());
    model.origin = origin_in(meta);
    model.fingerprint = fingerprint(model);
    if (model.fingerprint != meta.text("fingerprint"))
        file.fail("was changed since it was written: its fingerprint differs; learn it again");
    return model;
}

/// @param names  gets the images' names; an entry that the caller adds
void add_codes(NpzArchive &archive, const std::filesystem::path &path, const StoredCodes &stored,
               Spool &names) {
    const std::uint64_t rows = stored.images.size();
    archive.add_array("codes.npy", "|i1", {rows, stored.codes.dimensions},
                      std::as_bytes(std::span(stored.codes.values)));
    archive.add_array("shown.npy", "|u1", {rows, stored.shown.row_bytes()},
                      std::as_bytes(std::span(stored.shown.bits)));
    std::vector<std::int64_t> stamps;
    for (const FileStamp &stamp : stored.stamps) {
        stamps.push_back(static_cast<std::int64_t>(stamp.size));
        stamps.push_back(stamp.modified);
    }
    archive.add_array("stamps.npy", "<i8", {rows, 2}, std::as_bytes(std::span(stamps)));
    if (!stored.groups.empty())
        archive.add_array("groups.npy", "<i4", {rows}, std::as_bytes(std::span(stored.groups)));
    NameColumn column(path);
    for (const std::string &image : stored.images) column.add(image);
    column.lay_out(names);
}

} // namespace

bool holds_model(const std::filesystem::path &path) {
    if (ending_of(path) != ".npz") return false;
    try {
        const InputFile file(path, Fault::vocabulary);
        return NpzFile(file).meta().contains("model");
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

void write_model(const std::filesystem::path &path, const VladModel &model,
                 const StoredCodes *codes) {
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
    Spool names(path);
    if (codes != nullptr) {
        add_codes(archive, path, *codes, names);
        archive.add("images.npy", names);
    }
    archive.commit();
}

StoredCodes read_stored_codes(const std::filesystem::path &path, const VladModel &model) {
    const InputFile file(path, Fault::input);
    const NpzFile archive(file);
    StoredCodes stored;
    {
        ZipEntry entry = archive.entry("codes.npy");
        const NpyHeader header = read_npy_header(entry);
        if (header.type != "|i1" || header.shape.size() != 2 || header.shape[1] != model.row_size())
            file.fail("expected codes.npy to be a table of int8 with {} columns, found {}",
                      model.row_size(), description(header));
        stored.codes.dimensions = header.shape[1];
        stored.codes.values =
            read_values<std::int8_t>(entry, npy_value_count(entry, header, sizeof(std::int8_t)));
        entry.require_end();
    }
    const std::uint64_t rows = stored.codes.size();
    ZipEntry images = archive.entry("images.npy");
    stored.images = read_names(images, read_names_header(images, rows));
    stored.shown.words = model.words.size();
    stored.shown.bits = read_whole<std::uint8_t>(file, archive, "shown.npy", "|u1",
                                                 {rows, stored.shown.row_bytes()});
    const auto stamps = read_whole<std::int64_t>(file, archive, "stamps.npy", "<i8", {rows, 2});
    for (std::uint64_t row = 0; row < rows; ++row)
        stored.stamps.push_back({static_cast<std::uint64_t>(stamps[2 * row]), stamps[2 * row + 1]});
    if (archive.has("groups.npy"))
        stored.groups = read_whole<std::int32_t>(file, archive, "groups.npy", "<i4", {rows});
    return stored;
}

} // namespace bowhist
