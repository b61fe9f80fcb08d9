// One image's descriptors as .npz (npz.hpp):
//
//     descriptors.npy  n×D, float32
//     keypoints.npy    n×5, float32: x, y, scale, orientation, response; may be missing
//     meta.npy         a single text, JSON: what x.npy.json holds, and version (of bowhist); may be
//                      missing; ignored without "extractor"
//
// Other entries are ignored.

#include <bowhist/tables/descriptors/descriptor_npz.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/version.hpp>
#include <bowhist/tables/formats/float_matrix.hpp>
#include <bowhist/tables/formats/npz.hpp>
#include <bowhist/tables/formats/sidecar_json.hpp>

namespace bowhist {

namespace {

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

} // namespace

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

bool may_be_descriptor_npz(const std::filesystem::path &path) {
    try {
        const InputFile file(path, Fault::input);
        const NpzFile archive(file);
        return archive.has("descriptors.npy") && !archive.has("histograms.npy");
    } catch (const Error &) {
        return true; // reading it reports the error
    }
}

} // namespace bowhist
