// Many images' descriptors: all.fbin (float_matrix.cpp), and all.fbin.json beside it:
//
//     {"images": [{"image": its path (bytes that are not UTF-8 as \udcXX),
//                    "first": its first row, "descriptors": how many rows it has,
//                    "fingerprint": XXH3-64 of these rows' bytes, in hexadecimal}, ...],
//      "extractor": as in other sidecars, "version": of bowhist}
//
// The images lie in this order, without gaps.

#include <bowhist/tables/descriptors/descriptor_collection.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/core/version.hpp>
#include <bowhist/io/ending.hpp>
#include <bowhist/io/file_room.hpp>
#include <bowhist/io/foreign_file.hpp>
#include <bowhist/io/input_file.hpp>
#include <bowhist/tables/formats/float_matrix.hpp>
#include <bowhist/tables/formats/sidecar_json.hpp>

#include <fmt/format.h>

#include <functional>
#include <limits>
#include <system_error>

namespace bowhist {

namespace {

constexpr std::uint64_t most_sidecar_bytes = 1 << 30; // millions of images

/// The byte at which a row begins.
std::uint64_t position_of(std::uint64_t row, std::size_t dimensions) {
    return fbin_header(0, 0).size() + row * dimensions * sizeof(float);
}

/// The rows of one image, which errors name.
class ImageRows : public ByteSource {
  public:
    ImageRows(const InputFile &file, const CollectedImage &image, std::size_t dimensions)
        : ByteSource(file.name() + ", picture " + excerpt(image.image), Fault::input), file_(file),
          position_(position_of(image.first, dimensions)),
          end_(position_of(image.first + image.rows, dimensions)) {}

    std::uint64_t remaining() const override { return end_ - position_; }
    void read(std::span<std::byte> into) override {
        file_.read_at(position_, into);
        position_ += into.size();
    }

  private:
    const InputFile &file_;
    std::uint64_t position_;
    std::uint64_t end_;
};

/// The image whose first row should be `row`.
CollectedImage image_in(const Section &section, std::uint64_t row) {
    CollectedImage image{section.text("picture"), section.get<std::uint64_t>("first"),
                         section.get<std::uint32_t>("descriptors"), fingerprint_in(section)};
    if (image.image.empty() || image.image.find('\0') != std::string::npos)
        section.fail("names a picture \"{}\", which no file is called; extract them again",
                     excerpt(image.image));
    if (image.first != row)
        section.fail(
            "{} begins at row {}, but the pictures before it end at {}; extract them again",
            excerpt(image.image), image.first, row);
    return image;
}

/// Takes each image as soon as it is parsed: all of them as JSON would be five times as large.
struct ImageTaker {
    explicit ImageTaker(const InputFile &file) : sidecar(file) {}

    bool operator()(int depth, nlohmann::json::parse_event_t event, nlohmann::json &value) {
        using Event = nlohmann::json::parse_event_t;
        if (event == Event::key && depth == 1) in_images = value == "pictures";
        if (event != Event::object_end || depth != 2 || !in_images) return true;
        take(value);
        return false;
    }
    void take(const nlohmann::json &value) {
        taken.push_back(image_in(Section(sidecar, value), rows));
        rows += taken.back().rows;
    }

