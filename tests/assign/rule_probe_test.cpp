// The rule held by words that it did not make, and a device whose arithmetic is not the rule's.
#include "tests/support/levels.hpp"
#include "tests/support/listener.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/assign/device/rule_probe.hpp>
#include <bowhist/assign/rule.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

/// Of tests/assign/golden_words.txt, by D.
std::map<std::size_t, std::vector<std::int32_t>> golden_words() {
    std::ifstream file(BOWHIST_SOURCE_FOLDER "/tests/assign/golden_words.txt");
    std::map<std::size_t, std::vector<std::int32_t>> golden;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with('#')) continue;
        std::istringstream fields(line);
        std::size_t dimensions = 0;
        char colon = 0;
        fields >> dimensions >> colon;
        for (std::int32_t word = 0; fields >> word;) golden[dimensions].push_back(word);
    }
    return golden;
}

/// The words that other sums of the same squares lead to.
template <typename Sum>
std::vector<std::int32_t> words_by(const RuleProbe &probe, Sum sum) {
    std::vector<std::int32_t> words;
    for (std::size_t row = 0; row < probe.rows.size(); ++row) {
        std::vector<double> distances;
        for (std::size_t j = 0; j < probe.words.size(); ++j)
            distances.push_back(sum(probe.rows.row(row), probe.words.row(j)));
        words.push_back(
            static_cast<std::int32_t>(std::ranges::min_element(distances) - distances.begin()));
    }
    return words;
}

double fused(std::span<const float> x, std::span<const float> c) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double difference = double{x[i]} - double{c[i]};
        sum = std::fma(difference, difference, sum);
    }
    return sum;
}

double reversed(std::span<const float> x, std::span<const float> c) {
    double sum = 0;
    for (std::size_t i = x.size(); i-- > 0;) sum += std::pow(double{x[i]} - double{c[i]}, 2);
    return sum;
}

/// A device on which `body` computes the squared distance.
std::shared_ptr<Device> device_with_rule(const TemporaryFolder &folder, const std::string &body) {
    std::ofstream(folder / "rule.cl")
        << "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#pragma OPENCL FP_CONTRACT OFF\n"
           "double squared_distance(global const float *x, global const float *c)\n{\n"
        << body << "\n}\n";
    return std::make_shared<Device>(DeviceOptions{.kernel_dir = folder.path()});
}

const std::string difference = "const double d = (double)x[i] - (double)c[i];";

/// Sums that are not the rule's, of 64 dimensions.
const std::map<std::string, std::string> other_rules = {
    {"fused", "double sum = 0; for (uint i = 0; i < DIMENSIONS; i++) {" + difference +
                  "sum = fma(d, d, sum); } return sum;"},
    {"in float32", "double sum = 0; for (uint i = 0; i < DIMENSIONS; i++) {" + difference +
                       "sum = (float)(sum + d * d); } return sum;"},
    {"from the end", "double sum = 0; for (int i = DIMENSIONS - 1; i >= 0; i--) {" + difference +
                         "sum = sum + d * d; } return sum;"},
    {"in 2 lanes", "double s[2] = {0, 0}; for (uint i = 0; i < DIMENSIONS; i++) {" + difference +
                       "s[i % 2] += d * d; } return s[0] + s[1];"},
    {"in 4 lanes", "double s[4] = {0, 0, 0, 0}; for (uint i = 0; i < DIMENSIONS; i++) {" +
                       difference + "s[i % 4] += d * d; } return s[0] + s[1] + s[2] + s[3];"},
    {"in 16 lanes", "double s[16] = {0}; for (uint i = 0; i < DIMENSIONS; i++) {" + difference +
                        "s[i % 16] += d * d; } for (uint i = 1; i < 16; i++) s[0] += s[i];"
                        "return s[0];"},
    {"in halves", "double s[2] = {0, 0}; for (uint i = 0; i < DIMENSIONS; i++) {" + difference +
                      "s[i / (DIMENSIONS / 2)] += d * d; } return s[0] + s[1];"},
    {"by fours", "double s[16] = {0}; for (uint i = 0; i < DIMENSIONS; i++) {" + difference +
                     "s[i / 4 % 16] += d * d; } for (uint i = 1; i < 16; i++) s[0] += s[i];"
                     "return s[0];"},
};

} // namespace

