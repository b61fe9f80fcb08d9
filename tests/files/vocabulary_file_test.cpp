#include <bowhist/tables/descriptors/descriptor_file.hpp>
#include <bowhist/tables/formats/npy.hpp>
#include <bowhist/tables/vocabulary/vocabulary_pair.hpp>

#include "tests/files/sidecars.hpp"
#include "tests/support/temporary_folder.hpp"

#include <limits>

using namespace bowhist;

namespace {

std::string c_bin(std::uint32_t k, std::uint32_t dimensions, const std::vector<float> &values) {
    return checks::bytes(k, dimensions) + checks::bytes_of_all(values);
}

std::string numpy(const char *type, const std::vector<std::uint64_t> &shape,
                  const std::vector<float> &values) {
    return npy_header(type, shape) + checks::bytes_of_all(values);
}

void refuse(const TemporaryFolder &folder, const std::string &name, const std::string &content,
            const std::vector<std::string> &parts) {
    checks::Refuse{Fault::vocabulary, folder / name, read_vocabulary}(content, parts);
}

} // namespace

TEST_CASE("files: vocabularies read back, from each format") {
    const TemporaryFolder folder;
    for (const std::size_t k : {1, 63, 64, 65, 1000}) {
        for (const std::size_t dimensions : {1, 3, 64}) {
            const Vocabulary written{dimensions, checks::numbered(k * dimensions)};
            const Descriptors same{dimensions, written.values};
            write_vocabulary_pair(folder / "c.bin", written, {});
            CHECK(std::filesystem::file_size(folder / "c.bin") == 8 + 4 * k * dimensions);
            write_descriptors(folder / "c.npy", same);
            write_descriptors(folder / "c.FVECS", same);
            for (const char *name : {"c.bin", "c.npy", "c.FVECS"}) {
                const Vocabulary read = read_vocabulary(folder / name);
                CHECK(read.dimensions == dimensions);
                CHECK(read.values == written.values);
            }
        }
    }
}

TEST_CASE("files: a vocabulary's size must be what its header promises") {
    const TemporaryFolder folder;
    const auto six = checks::numbered(6);
    refuse(folder, "c.bin", c_bin(2, 3, checks::numbered(5)),
           {"2 rows of 3 floats", "8 + 4·2·3", "it has 28"});
    refuse(folder, "c.bin", c_bin(2, 3, six) + "x", {"it has 33"});
    refuse(folder, "c.bin", c_bin(0, 64, {}), {"at least one centroid"});
    refuse(folder, "c.bin", c_bin(0, 0, {}), {"at least one centroid"});
    refuse(folder, "c.bin", c_bin(3, 0, {}), {"1 to 2147483647 floats", "3 of 0"});
    refuse(folder, "c.bin", c_bin(65536, 65536, {}),
           {"65536 rows"}); // 65536 · 65536 is 0 in 32 bits
}

TEST_CASE("files: another kind of file is said to be no vocabulary") {
    const TemporaryFolder folder;
    const std::vector<std::string> is_none{"is no vocabulary",
                                           "give the c.bin that `bowhist train` writes"};
    refuse(folder, "c.bin", "", is_none);
    refuse(folder, "c.bin", "1234567", is_none);
    refuse(folder, "c.bin", c_bin(1U << 31, 1U << 31, {}), is_none); // · 4 is 0 in 64 bits
    refuse(folder, "c.bin", c_bin(4294967295, 4294967295, checks::numbered(6)), is_none);
    refuse(folder, "picture.jpg", "\xff\xd8\xff\xe0 a picture", is_none);
    refuse(folder, "c.bin.json", "{\n  \"extractor\": {}\n}", is_none);
    const std::uint32_t wide = 100000;
    checks::write_bytes(folder / "c.bin", c_bin(1, wide, checks::numbered(wide)));
    CHECK(read_vocabulary(folder / "c.bin").dimensions == wide);
}

TEST_CASE("files: more centroids than words can count are refused before any memory is taken") {
    const TemporaryFolder folder;
    checks::write_bytes(folder / "c.bin", c_bin(1U << 31, 1, {}));
    std::filesystem::resize_file(folder / "c.bin", 8 + (std::uintmax_t{4} << 31)); // sparse
    checks::require_error(Fault::vocabulary, (folder / "c.bin").string(),
                          {"at most 2147483647 rows", "2147483648 of 1"},
                          [&] { read_vocabulary(folder / "c.bin"); });
}

