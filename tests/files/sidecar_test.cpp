#include "tests/files/sidecars.hpp"
#include "tests/support/temporary_folder.hpp"

#include <limits>
#include <nlohmann/json.hpp>

using namespace bowhist;

namespace {

VocabularySidecar example() {
    return {{.extractor = "akaze",
             .upright = true,
             .threshold = 0.1,
             .max_descriptors = 500,
             .max_side = 1024},
            18446744073709551615ULL,
            25,
            1.0 / 3,
            123456789012,
            "0123abcd",
            "0.1.0",
            987654321012,
            "greedy",
            {{2.5, 18446744073709551615ULL, 3}, {1.0 / 3, 0, 0}},
            {},
            WordFrequencies{3, 18446744073709551615ULL, {3, 0, 1}}};
}

/// What c.bin.json records about example()'s vocabulary.
std::optional<VocabularySidecar> read(const TemporaryFolder &folder) {
    return read_vocabulary_sidecar(folder / "c.bin", example().fingerprint).sidecar;
}

} // namespace

TEST_CASE("files: a sidecar keeps the preprocessing, the filter's weights with it") {
    const TemporaryFolder folder;
    VocabularySidecar written = example();
    Preprocessing &steps = written.recipe.preprocessing;
    steps.equalize = true;
    steps.blur_sigma = 0.7;
    CHECK(as_options(written.recipe).find(" --equalize --blur 0.7 ") != std::string::npos);
    checks::write_sidecar(folder / "c.bin", written);
    CHECK(read(folder)->recipe == written.recipe);
    steps.filter_name = "a \"filter\"\xff.txt";
    steps.filter = {3, 1, {-0.1F, 1e-30F, 3}};
    checks::write_sidecar(folder / "c.bin", written);
    const auto found = read(folder);
    CHECK(found->recipe == written.recipe);
    CHECK(found->recipe.preprocessing.filter_name == steps.filter_name);
    Recipe other = written.recipe;
    CHECK(other.comparable(written.recipe));
    other.preprocessing.filter.weights[1] = 0;
    CHECK_FALSE(other.comparable(written.recipe));
}

TEST_CASE("files: a damaged filter in a sidecar is refused") {
    const TemporaryFolder folder;
    VocabularySidecar written = example();
    written.recipe.preprocessing.filter_name = "f";
    written.recipe.preprocessing.filter = {1, 1, {1}};
    checks::write_sidecar(folder / "c.bin", written);
    const auto sound = nlohmann::json::parse(checks::read_bytes(folder / "c.bin.json"));
    const auto refuse = [&](const char *key, const nlohmann::json &value) {
        auto damaged = sound;
        damaged["extractor"]["preprocessing"][nlohmann::json::json_pointer(key)] = value;
        checks::write_bytes(folder / "c.bin.json", damaged.dump());
        checks::require_error(Fault::vocabulary, (folder / "c.bin.json").string(), {},
                              [&] { read(folder); });
    };
    refuse("/filter/width", 2);
    refuse("/filter/weights", {1, 2});
    refuse("/filter/weights", {"1"});
    refuse("/blur", "0");
}

TEST_CASE("files: a vocabulary's sidecar reads back") {
    const TemporaryFolder folder;
    CHECK(sidecar_path("a/c.bin") == "a/c.bin.json");
    CHECK_FALSE(read(folder));
    const VocabularySidecar written = example();
    checks::write_sidecar(folder / "c.bin", written);
    const auto found = read(folder);
    CHECK(found == written);
}

TEST_CASE("files: a descriptor sidecar keeps every path, byte for byte") {
    const TemporaryFolder folder;
    CHECK_FALSE(read_descriptor_sidecar(folder / "x.npy"));
    for (const std::string image : {"a.jpg", "", "-x.jpg", "a\nb\"c\\d,.jpg",
                                    "\xff\xc3\xa4\x80.jpg", "\\udc80", "\xed\xb2\x80"}) {
        const DescriptorSidecar written{image, {.extractor = "kaze", .max_side = 0}, {}};
        checks::write_sidecar(folder / "x.npy", written);
        const auto read = read_descriptor_sidecar(folder / "x.npy");
        REQUIRE(read);
        CHECK(read->image == image);
        CHECK(read->recipe == written.recipe);
    }
}

