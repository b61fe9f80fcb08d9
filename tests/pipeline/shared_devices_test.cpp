// Several devices share the work: the words and rows are those of one, also where some fail.
#include "tests/support/descriptors.hpp"
#include "tests/support/kept_rows.hpp"
#include "tests/support/levels.hpp"
#include "tests/support/listener.hpp"
#include "tests/support/shared_devices.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/pictures/jpeg/encode_jpeg.hpp>
#include <bowhist/pipeline/histogram_stream.hpp>
#include <bowhist/pipeline/picture_counter.hpp>
#include <bowhist/tables/descriptors/descriptor_file.hpp>

#include <catch2/catch.hpp>

#include <fmt/format.h>

#include <fstream>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

Assignment by_the_rule(const Vocabulary &vocabulary, const Batch &batch) {
    return choose_level({.level = "serial"}, vocabulary.dimensions, vocabulary.size())
        .prepare(vocabulary)
        ->run(batch);
}

void write_texture(const std::filesystem::path &path, unsigned greys) {
    Raster image{200, 150, Color::grey, {}};
    for (unsigned p = 0; p < 200 * 150; ++p)
        image.samples.push_back(static_cast<std::uint8_t>(p * p % greys));
    std::ofstream(path, std::ios::binary) << encode_jpeg(image);
}

/// Files of descriptors, pictures, and an empty file.
std::vector<Input> write_inputs(const TemporaryFolder &folder) {
    std::vector<Input> inputs;
    for (unsigned i = 0; i < 40; ++i) {
        const bool is_picture = i % 10 > 6;
        const auto path = folder / fmt::format("{}.{}", i, is_picture ? "jpg" : "npy");
        if (is_picture)
            write_texture(path, 100 + i);
        else
            write_descriptors(path, random_descriptors(i * 37 % 90, 64, 1 + i));
        inputs.push_back({path, path.native()});
    }
    return inputs;
}

std::vector<std::vector<std::uint32_t>> rows_by(const LevelChoice &choice,
                                                std::span<const Input> inputs, bool by_counter,
                                                Observer &observer) {
    const Recipe recipe = completed({.extractor = "dense"});
    const auto extractor = make_extractor(recipe);
    const auto assigner = choice.prepare(random_vocabulary(20, 64, 1));
    std::unique_ptr<ImageCounter> counter;
    if (by_counter) counter = make_image_counter(recipe, *extractor, *assigner, observer, true);
    REQUIRE(by_counter == (counter != nullptr));
    HistogramOptions options;
    options.words = 20;
    options.batch = 100;
    options.stream.counter = counter.get();
    options.stream.threads = 2;
    KeepRows writer;
    stream_histograms(inputs, *extractor, *assigner, writer, options, observer);
    std::vector<std::vector<std::uint32_t>> rows;
    for (const Histogram &row : writer.rows) rows.push_back(row.counts);
    return rows;
}

} // namespace

TEST_CASE("devices: what they say while they are prepared comes in their order") {
    Listener observer;
    SpeakingLevel level(3, observer);
    level.choice().prepare(random_vocabulary(5, 8, 4));
    CHECK(observer.notes == std::vector<std::string>{"device 0", "device 1", "device 2"});
    CHECK(observer.warnings == observer.notes);
}

TEST_CASE("devices: words and counts of a shared batch are the rule's, also where one fails") {
    const Vocabulary vocabulary = random_vocabulary(33, 64, 2);
    const Descriptors rows = random_descriptors(9000, 64, 3);
    std::vector<std::uint32_t> bag;
    for (std::size_t row = 0; row < rows.size(); ++row)
        bag.push_back(static_cast<std::uint32_t>(row % 7));
    const Batch batch{rows.values, bag, 7};
    const Assignment expected = by_the_rule(vocabulary, batch);
    for (const std::size_t fails :
         {std::size_t{0}, std::size_t{1}, std::size_t{3}, std::size_t{9}}) {
        INFO("fails at launch " << fails << " of its work");
        Listener observer;
        const LevelChoice choice = shared_by(3, fails, observer);
        const auto assigner = choice.prepare(vocabulary);
        REQUIRE(assigner->on_devices() != nullptr);
        for (int run = 0; run < 4; ++run) {
            const Assignment found = assigner->run(batch);
            CHECK(found.words == expected.words);
            CHECK(found.histograms == expected.histograms);
        }
        CHECK(assigner->report().rows >= 3 * rows.size());
        REQUIRE(observer.warnings.size() == (last_one_failed(choice) ? 1 : 0));
        if (fails == 1) CHECK(observer.warnings.size() == 1);
        if (!observer.warnings.empty()) {
            CHECK(observer.warnings[0].starts_with("device "));
            CHECK(observer.warnings[0].find("CL_DEVICE_NOT_AVAILABLE") != std::string::npos);
        }
    }
}

TEST_CASE("devices: where all fail, the run ends with the last one's error") {
    Listener observer;
    LevelChoice choice = shared_by(2, 4, observer);
    choice.first_device = failing_device(4);
    const Vocabulary vocabulary = random_vocabulary(5, 64, 2);
    const Descriptors rows = random_descriptors(9000, 64, 3);
    const auto work = [&] {
        const auto assigner = choice.prepare(vocabulary);
        for (int run = 0; run < 3; ++run) assigner->run({rows.values, {}, 1});
    };
    CHECK_THROWS_WITH(work(), Catch::Contains("CL_DEVICE_NOT_AVAILABLE") &&
                                  Catch::Contains("try another --device"));
    CHECK(observer.warnings.size() == 1);
}

TEST_CASE("devices: rows of histograms are those of one device, in order, also where one fails") {
    const TemporaryFolder folder;
    const std::vector<Input> inputs = write_inputs(folder);
    Listener listener;
    const auto expected =
        rows_by(choose_level({.level = "serial"}, 64, 20), inputs, false, listener);
    REQUIRE(expected.size() == inputs.size());
    for (const bool by_counter : {false, true})
        for (const std::size_t fails :
             {std::size_t{0}, std::size_t{1}, std::size_t{12}, std::size_t{40}}) {
            INFO((by_counter ? "pictures on the devices" : "pictures on the host")
                 << ", one fails at launch " << fails << " of its work");
            Listener observer;
            const LevelChoice choice = shared_by(2, fails, observer);
            CHECK(rows_by(choice, inputs, by_counter, observer) == expected);
            const auto left = std::ranges::count_if(observer.warnings, [](const std::string &line) {
                return line.starts_with("device ");
            });
            CHECK(left == (last_one_failed(choice) ? 1 : 0));
            if (fails == 1) CHECK(left == 1);
        }
}