TEST_CASE("rule: words are those that Python's float64 finds") {
    const auto golden = golden_words();
    CHECK(golden.size() >= 5);
    for (const auto &[dimensions, words] : golden) {
        INFO("D " << dimensions);
        for (const auto places : {RuleProbe::Places::together, RuleProbe::Places::scattered}) {
            const RuleProbe probe(dimensions, places);
            REQUIRE(probe.rows.size() == words.size());
            for (std::size_t row = 0; row < words.size(); ++row)
                CHECK(nearest(probe.rows.row(row), probe.words) == words[row]);
        }
    }
}

TEST_CASE("rule: golden words tell it from fused and from reordered sums") {
    for (const auto &[dimensions, words] : golden_words()) {
        INFO("D " << dimensions);
        const RuleProbe probe(dimensions, RuleProbe::Places::together);
        CHECK(words_by(probe, fused) != words);
        if (dimensions > 2) CHECK(words_by(probe, reversed) != words);
    }
}

TEST_CASE("rule: every level finds the golden words") {
    for (const auto &[dimensions, words] : golden_words()) {
        const RuleProbe probe(dimensions, RuleProbe::Places::scattered);
        for (const Level &level : levels()) {
            if (level.obstacle(shared_device().get(), dimensions, probe.words.size())) continue;
            INFO("level " << level.id << ", D " << dimensions);
            CHECK(assign(level, shared_device(), probe.rows, probe.words).words == words);
        }
    }
}

TEST_CASE("rule: a device that fuses or reorders it is found, whatever the order") {
    if (lacks_fp64()) return;
    for (const auto &[name, body] : other_rules) {
        INFO(name);
        const TemporaryFolder folder;
        const auto device = device_with_rule(folder, body);
        for (const std::size_t dimensions : {64, 128}) {
            Kernel decide =
                device->kernel("decide.cl", "decide", "-DDIMENSIONS=" + std::to_string(dimensions));
            CHECK_FALSE(keeps_the_rule(*device, decide, dimensions));
        }
    }
}

TEST_CASE("rule: a device that flushes subnormals before it widens them is found") {
    if (lacks_fp64()) return;
    const std::string flush = "#define WIDE(v) (fabs(v) < 0x1p-126f ? 0.0 : (double)(v))\n";
    const std::string body = "double sum = 0; for (uint i = 0; i < DIMENSIONS; i++) {"
                             "const double d = WIDE(x[i]) - WIDE(c[i]); sum = sum + d * d; }"
                             "return sum;";
    const TemporaryFolder folder;
    const auto device = device_with_rule(folder, flush + body);
    for (const std::size_t dimensions : {2, 8, 64}) {
        INFO("D " << dimensions);
        Kernel decide =
            device->kernel("decide.cl", "decide", "-DDIMENSIONS=" + std::to_string(dimensions));
        CHECK_FALSE(keeps_the_rule(*device, decide, dimensions));
    }
}

TEST_CASE("rule: where a device does not keep it the host decides, and says so") {
    if (lacks_fp64()) return;
    for (const Level &level : levels_here()) {
        if (!level.on_device) continue;
        INFO("level " << level.id);
        const TemporaryFolder folder;
        const auto device = device_with_rule(folder, other_rules.at("fused"));
        const RuleProbe probe(64, RuleProbe::Places::scattered);
        Listener listener;
        const Assignment found =
            assign(level, device, probe.rows, probe.words, {.observer = &listener});
        CHECK(found.words == golden_words().at(64));
        CHECK_FALSE(device->limits().fp64);
        REQUIRE_FALSE(listener.warnings.empty()); // gpu7 has one more: that gpu6 stands in
        CHECK_THAT(listener.warnings[0], Catch::Contains("the host decides"));
    }
}

TEST_CASE("rule: a device that keeps it is left in peace") {
    if (lacks_fp64()) return;
    const auto device = shared_device();
    for (const std::size_t dimensions : {1, 2, 3, 64, 100}) {
        Kernel decide =
            device->kernel("decide.cl", "decide", "-DDIMENSIONS=" + std::to_string(dimensions));
        CHECK(keeps_the_rule(*device, decide, dimensions));
    }
    CHECK(device->take_launches().kernels.empty());
}