TEST_CASE("files: a descriptor sidecar records what its descriptors were made from") {
    const TemporaryFolder folder;
    const DescriptorOrigin origin{~std::uint64_t{0}, 1700000000123456789, 0xFFFFFFFFFFFFFFF0,
                                  "0.1.0"};
    const DescriptorSidecar written{"a.jpg", {.extractor = "kaze", .max_side = 0}, origin};
    checks::write_sidecar(folder / "x.npy", written);
    CHECK(read_descriptor_sidecar(folder / "x.npy")->origin == origin);
    // what another program wrote under these names says nothing
    const auto good = nlohmann::json::parse(checks::read_bytes(folder / "x.npy.json"));
    for (const char *key : {"/source", "/source/bytes", "/source/modified", "/fingerprint"}) {
        auto changed = good;
        changed[nlohmann::json::json_pointer(key)] = "mine";
        checks::write_bytes(folder / "x.npy.json", changed.dump());
        const auto read = read_descriptor_sidecar(folder / "x.npy");
        CHECK(read->image == "a.jpg");
        CHECK_FALSE(read->origin);
    }
}

TEST_CASE("files: later versions may add keys") {
    const TemporaryFolder folder;
    checks::write_sidecar(folder / "c.bin", example());
    auto text = checks::read_bytes(folder / "c.bin.json");
    text.insert(text.find('{') + 1, "\"later\": [1, {\"x\": null}],");
    checks::write_bytes(folder / "c.bin.json", text);
    CHECK(read(folder)->recipe == example().recipe);
}

TEST_CASE("files: a sidecar that cannot be read is refused and named") {
    const TemporaryFolder folder;
    checks::write_sidecar(folder / "c.bin", example());
    const auto path = folder / "c.bin.json";
    const auto good = nlohmann::json::parse(checks::read_bytes(path));
    const auto refuse = [&](const std::string &content, const std::vector<std::string> &parts) {
        checks::write_bytes(path, content);
        checks::require_error(Fault::vocabulary, path.string(), parts, [&] { read(folder); });
        checks::require_error(Fault::input, path.string(), {},
                              [&] { read_descriptor_sidecar(folder / "c.bin"); });
    };
    const auto changed = [&](const char *pointer, const nlohmann::json &value) {
        auto json = good;
        json[nlohmann::json::json_pointer(pointer)] = value;
        return json.dump();
    };
    refuse("", {"no valid JSON", "remove it"});
    refuse("{\"a\":\n \xff}", {"no valid JSON"});
    refuse("[]", {"expected a JSON object"});
    refuse("{}", {"\"fingerprint\": text, found nothing"});
    refuse(R"({"picture": "a.jpg"})", {"descriptors", "bowhist train"});
    refuse(R"({"pictures": []})", {"descriptors", "bowhist train"});
    refuse(R"({"fingerprint": "0123abcd"})", {"\"training\": {...}, found nothing"});
    refuse(std::string((1 << 25) + 1, ' '), {"33554433 bytes"});
    refuse(changed("/extractor/name", 5), {"\"name\": text, found number"});
    refuse(changed("/training/seed", -1), {"\"seed\": a whole number"});
    refuse(changed("/training/seed", 1e300), {"\"seed\": a whole number"});
    refuse(changed("/training/iterations", 3000000000U), {"\"iterations\" is too large"});
    refuse(changed("/extractor/upright", "yes"), {"\"upright\": true or false, found string"});
    refuse(std::string(100000, '['), {"no valid JSON"});
    std::filesystem::remove(path);
    std::filesystem::create_directory(path);
    checks::require_error(Fault::vocabulary, path.string(), {"is a directory"},
                          [&] { read(folder); });
}

TEST_CASE("files: numbers that JSON does not know are not written") {
    const TemporaryFolder folder;
    VocabularySidecar sidecar = example();
    sidecar.inertia = std::numeric_limits<double>::infinity();
    checks::require_error(Fault::output, (folder / "c.bin.json").string(), {"inertia inf"},
                          [&] { sidecar_text(folder / "c.bin.json", sidecar); });
}
