#include <bowhist/tables/descriptors/descriptor_file.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/core/version.hpp>
#include <bowhist/io/atomic_file.hpp>
#include <bowhist/io/ending.hpp>
#include <bowhist/io/foreign_file.hpp>
#include <bowhist/io/input_file.hpp>
#include <bowhist/tables/formats/float_matrix.hpp>
#include <bowhist/tables/formats/npy.hpp>
#include <bowhist/tables/formats/npz.hpp>
#include <bowhist/tables/formats/sidecar_json.hpp>

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <limits>

namespace bowhist {
namespace {

// One image's descriptors as .npz (npz.hpp):
//
//     descriptors.npy  n×D, float32
//     keypoints.npy    n×5, float32: x, y, scale, orientation, response; may be missing
//     meta.npy         a single text, JSON: what x.npy.json holds, and version (of bowhist); may be
//                      missing; ignored without "extractor"
//
// Other entries are ignored.

constexpr std::size_t keypoint_numbers = 5;
static_assert(sizeof(Keypoint) == keypoint_numbers * sizeof(float), "keypoints lie as in a file");

std::vector<Keypoint> read_keypoints(const NpzFile &archive, const InputFile &file,
                                     std::size_t expected) {
    if (!archive.has("keypoints.npy")) return {};
    const FloatMatrix rows = archive.matrix("keypoints.npy");
    if (rows.rows() != expected || (expected > 0 && rows.columns != keypoint_numbers))
        file.fail("its keypoints are {} x {}; expected {} x {}: x, y, scale, orientation, response "
                  "of each descriptor",
                  rows.rows(), rows.columns, expected, keypoint_numbers);
    std::vector<Keypoint> keypoints;
    for (auto value = rows.values.begin(); value != rows.values.end(); value += keypoint_numbers)
        keypoints.push_back({value[0], value[1], value[2], value[3], value[4]});
    return keypoints;
}

/// @throws Error of the file's fault
SavedDescriptors read_npz_descriptors(InputFile &file) {
    const NpzFile archive(file);
    if (archive.has("histograms.npy"))
        file.fail("holds histograms, not descriptors; bowhist cluster takes it, its pictures are "
                  "for here");
    FloatMatrix rows = archive.matrix("descriptors.npy");
    SavedDescriptors saved{{rows.columns, {}, read_keypoints(archive, file, rows.rows())}, {}};
    saved.descriptors.values = std::move(rows.values);
    const auto meta = archive.meta();
    if (meta.is_object() && meta.contains("extractor")) // else it is not ours
        saved.sidecar = descriptor_sidecar_in(Section(file, meta));
    return saved;
}

void write_npz_descriptors(const std::filesystem::path &path, const Descriptors &descriptors,
                           const std::optional<DescriptorSidecar> &sidecar) {
    NpzArchive archive(path);
    archive.add_rows("descriptors.npy", descriptors.dimensions, descriptors.values);
    if (const auto &points = descriptors.keypoints; points.size() == descriptors.size())
        archive.add_rows(
            "keypoints.npy", keypoint_numbers,
            {reinterpret_cast<const float *>(points.data()), points.size() * keypoint_numbers});
    if (sidecar) {
        auto values = as_json(*sidecar);
        values["version"] = version();
        archive.add_text("meta.npy", text_of(values, -1));
    }
    archive.commit();
}

/// False for an archive without descriptors or with histograms; true for one that does not open.
bool may_be_descriptor_npz(const std::filesystem::path &path) {
    try {
        const InputFile file(path, Fault::input);
        const NpzFile archive(file);
        return archive.has("descriptors.npy") && !archive.has("histograms.npy");
    } catch (const Error &) {
        return true; // reading it reports the error
    }
}

/// One way to keep descriptors, by the ending of the file's name. Most are a vocabulary's formats,
/// too; float_matrix.cpp describes them.
struct Format {
    std::string_view ending;
    SavedDescriptors (*read)(InputFile &);
    void (*write)(const std::filesystem::path &, const Descriptors &,
                  const std::optional<DescriptorSidecar> &);
};

template <auto read_matrix>
SavedDescriptors read_rows(InputFile &file) {
    FloatMatrix rows = read_matrix(file);
    require_finite(file, rows);
    return {{rows.columns, std::move(rows.values)}};
}

template <auto write_rows>
void write_with_sidecar(const std::filesystem::path &path, const Descriptors &descriptors,
                        const std::optional<DescriptorSidecar> &sidecar) {
    AtomicFile file(path);
    std::optional<AtomicFile> beside;
    if (sidecar) {
        const auto sidecar_file = sidecar_path(path);
        beside.emplace(sidecar_file).write(sidecar_text(sidecar_file, *sidecar));
    }
    write_rows(file, descriptors);
    file.close(); // a full disk leaves both as they were
    if (beside) beside->close();
    file.commit();
    if (beside) beside->commit();
}

void write_npy(AtomicFile &file, const Descriptors &descriptors) {
    file.write(npy_header("<f4", {descriptors.size(), descriptors.dimensions}));
    file.write(bytes_of(descriptors.values));
}

void write_fvecs(AtomicFile &file, const Descriptors &descriptors) {
    const std::array dimensions{static_cast<std::int32_t>(descriptors.dimensions)};
    for (std::size_t row = 0; row < descriptors.size(); ++row) {
        file.write(bytes_of(dimensions));
        file.write(bytes_of(descriptors.row(row)));
    }
}

void write_fbin(AtomicFile &file, const Descriptors &descriptors) {
    file.write(fbin_header(descriptors.size(), descriptors.dimensions));
    file.write(bytes_of(descriptors.values));
}

constexpr std::array formats{
    Format{".npy", read_rows<read_npy_matrix>, write_with_sidecar<write_npy>},
    Format{".npz", read_npz_descriptors, write_npz_descriptors},
    Format{".fvecs", read_rows<read_fvecs_matrix>, write_with_sidecar<write_fvecs>},
    Format{".fbin", read_rows<read_fbin_matrix>, write_with_sidecar<write_fbin>}};

const Format &required_format(const std::filesystem::path &path, Fault fault) {
    if (const Format *format = row_by_ending(formats, path)) return *format;
    throw Error(fault, fmt::format("{}: expected a name that ends with .npy, .npz, .fvecs or "
                                   ".fbin for descriptors, found '{}'",
                                   path, excerpt(path.extension().native())));
}

SavedDescriptors read_by_ending(const std::filesystem::path &path) {
    InputFile file(path, Fault::input);
    return read_or_recognize(file, Expected::descriptors, required_format(path, Fault::input).read);
}

} // namespace

bool is_descriptor_file(const std::filesystem::path &path) {
    return row_by_ending(formats, path) != nullptr;
}

bool holds_descriptors(const std::filesystem::path &path) {
    return ending_of(path) == ".npz" ? may_be_descriptor_npz(path) : is_descriptor_file(path);
}

SavedDescriptors load_descriptors(const std::filesystem::path &path) {
    SavedDescriptors saved = read_by_ending(path);
    if (!saved.sidecar) saved.sidecar = read_descriptor_sidecar(path);
    return saved;
}

Descriptors read_descriptors(const std::filesystem::path &path) {
    return read_by_ending(path).descriptors;
}

void write_descriptors(const std::filesystem::path &path, const Descriptors &descriptors,
                       const std::optional<DescriptorSidecar> &sidecar) {
    const Format &format = required_format(path, Fault::usage);
    constexpr std::size_t most = std::numeric_limits<std::int32_t>::max();
    if (descriptors.size() > most || descriptors.dimensions > most)
        throw Error(Fault::output,
                    fmt::format("{}: cannot hold {} descriptors of {} floats; it takes {} of each",
                                path, descriptors.size(), descriptors.dimensions, most));
    format.write(path, descriptors, sidecar);
}

} // namespace bowhist
