// A vocabulary, c.bin: k centroids of D floats, little-endian.
//
//     uint32     k, at least 1
//     uint32     D, at least 1
//     float32    k·D values, centroid after centroid, all of them finite
//
// Exactly 8 + 4·k·D bytes. The fingerprint is XXH3-128 over all of them.

#include <bowhist/tables/vocabulary/vocabulary_file.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/large_memory.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/ending.hpp>
#include <bowhist/io/foreign_file.hpp>
#include <bowhist/tables/formats/float_matrix.hpp>
#include <bowhist/tables/formats/npy.hpp>
#include <bowhist/tables/formats/npz.hpp>

#include <array>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <xxhash.h>

namespace bowhist {

namespace {

std::string digits_of(XXH128_hash_t hash) {
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

/// Reading a c.bin that was cut reports what is missing. The first bytes of another kind of file
/// make no sense as numbers of centroids and floats.
FloatMatrix read_c_bin(InputFile &file) {
    constexpr std::uint32_t usual = 1 << 16; // more floats only where all of them are there
    const std::string begin = file.peek(2 * sizeof(std::uint32_t));
    std::array<std::uint32_t, 2> header{};
    std::memcpy(header.data(), begin.data(), begin.size());
    const std::uint64_t floats = std::uint64_t{header[0]} * header[1];
    const bool complete = floats == (file.size() - begin.size()) / sizeof(float);
    if (begin.size() < sizeof(header) || (header[1] > usual && !complete))
        file.fail("is no vocabulary; give the c.bin that `bowhist train` writes");
    return read_fbin_matrix(file);
}

/// Histograms are easily mistaken for a vocabulary. Normalized ones in an .npy are float32, as
/// centroids are, and are not noticed.
void refuse_histograms(InputFile &file, const std::string &ending) {
    if (ending == ".npz") {
        const NpzFile archive(file);
        if (!archive.has("histograms.npy"))
            file.fail("is not a vocabulary but holds {}; save its centroids alone: "
                      "numpy.save('c.npy', x.astype('<f4'))",
                      archive.entries());
    }
    if (ending != ".csv" && ending != ".npz" && ending != ".jsonl" && ending != ".svm") return;
    file.fail(
        "is not a vocabulary; {} is read as histograms; give the c.bin that `bowhist train` wrote",
        ending);
}

FloatMatrix read_centroids(InputFile &file) {
    const NpyHeader header = read_npy_header(file);
    if (header.type == "<u4")
        file.fail("is not a vocabulary; .npy of '<u4' is read as histograms; give the c.bin that "
                  "`bowhist train` wrote");
    return read_npy_values(file, header);
}

FloatMatrix read_by_ending(InputFile &file, const std::string &ending) {
    refuse_histograms(file, ending);
    if (ending == ".npy") return read_centroids(file);
    if (ending == ".fvecs") return read_fvecs_matrix(file);
    if (ending == ".yml" || ending == ".yaml" || ending == ".xml") return read_opencv_matrix(file);
    return read_c_bin(file);
}

} // namespace

Vocabulary read_vocabulary(const std::filesystem::path &path) {
    if (is_missing(path))
        throw Error(Fault::vocabulary,
                    fmt::format("{}: there is no such file; give the c.bin that `bowhist train` "
                                "writes",
                                path));
    InputFile file(path, Fault::vocabulary);
    FloatMatrix centroids =
        read_or_recognize(file, Expected::vocabulary, [&path](InputFile &whole) {
            return read_by_ending(whole, ending_of(path));
        });
    if (centroids.rows() == 0) file.fail("expected at least one centroid, found none");
    require_finite(file, centroids);
    return {centroids.columns, std::move(centroids.values)};
}

std::string fingerprint_of_rows(const DescriptorRows &rows) {
    const std::unique_ptr<XXH3_state_t, Release<XXH3_freeState>> state(XXH3_createState());
    if (!state) throw std::bad_alloc();
    const std::string header = fbin_header(rows.size(), rows.dimensions());
    XXH3_128bits_reset(state.get());
    XXH3_128bits_update(state.get(), header.data(), header.size());
    rows.read([&](std::size_t, std::span<const float> values) {
        XXH3_128bits_update(state.get(), values.data(), values.size_bytes());
    });
    return digits_of(XXH3_128bits_digest(state.get()));
}

std::string fingerprint_of_bytes(std::string_view bytes) {
    return digits_of(XXH3_128bits(bytes.data(), bytes.size()));
}

std::string fingerprint(const Vocabulary &vocabulary) {
    const Descriptors rows{vocabulary.dimensions, vocabulary.values};
    return fingerprint_of_rows(RowsInMemory(rows));
}

} // namespace bowhist
