// Many pictures' descriptors: all.fbin (float_matrix.cpp), and all.fbin.json beside it:
//
//     {"pictures": [{"picture": its path (bytes that are not UTF-8 as \udcXX),
//                    "first": its first row, "descriptors": how many rows it has}, ...],
//      "extractor": as in other sidecars, "version": of bowhist}
//
// The pictures lie in this order, without gaps.

#include <bowhist/tables/descriptor_collection.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/core/version.hpp>
#include <bowhist/io/ending.hpp>
#include <bowhist/io/surrogate_escape.hpp>
#include <bowhist/tables/float_matrix.hpp>
#include <bowhist/tables/sidecar_json.hpp>

#include <fmt/format.h>

#include <limits>
#include <system_error>

namespace bowhist {

namespace {

nlohmann::json parse(InputFile &sidecar) {
    constexpr std::uint64_t most_bytes = 1 << 30; // ten million pictures
    if (sidecar.size() > most_bytes)
        sidecar.fail(fmt::format("has {} bytes; expected a sidecar of bowhist, at most {}",
                                 sidecar.size(), most_bytes));
    return parse_object(sidecar, sidecar.read_text());
}

/// The picture whose first row should be `row`.
CollectedPicture picture_in(const Section &section, std::uint64_t row) {
    CollectedPicture picture{section.text("picture"), section.whole<std::uint64_t>("first"),
                             section.whole<std::uint32_t>("descriptors")};
    if (picture.first != row)
        section.fail(fmt::format("{} begins at row {}, but the pictures before it end at {}; "
                                 "extract them again",
                                 excerpt(picture.picture), picture.first, row));
    return picture;
}

} // namespace

SavedDescriptors DescriptorCollection::read(const CollectedPicture &picture) const {
    InputFile file(path, Fault::input);
    read_fbin_header(file);
    file.skip(picture.first * dimensions * sizeof(float));
    FloatMatrix rows{dimensions, read_values<float>(file, picture.rows * dimensions)};
    require_finite(file, rows, picture.first);
    return {{dimensions, std::move(rows.values)}, DescriptorSidecar{picture.picture, recipe}};
}

std::optional<DescriptorCollection> read_collection(const std::filesystem::path &path) {
    std::error_code unknown; // then opening it tells the reason
    if (ending_of(path) != ".fbin" || !std::filesystem::exists(sidecar_path(path), unknown))
        return std::nullopt;
    InputFile sidecar(sidecar_path(path), Fault::input);
    const auto values = parse(sidecar);
    const Section all(sidecar, values);
    if (!all.has("pictures")) return std::nullopt;
    DescriptorCollection collection{path, 0, recipe_in(all.section("extractor"))};
    std::uint64_t rows = 0;
    for (const auto &value : all.list("pictures")) {
        collection.pictures.push_back(picture_in(Section(sidecar, value), rows));
        rows += collection.pictures.back().rows;
    }
    InputFile file(path, Fault::input);
    const auto [there, dimensions] = read_fbin_header(file);
    if (there != rows)
        file.fail(fmt::format("holds {} descriptors, but {} tells of {}; extract them again", there,
                              sidecar.name(), rows));
    collection.dimensions = dimensions;
    return collection;
}

CollectionWriter::CollectionWriter(const std::filesystem::path &path)
    : file_(path), sidecar_(sidecar_path(path)) {
    file_.rewind(); // a pipe refuses now, and not after hours of work
    file_.write(fbin_header(0, 0));
    sidecar_.write("{\n  \"pictures\": [");
}

void CollectionWriter::write(const Descriptors &descriptors, const DescriptorSidecar &told) {
    constexpr std::uint64_t most = std::numeric_limits<std::int32_t>::max();
    if (descriptors.size() > most - rows_)
        throw Error(Fault::output,
                    fmt::format("{}: holds {} descriptors at most; give some of the pictures a "
                                "file of their own",
                                printable(file_.destination()), most));
    if (descriptors.dimensions > 0) dimensions_ = descriptors.dimensions;
    sidecar_.write(fmt::format("{}\n    {{\"picture\": {}, \"first\": {}, \"descriptors\": {}}}",
                               recipe_ ? "," : "", json_string(told.picture), rows_,
                               descriptors.size()));
    file_.write(bytes_of(descriptors.values));
    rows_ += descriptors.size();
    if (!recipe_) recipe_ = told.recipe;
    if (!recipe_->comparable(told.recipe)) recipe_ = Recipe::imported();
}

void CollectionWriter::finish() {
    sidecar_.write(fmt::format("\n  ],\n  \"extractor\": {},\n  \"version\": {}\n}}\n",
                               text_of(as_json(recipe_.value_or(Recipe::imported())), -1),
                               json_string(version())));
    file_.rewind();
    file_.write(fbin_header(rows_, dimensions_));
    file_.close(); // a full disk leaves both as they were
    sidecar_.close();
    file_.commit();
    sidecar_.commit();
}

} // namespace bowhist
