// The state of a training, as .npz (npz.hpp):
//
//     before.npy     k×D, float32: the centroids that the last iteration assigned by
//     centroids.npy  k×D, float32: where it put them; both from the first iteration on
//     sample.npy     n×D, float32: the descriptors drawn of images, of an interrupted training
//     meta.npy       a single text, JSON: {"checkpoint": fingerprint of the descriptors, "seed",
//                    "start", "iterations", "course" as in c.bin.json, "version", and with
//                    sample.npy "gathered": {"inputs": fingerprint, "done", "skipped", "few",
//                    "none", "seen", "draws": state of mt19937_64 as C++ writes it}}

#include <bowhist/tables/vocabulary/checkpoint_file.hpp>

#include <bowhist/core/version.hpp>
#include <bowhist/tables/formats/float_matrix.hpp>
#include <bowhist/tables/formats/npz.hpp>
#include <bowhist/tables/formats/sidecar_json.hpp>

namespace bowhist {
namespace {

Vocabulary read_centroids(const NpzFile &archive, const char *name) {
    FloatMatrix rows = archive.matrix(name);
    return {rows.columns, std::move(rows.values)};
}

GatheredSample read_gathered(const NpzFile &archive, const Section &section) {
    FloatMatrix rows = archive.matrix("sample.npy");
    GatheredSample gathered{.inputs = section.text("inputs"),
                            .done = section.get<std::size_t>("done"),
                            .skipped = section.get<std::size_t>("skipped"),
                            .few = section.get<std::size_t>("few"),
                            .none = section.get<std::size_t>("none"),
                            .seen = section.get<std::uint64_t>("seen"),
                            .draws = section.text("draws"),
                            .rows = {rows.columns, std::move(rows.values)}};
    if (gathered.seen < gathered.rows.size() || gathered.done < gathered.skipped)
        section.fail("its numbers do not fit together; remove it to train anew");
    return gathered;
}

nlohmann::ordered_json as_json(const GatheredSample &gathered) {
    return {{"inputs", protect_bytes(gathered.inputs)},
            {"done", gathered.done},
            {"skipped", gathered.skipped},
            {"few", gathered.few},
            {"none", gathered.none},
            {"seen", gathered.seen},
            {"draws", protect_bytes(gathered.draws)}};
}

} // namespace

std::optional<TrainingState> read_checkpoint(const std::filesystem::path &path) {
    if (is_missing(path)) return std::nullopt;
    InputFile file(path, Fault::input);
    const NpzFile archive(file);
    const auto values = archive.meta();
    if (!values.is_object() || !values.contains("checkpoint"))
        file.fail("is no checkpoint of a training; name another file");
    const Section section(file, values);
    TrainingState state{.descriptors = section.text("checkpoint"),
                        .seed = section.get<std::uint64_t>("seed"),
                        .start = section.text("start"),
                        .iterations = section.get<int>("iterations"),
                        .course = course_in(section.section("course"))};
    if (section.has("gathered"))
        state.gathered = read_gathered(archive, section.section("gathered"));
    if (state.iterations == 0 && state.gathered) return state;
    state.before = read_centroids(archive, "before.npy");
    state.centroids = read_centroids(archive, "centroids.npy");
    if (state.before.size() != state.centroids.size() ||
        state.before.dimensions != state.centroids.dimensions || state.centroids.size() == 0)
        file.fail("its centroids do not fit together; remove it to train anew");
    return state;
}

void write_checkpoint(const std::filesystem::path &path, const TrainingState &state) {
    NpzArchive archive(path);
    if (state.iterations > 0) {
        archive.add_rows("before.npy", state.before.dimensions, state.before.values);
        archive.add_rows("centroids.npy", state.centroids.dimensions, state.centroids.values);
    }
    nlohmann::ordered_json values{{"checkpoint", protect_bytes(state.descriptors)},
                                  {"seed", state.seed},
                                  {"start", protect_bytes(state.start)},
                                  {"iterations", state.iterations},
                                  {"course", as_json(state.course)},
                                  {"version", protect_bytes(version())}};
    if (state.gathered) {
        const Descriptors &rows = state.gathered->rows;
        archive.add_rows("sample.npy", rows.dimensions, rows.values);
        values["gathered"] = as_json(*state.gathered);
    }
    archive.add_text("meta.npy", text_of(values, -1));
    archive.commit();
}

} // namespace bowhist