    const InputFile &sidecar;
    bool in_images = false;
    std::uint64_t rows = 0;
    std::vector<CollectedImage> taken = {};
};

} // namespace

SavedDescriptors DescriptorCollection::read(const CollectedImage &image) const {
    ImageRows source(*file, image, dimensions);
    FloatMatrix rows{dimensions, read_values<float>(source, image.rows * dimensions)};
    require_finite(source, rows, image.first);
    if (row_fingerprint(rows.values) != image.fingerprint)
        file->fail("holds other descriptors than its sidecar records; extract them again");
    return {{dimensions, std::move(rows.values)}, DescriptorSidecar{image.image, recipe}};
}

void DescriptorCollection::let_go_until(const CollectedImage &image) const {
    file->let_go(0, position_of(image.first + image.rows, dimensions));
}

std::span<const float> DescriptorCollection::read_rows(std::uint64_t first, std::size_t rows,
                                                       FileRoom &room) const {
    const std::size_t count = rows * dimensions;
    const auto bytes = room.read(*file, position_of(first, dimensions), count * sizeof(float));
    file->require_unchanged();
    return {reinterpret_cast<const float *>(bytes.data()), count};
}

void DescriptorCollection::read_rows(std::uint64_t first, std::span<float> into) const {
    const std::uint64_t position = position_of(first, dimensions);
    file->read_at(position, std::as_writable_bytes(into));
    file->require_unchanged();
    file->let_go(position, into.size_bytes());
}

std::optional<DescriptorCollection> read_collection(const std::filesystem::path &path) {
    if (ending_of(path) != ".fbin" || is_missing(sidecar_path(path))) return std::nullopt;
    InputFile sidecar(sidecar_path(path), Fault::input);
    if (sidecar.size() > most_sidecar_bytes)
        sidecar.fail("has {} bytes; expected a sidecar of bowhist, at most {}", sidecar.size(),
                     most_sidecar_bytes);
    ImageTaker images(sidecar);
    const auto values = parse_object(sidecar, sidecar.read_text(), std::ref(images));
    const Section all(sidecar, values);
    if (!all.has("pictures")) return std::nullopt;
    for (const auto &other : all.list("pictures")) images.take(other);
    const std::uint64_t rows = images.rows;
    DescriptorCollection collection{nullptr, 0, recipe_in(all.section("extractor")),
                                    std::move(images.taken)};
    auto file = std::make_shared<InputFile>(path, Fault::input);
    const auto [there, dimensions] =
        read_or_recognize(*file, Expected::descriptors, read_fbin_header);
    if (there != rows)
        file->fail("holds {} descriptors, but {} records {}; extract them again", there,
                   sidecar.name(), rows);
    collection.dimensions = dimensions;
    collection.file = std::move(file);
    return collection;
}

CollectionWriter::CollectionWriter(const std::filesystem::path &path)
    : file_(path), sidecar_(sidecar_path(path)) {
    file_.rewind(); // refused by a pipe before hours of work
    file_.write(fbin_header(0, 0));
    record("{\n  \"pictures\": [");
}

void CollectionWriter::record(std::string_view json) {
    constexpr std::uint64_t for_the_end = 1 << 20;
    sidecar_bytes_ += json.size();
    if (sidecar_bytes_ > most_sidecar_bytes - for_the_end)
        throw Error(Fault::output,
                    fmt::format("{}: records too many pictures, in more than {} bytes; give some "
                                "of the pictures a file of their own",
                                sidecar_.destination(), most_sidecar_bytes));
    sidecar_.write(json);
}

void CollectionWriter::write(const Descriptors &descriptors, const DescriptorSidecar &image) {
    constexpr std::uint64_t most = std::numeric_limits<std::int32_t>::max();
    if (descriptors.size() > most - rows_)
        throw Error(Fault::output,
                    fmt::format("{}: holds {} descriptors at most; give some of the pictures a "
                                "file of their own",
                                file_.destination(), most));
    if (descriptors.size() > 0) dimensions_ = descriptors.dimensions;
    record(fmt::format("{}\n    {{\"picture\": {}, \"first\": {}, \"descriptors\": {}, "
                       "\"fingerprint\": \"{}\"}}",
                       recipe_ ? "," : "", json_string(image.image), rows_, descriptors.size(),
                       fingerprint_text(row_fingerprint(descriptors.values))));
    file_.write(bytes_of(descriptors.values));
    rows_ += descriptors.size();
    if (!recipe_) recipe_ = image.recipe;
    if (!recipe_->comparable(image.recipe)) recipe_ = Recipe::imported();
}

bool CollectionWriter::finish_unless_empty() {
    if (!recipe_ && !is_missing(file_.destination())) return false;
    finish();
    return true;
}

void CollectionWriter::finish() {
    sidecar_.write(fmt::format("\n  ],\n  \"extractor\": {},\n  \"version\": {}\n}}\n",
                               text_of(as_json(recipe_.value_or(Recipe::imported())), -1),
                               json_string(version())));
    file_.rewind();
    file_.write(fbin_header(rows_, dimensions_));
    file_.close(); // a full disk leaves both as they were
    sidecar_.close();
    // In this order no new sidecar lies beside old rows; an old one's fingerprints refuse new rows.
    file_.commit();
    sidecar_.commit();
}

} // namespace bowhist
