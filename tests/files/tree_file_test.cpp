// c.bin.tree: what was written is read, and nothing else passes for a tree.
#include "tests/files/sidecars.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/trees.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/tables/vocabulary/tree_file.hpp>

#include <catch2/catch.hpp>

#include <cstring>
#include <limits>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

void write(const std::filesystem::path &path, const std::string &bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

/// A vocabulary and its tree in files.
struct Written {
    TemporaryFolder folder;
    GrownTree grown;
    std::string bytes;

    explicit Written(unsigned seed = 1) : grown(random_tree(3, 4, 3, seed)) {
        checks::write_vocabulary(folder / "c.bin", grown.words);
        bytes = tree_bytes(grown.tree, fingerprint(grown.words));
        write(folder / "c.bin.tree", bytes);
    }
    VocabularyPair read() const { return read_vocabulary_pair(folder / "c.bin", true); }
    std::string refusal() const {
        try {
            read();
        } catch (const Error &error) {
            CHECK(error.fault == Fault::vocabulary);
            return error.what();
        }
        return "";
    }
};

} // namespace

TEST_CASE("files: a tree that was written is read") {
    for (unsigned seed = 1; seed < 6; ++seed) {
        const Written written(seed);
        const VocabularyPair pair = written.read();
        REQUIRE(pair.tree);
        CHECK(pair.tree->children == written.grown.tree.children);
        for (std::size_t level = 0; level + 1 < pair.tree->depth(); ++level)
            CHECK(pair.tree->inner[level].values == written.grown.tree.inner[level].values);
        CHECK(pair.tree->fingerprint == fingerprint_of_bytes(written.bytes));
        CHECK_FALSE(read_vocabulary_pair(written.folder / "c.bin", false).tree);
    }
}

TEST_CASE("files: a rule of its own has a fingerprint of its own") {
    const Written written;
    const VocabularyPair flat = read_vocabulary_pair(written.folder / "c.bin");
    VocabularyPair pair = written.read();
    CHECK(pair.rule() == "descend");
    CHECK(flat.rule().empty());
    const std::string own = fingerprint_of_histograms(pair);
    CHECK(own != fingerprint_of_histograms(flat));
    VocabularyTree other = *pair.tree;
    other.fingerprint[0] ^= 1;
    pair.tree = std::make_shared<const VocabularyTree>(other);
    CHECK(fingerprint_of_histograms(pair) != own);
}

TEST_CASE("files: a tree that is cut, too long, missing or another's is refused") {
    const Written written;
    for (std::size_t size = 0; size < written.bytes.size(); size += 1 + size / 9) {
        write(written.folder / "c.bin.tree", written.bytes.substr(0, size));
        INFO(size << " of " << written.bytes.size() << " bytes");
        CHECK_THAT(written.refusal(), Catch::Contains("c.bin.tree: is shorter than a tree"));
    }
    write(written.folder / "c.bin.tree", written.bytes + "x");
    CHECK_THAT(written.refusal(), Catch::Contains("is 1 bytes longer than its tree"));
    write(written.folder / "c.bin.tree", "x" + written.bytes.substr(1));
    CHECK_THAT(written.refusal(), Catch::Contains("is no tree of bowhist"));
    write(written.folder / "c.bin.tree", Written(2).bytes);
    CHECK_THAT(written.refusal(), Catch::Contains("is the tree of another vocabulary than"));
    std::filesystem::remove(written.folder / "c.bin.tree");
    CHECK_THAT(written.refusal(), Catch::Contains("there is no tree to descend") &&
                                      Catch::Contains("leave --descend out"));
}

TEST_CASE("files: numbers that make no tree are refused") {
    const Written written;
    const auto with = [&](std::size_t place, auto number) {
        std::string bytes = written.bytes;
        std::memcpy(bytes.data() + place, &number, sizeof number);
        write(written.folder / "c.bin.tree", bytes);
        return written.refusal();
    };
    constexpr std::size_t header = 40;
    const auto root = written.grown.tree.children[0][0];
    CHECK_THAT(with(header, std::uint32_t{4}), Catch::Contains("has 3 levels of 4 dimensions"));
    CHECK_THAT(with(header + 4, std::uint32_t{0}), Catch::Contains("has 0 levels"));
    CHECK_THAT(with(header + 4, ~std::uint32_t{0}), Catch::Contains("expected 1 to 20 of 3"));
    CHECK_THAT(with(header + 8, std::uint32_t{0}), Catch::Contains("does not lead to the"));
    CHECK_THAT(with(header + 8, ~std::uint32_t{0}), Catch::Contains("does not lead to the"));
    CHECK(with(header + 8, root + 1) != "");
    CHECK_THAT(with(written.bytes.size() - 4, std::numeric_limits<float>::quiet_NaN()),
               Catch::Contains("holds NaN or infinity"));
}

TEST_CASE("files: a tree that its vocabulary's record does not name is refused") {
    const Written written;
    VocabularySidecar sidecar;
    sidecar.fingerprint = fingerprint(written.grown.words);
    sidecar.version = "0";
    sidecar.tree = fingerprint_of_bytes(written.bytes);
    write_vocabulary_pair(written.folder / "c.bin", written.grown.words, sidecar);
    CHECK(written.refusal().empty());
    CHECK(read_vocabulary_pair(written.folder / "c.bin").recorded.sidecar->tree == sidecar.tree);
    std::string bytes = written.bytes;
    bytes.back() ^= 1; // an inner centroid moves a little
    write(written.folder / "c.bin.tree", bytes);
    CHECK_THAT(written.refusal(), Catch::Contains("is another tree than"));
}
