#include <bowhist/tables/vocabulary/vocabulary_pair.hpp>

#include "tests/files/sidecars.hpp"
#include "tests/support/temporary_folder.hpp"

#include <atomic>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

using namespace bowhist;

namespace {

const Vocabulary first{3, {1, 2, 3, 4, 5, 6}};
const Vocabulary second{2, {1, 2}};
const Vocabulary third{1, {7}};

/// Made in a way that no other vocabulary here was.
VocabularySidecar sidecar_of(const Vocabulary &vocabulary) {
    VocabularySidecar sidecar;
    sidecar.recipe.extractor = vocabulary.dimensions == 3 ? "akaze" : "kaze\xff\"";
    sidecar.recipe.max_side = 1024;
    sidecar.recipe.preprocessing.filter_name = "f";
    sidecar.recipe.preprocessing.filter = {1, 1, {vocabulary.values.back() / 3}};
    sidecar.seed = vocabulary.size();
    sidecar.fingerprint = fingerprint(vocabulary);
    sidecar.version = "0.1.0";
    return sidecar;
}

void write_pair(const TemporaryFolder &folder, const Vocabulary &vocabulary) {
    write_vocabulary_pair(folder / "c.bin", vocabulary, sidecar_of(vocabulary));
}

/// Replaces what lies in the folder, but ends after `steps` renames.
/// @return whether the replacement is complete
bool replace_in_part(const TemporaryFolder &folder, const Vocabulary &vocabulary, int steps) {
    PairReplacement replacement(folder / "c.bin", vocabulary, sidecar_of(vocabulary));
    for (; steps > 0 && !replacement.done(); --steps) replacement.step();
    return replacement.done();
}

/// The pair reads, and its record is its own: the one that was written with that vocabulary.
VocabularyPair require_own_record(const TemporaryFolder &folder) {
    VocabularyPair pair = read_vocabulary_pair(folder / "c.bin");
    CHECK(pair.fingerprint == fingerprint(pair.vocabulary));
    CHECK_FALSE(pair.recorded.of_another);
    REQUIRE(pair.recorded.sidecar);
    CHECK(*pair.recorded.sidecar == sidecar_of(pair.vocabulary));
    return pair;
}

} // namespace

TEST_CASE("vocabulary pair: histograms know preparations apart") {
    VocabularyPair pair{"c.bin", {3, {1, 2, 3}}, "0123abcd", {}};
    CHECK(fingerprint_of_histograms(pair) == "0123abcd");
    pair.recorded.sidecar = VocabularySidecar{};
    CHECK(fingerprint_of_histograms(pair) == "0123abcd");
    Preparation preparation{.steps = parse_preparation("position"), .dimensions = 1};
    std::set<std::string> all = {pair.fingerprint};
    const auto is_new = [&] {
        pair.recorded.sidecar->preparation = preparation;
        const std::string own = fingerprint_of_histograms(pair);
        CHECK(own == fingerprint_of_histograms(pair));
        return all.insert(own).second;
    };
    CHECK(is_new());
    preparation.deviation = 0.5;
    CHECK(is_new());
    preparation.steps = parse_preparation("position:1.5");
    CHECK(is_new());
    CHECK_FALSE(is_new());
}

TEST_CASE("files: a pair that is replaced reads after every step, as the old one or the new one") {
    bool replaced = false;
    int old_seen = 0;
    for (int steps = 0; !replaced; ++steps) {
        INFO("ended after " << steps << " steps");
        const TemporaryFolder folder;
        write_pair(folder, first);
        replaced = replace_in_part(folder, second, steps);
        const VocabularyPair pair = require_own_record(folder);
        const bool old = pair.vocabulary.values == first.values;
        CHECK((old || pair.vocabulary.values == second.values));
        CHECK((!replaced || !old));
        old_seen += old ? 1 : 0;
        CHECK(checks::names_in(folder.path()) == std::set<std::string>{"c.bin", "c.bin.json"});
        // whatever was left there, the next training replaces it as safely
        for (int next = 0; next < 4; ++next) {
            replace_in_part(folder, third, next);
            require_own_record(folder);
        }
        CHECK(read_vocabulary_pair(folder / "c.bin").vocabulary.values == third.values);
        const std::string left = checks::read_bytes(folder / "c.bin.json");
        CHECK(left.find("replaces") == std::string::npos);
    }
    CHECK(old_seen == 2); // before anything, and between the sidecar and c.bin
}