TEST_CASE("files: NaN and infinity are refused with their row") {
    const TemporaryFolder folder;
    std::vector<float> values = checks::numbered(60);
    values[53] = std::numeric_limits<float>::quiet_NaN();
    refuse(folder, "c.bin", c_bin(20, 3, values), {"row 17", "NaN", "finite"});
    refuse(folder, "c.npy", numpy("<f4", {20, 3}, values), {"row 17", "NaN"});
    values[53] = 0;
    values[0] = -std::numeric_limits<float>::infinity();
    refuse(folder, "c.bin", c_bin(20, 3, values), {"row 0", "infinity"});
    values[0] = std::numeric_limits<float>::denorm_min();
    checks::write_bytes(folder / "c.bin", c_bin(20, 3, values));
    CHECK(read_vocabulary(folder / "c.bin").values == values);
}

TEST_CASE("files: .npy vocabularies of another kind say which") {
    const TemporaryFolder folder;
    const auto six = checks::numbered(6);
    refuse(folder, "c.npy", numpy("<f8", {1, 3}, six), {"expected", "'<f4'", "found '<f8'"});
    refuse(folder, "c.npy", numpy(">f4", {2, 3}, six), {"found '>f4'", "ascontiguousarray"});
    refuse(folder, "c.npy", numpy("<f4", {6}, six), {"a table", "of shape (6,)"});
    refuse(folder, "c.npy", numpy("<f4", {1, 2, 3}, six), {"of shape (1, 2, 3)"});
    refuse(folder, "c.npy", numpy("<f4", {3, 3}, six), {"36 bytes, but 24 follow"});
    refuse(folder, "c.npy", numpy("<f4", {0, 3}, {}), {"at least one centroid"});
    refuse(folder, "c.npy", numpy("<f4", {2, 0}, {}), {"2 of 0"});
    refuse(folder, "c.npy", numpy("<f4", {0, 1ULL << 40}, {}), {"1099511627776"});
    std::string fortran = numpy("<f4", {2, 3}, six);
    fortran.replace(fortran.find("False"), 5, "True ");
    refuse(folder, "c.npy", fortran, {"C order", "in Fortran order"});
}

TEST_CASE("files: .fvecs rows must all be alike") {
    const TemporaryFolder folder;
    const auto row = [](std::int32_t dimensions, std::size_t floats) {
        return checks::bytes(dimensions) + checks::bytes_of_all(checks::numbered(floats));
    };
    refuse(folder, "c.fvecs", "", {"at least one centroid"});
    refuse(folder, "c.fvecs", "123", {"too short"});
    refuse(folder, "c.fvecs", row(0, 0), {"promises 0 floats"});
    refuse(folder, "c.fvecs", row(-1, 3), {"promises -1 floats"});
    refuse(folder, "c.fvecs", row(3, 3) + row(3, 2), {"promises 3 floats", "28 bytes"});
    refuse(folder, "c.fvecs", row(3, 3) + row(2, 3), {"row 1 has 2 floats", "before have 3"});
    refuse(folder, "c.fvecs", row(0x7fffffff, 2), {"promises 2147483647"});
}

TEST_CASE("files: a missing vocabulary and a device are refused at once") {
    const TemporaryFolder folder;
    checks::require_error(Fault::vocabulary, (folder / "missing").string(),
                          {"there is no such file", "`bowhist train`"},
                          [&] { read_vocabulary(folder / "missing"); });
    checks::require_error(Fault::vocabulary, "/dev/zero", {"no regular file"},
                          [&] { read_vocabulary("/dev/zero"); });
}

TEST_CASE("files: the fingerprint is XXH3-128 over the bytes of c.bin") {
    // as `xxhsum -H2 c.bin` prints it, of k = 2, D = 3 and 0.25, 1.25, ... 5.25
    CHECK(fingerprint({3, checks::numbered(6)}) == "b2881e5b4f48824ec23f14f4a01da97d");
    CHECK(fingerprint({2, checks::numbered(6)}) != fingerprint({3, checks::numbered(6)}));
    CHECK(fingerprint({1, {0.0F}}) != fingerprint({1, {-0.0F}}));
}

TEST_CASE("files: a vocabulary that no file can hold is not written") {
    const TemporaryFolder folder;
    checks::require_error(Fault::output, (folder / "c.bin").string(), {"0 centroids"},
                          [&] { write_vocabulary_pair(folder / "c.bin", {}, {}); });
    CHECK(checks::names_in(folder.path()).empty());
}
