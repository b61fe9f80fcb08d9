// A training that may go on, as .npz (npz.hpp):
//
//     before.npy     k×D, float32: the centroids that the last iteration assigned by
//     centroids.npy  k×D, float32: where it put them
//     meta.npy       a single text, JSON: {"checkpoint": fingerprint of the descriptors, "seed",
//                    "start", "iterations", "course" as in c.bin.json, "version"}

#include <bowhist/tables/checkpoint_file.hpp>

#include <bowhist/core/version.hpp>
#include <bowhist/io/surrogate_escape.hpp>
#include <bowhist/tables/float_matrix.hpp>
#include <bowhist/tables/npz.hpp>
#include <bowhist/tables/sidecar_json.hpp>

namespace bowhist {
namespace {

Vocabulary read_centroids(zip_t &archive, const InputFile &file, const char *name) {
    FloatMatrix rows = read_matrix(archive, file, name);
    return {rows.columns, std::move(rows.values)};
}

void add(NpzArchive &archive, const char *entry, Spool &spool, const Vocabulary &centroids) {
    archive.add(entry, spool, centroids.size(), centroids.dimensions, bytes_of(centroids.values));
}

} // namespace

std::optional<TrainingState> read_checkpoint(const std::filesystem::path &path) {
    std::error_code unknown; // then opening it tells the reason
    if (std::filesystem::status(path, unknown).type() == std::filesystem::file_type::not_found)
        return std::nullopt;
    InputFile file(path, Fault::input);
    const ZipArchive archive = read_zip(file);
    const auto meta = read_meta(*archive, file);
    const auto values = nlohmann::json::parse(protect_escapes(meta.value_or("")), nullptr, false);
    if (!values.is_object() || !values.contains("checkpoint"))
        file.fail("is no checkpoint of a training; name another file");
    const Section told(file, values);
    TrainingState state{told.text("checkpoint"), told.whole<std::uint64_t>("seed"),
                        told.text("start"), told.whole<int>("iterations"),
                        course_in(told.section("course"))};
    state.before = read_centroids(*archive, file, "before.npy");
    state.centroids = read_centroids(*archive, file, "centroids.npy");
    if (state.before.size() != state.centroids.size() ||
        state.before.dimensions != state.centroids.dimensions || state.centroids.size() == 0)
        file.fail("its centroids do not fit together; remove it to train anew");
    return state;
}

void write_checkpoint(const std::filesystem::path &path, const TrainingState &state) {
    NpzArchive archive(path);
    Spool before(path);
    Spool centroids(path);
    Spool meta(path);
    add(archive, "before.npy", before, state.before);
    add(archive, "centroids.npy", centroids, state.centroids);
    const nlohmann::ordered_json told{{"checkpoint", protect_bytes(state.descriptors)},
                                      {"seed", state.seed},
                                      {"start", protect_bytes(state.start)},
                                      {"iterations", state.iterations},
                                      {"course", as_json(state.course)},
                                      {"version", protect_bytes(version())}};
    write_text(meta.stream, text_of(told, -1));
    archive.add("meta.npy", meta);
    archive.commit();
}

} // namespace bowhist