TEST_CASE("files: a vocabulary without a sidecar stays one until it is replaced") {
    bool replaced = false;
    for (int steps = 0; !replaced; ++steps) {
        INFO("ended after " << steps << " steps");
        const TemporaryFolder folder;
        checks::write_vocabulary(folder / "c.bin", first);
        replaced = replace_in_part(folder, second, steps);
        const VocabularyPair pair = read_vocabulary_pair(folder / "c.bin");
        CHECK_FALSE(pair.recorded.of_another);
        if (pair.vocabulary.values == first.values) {
            CHECK_FALSE(replaced);
            CHECK_FALSE(pair.recorded.sidecar);
        } else {
            require_own_record(folder);
        }
    }
    // and where no vocabulary was, none appears before the pair is whole
    for (int steps = 0; steps < 2; ++steps) {
        const TemporaryFolder folder;
        CHECK_FALSE(replace_in_part(folder, second, steps));
        CHECK_FALSE(std::filesystem::exists(folder / "c.bin"));
        CHECK(replace_in_part(folder, second, 2));
        require_own_record(folder);
    }
}

TEST_CASE("files: a vocabulary that was refused before a replacement is refused until it is done") {
    const auto refused = [](const TemporaryFolder &folder) {
        try {
            return read_vocabulary_pair(folder / "c.bin").recorded.of_another;
        } catch (const Error &error) {
            return error.fault == Fault::vocabulary;
        }
    };
    const auto damage = {"{", R"({"fingerprint": "of another"})",
                         R"({"fingerprint": "new", "replaces": {"fingerprint": "older"}})"};
    for (const char *old_sidecar : damage) {
        const TemporaryFolder folder;
        checks::write_vocabulary(folder / "c.bin", first);
        checks::write_bytes(folder / "c.bin.json", old_sidecar);
        CHECK(refused(folder));
        CHECK_FALSE(replace_in_part(folder, second, 1));
        CHECK(refused(folder));
        CHECK(replace_in_part(folder, second, 2));
        require_own_record(folder);
    }
}

TEST_CASE("files: a reader always finds the record that fits while pairs are replaced") {
    const TemporaryFolder folder;
    write_pair(folder, first);
    std::atomic<bool> done = false;
    const std::jthread writer([&] {
        for (int number = 0; number < 200; ++number)
            write_pair(folder, {1, {static_cast<float>(number)}});
        done = true;
    });
    std::size_t reads = 0;
    std::size_t misses = 0;
    for (; !done; ++reads) {
        const VocabularyPair pair = read_vocabulary_pair(folder / "c.bin");
        misses += pair.recorded.sidecar == sidecar_of(pair.vocabulary) ? 0 : 1;
    }
    CHECK(reads > 0);
    CHECK(misses == 0);
}

TEST_CASE("files: the same vocabulary again takes its new record with it") {
    for (int steps = 0; steps < 3; ++steps) {
        const TemporaryFolder folder;
        write_pair(folder, first);
        VocabularySidecar again = sidecar_of(first);
        again.version = "later";
        PairReplacement replacement(folder / "c.bin", first, again);
        for (int step = 0; step < steps; ++step) replacement.step();
        const auto found = read_vocabulary_pair(folder / "c.bin").recorded.sidecar;
        REQUIRE(found);
        CHECK(*found == (steps == 0 ? sidecar_of(first) : again));
    }
}

TEST_CASE("files: a sidecar whose record is damaged is refused") {
    const TemporaryFolder folder;
    write_pair(folder, first);
    for (const char *old : {R"(5)", R"({})", R"({"fingerprint": 5})"}) {
        auto damaged = nlohmann::json::parse(checks::read_bytes(folder / "c.bin.json"));
        damaged["replaces"] = nlohmann::json::parse(old);
        damaged["fingerprint"] = "another";
        checks::write_bytes(folder / "x.bin.json", damaged.dump());
        checks::write_vocabulary(folder / "x.bin", first);
        checks::require_error(Fault::vocabulary, (folder / "x.bin.json").string(), {"expected"},
                              [&] { read_vocabulary_pair(folder / "x.bin"); });
    }
}

TEST_CASE("files: a vocabulary that cannot be replaced keeps its sidecar") {
    const TemporaryFolder folder;
    const auto in_the_way = [&] { // of the rename of c.bin
        std::filesystem::remove(folder / "c.bin");
        std::filesystem::create_directories(folder / "c.bin/full");
    };
    for (const bool has_sidecar : {true, false}) {
        write_pair(folder, first);
        if (!has_sidecar) std::filesystem::remove(folder / "c.bin.json");
        const auto before = has_sidecar ? checks::read_bytes(folder / "c.bin.json") : "";
        {
            PairReplacement replacement(folder / "c.bin", second, sidecar_of(second));
            replacement.step();
            in_the_way();
            CHECK_THROWS_AS(replacement.step(), Error);
            replacement.undo();
        }
        CHECK(checks::names_in(folder.path()) == (has_sidecar
                                                      ? std::set<std::string>{"c.bin", "c.bin.json"}
                                                      : std::set<std::string>{"c.bin"}));
        if (has_sidecar) CHECK(checks::read_bytes(folder / "c.bin.json") == before);
        std::filesystem::remove_all(folder / "c.bin");
    }
}
