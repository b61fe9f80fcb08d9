// Encoded bytes are counted as a file with these bytes is, or refused with its words.
#include "tests/pictures/make_pictures.hpp"
#include "tests/support/descriptors.hpp"
#include "tests/support/kept_rows.hpp"
#include "tests/support/levels.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/pipeline/histogram_stream.hpp>

#include <catch2/catch.hpp>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

/// What counts images into 20 words, on the host.
struct Counting {
    explicit Counting(const Preprocessing &steps)
        : recipe(completed({.extractor = "dense", .preprocessing = steps})) {}

    /// As the files of a run are counted.
    std::vector<std::uint32_t> of_file(const Input &input) const {
        KeepRows writer;
        HistogramOptions options;
        options.words = 20;
        options.stream.image = limits;
        options.stream.preprocessor = preprocessor;
        options.stream.strict = true;
        Observer observer;
        stream_histograms({&input, 1}, *extractor, *assigner, writer, options, observer);
        return writer.rows.at(0).counts;
    }

    PendingCounts add(const std::string &bytes, ImageRemarks *remarks = nullptr) const {
        return add_encoded(*counter, {bytes, "an upload"}, limits, preprocessor.get(), remarks);
    }

    Recipe recipe;
    ImageLimits limits{.max_side = 150};
    Observer silent;
    std::shared_ptr<Preprocessor> preprocessor = make_preprocessor(recipe.preprocessing);
    std::unique_ptr<Extractor> extractor = make_extractor(recipe);
    std::unique_ptr<Assigner> assigner =
        find_level("simd").prepare(nullptr, random_vocabulary(20, 64, 1), {});
    std::unique_ptr<ImageCounter> counter =
        make_image_counter(recipe, *extractor, *assigner, silent);
};

} // namespace

TEST_CASE("encoded input: the counts are those of a file with these bytes") {
    const TemporaryFolder folder;
    const cv::Mat photo = make_photo(300, 200);
    const std::string sideways = with_orientation(encode(".jpg", photo), 6);
    for (const bool equalize : {false, true}) {
        Preprocessing steps;
        steps.equalize = equalize;
        const Counting counting(steps);
        std::vector<std::vector<std::uint32_t>> seen;
        for (const std::string &bytes :
             {encode(".jpg", photo), sideways, encode(".png", photo), encode(".webp", photo)}) {
            const PendingCounts added = counting.add(bytes);
            REQUIRE(added.is_taken());
            seen.push_back(added.counts.get());
            CHECK(seen.back() == counting.of_file({save(folder / "x", bytes), "x"}));
        }
        CHECK(seen[0] != seen[1]); // stands as the camera was held
        CHECK(seen[0] != std::vector<std::uint32_t>(20, 0));
    }
}

TEST_CASE("encoded input: what is refused is refused as a file is, by its name") {
    const TemporaryFolder folder;
    const Counting counting({});
    const std::string jpeg = encode(".jpg", make_photo(300, 200));
    const std::string png = encode(".png", make_photo(30, 20));
    std::string broken = png;
    broken[png.size() / 2] = static_cast<char>(~broken[png.size() / 2]);
    for (const std::string &bytes :
         {std::string{}, std::string("<!DOCTYPE html><html></html>"),
          jpeg.substr(0, jpeg.size() / 2), broken, with_frame_size(jpeg, 60'000, 60'000)}) {
        std::string why;
        try {
            read_image(save(folder / "x", bytes), counting.limits);
        } catch (const Error &error) {
            why = std::string(error.what()).substr((folder / "x").native().size());
        }
        REQUIRE_FALSE(why.empty());
        CHECK_THROWS_WITH(counting.add(bytes), "an upload" + why);
    }
}

TEST_CASE("encoded input: remarks name it, and what a counter does not take comes back") {
    struct Full : ImageCounter {
        bool takes(const Image & /*image*/) const override { return false; }
        PendingCounts add(Image /*image*/) override { return {}; }
    } full;
    std::string jpeg = encode(".jpg", make_photo(300, 200));
    jpeg.resize(jpeg.size() / 2);
    ImageRemarks remarks;
    const PendingCounts left =
        add_encoded(full, {jpeg, "half"}, {.keep_damaged = true}, nullptr, &remarks);
    CHECK_FALSE(left.is_taken());
    CHECK(left.image.width == 300);
    CHECK_THAT(remarks.damage, Catch::StartsWith("half: damaged"));
}
