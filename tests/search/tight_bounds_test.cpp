#include <bowhist/compare/image_search.hpp>

#include <catch2/catch.hpp>

namespace bowhist {
namespace {

using Words = std::vector<WordCount>;

constexpr std::uint32_t frequent = 0; ///< has a bitmap, of its first level alone
constexpr std::uint32_t k = 5000;

/// Two windows of images of one rare word each, the first by lists, the second by bounds. Some
/// images of each window hold `frequent` in its place; image 5 of each window is `twin`.
struct TwoWindows {
    WordMeasure measure{Normalization::hellinger, {}};
    WordIndex index;
    std::vector<std::uint32_t> norms;
    InverseNorms inverse_norms;
    ExcessBounds bounds;

    explicit TwoWindows(const Words &twin) : index({{0}}) {
        std::vector<Words> images;
        for (std::uint32_t i = 0; i < 2 * WordIndex::window_images; ++i) {
            const std::uint32_t place = i % WordIndex::window_images;
            images.push_back(place == 5        ? twin
                             : place % 50 == 0 ? Words{{frequent, 1}, {10 + place, 1}}
                                               : Words{{10 + place, 1 + i % 3}});
        }
        LevelFrequencies frequencies(k);
        for (const Words &image : images) frequencies.add(image);
        WordRows rows = frequencies.rows();
        REQUIRE(rows.levels(frequent) == 1);
        REQUIRE(rows.count() == 1);
        rows.listed_windows = 1;
        index = WordIndex(std::move(rows));
        for (const Words &image : images) {
            index.add(image);
            norms.push_back(measure.squared_norm(image));
        }
        index.finish();
        inverse_norms = InverseNorms(norms);
        bounds = ExcessBounds(index, measure, inverse_norms.values);
    }

    std::vector<ScoredImage> best(const Words &query) const {
        SearchableImages images;
        images.measure = &measure;
        images.words = &index;
        images.word_norms = norms;
        images.inverse_word_norms = &inverse_norms;
        images.excess_bounds = &bounds;
        const ImageQuery asked{query, {}};
        return search(images, std::span(&asked, 1), {7, 0}, 1)[0];
    }
};

} // namespace

TEST_CASE("search: an image whose bound is its score, and that ties with the best, is found") {
    struct Kind {
        Words query, twin;
    };
    const Kind kinds[] = {{{{4900, 7}}, {{4900, 7}}},             // the sum bounds it
                          {{{4900, 1}, {4901, 9}}, {{4901, 20}}}, // the root, too
                          {{{frequent, 5}}, {{frequent, 3}}}};    // the ratio to bitmaps
    for (const Kind &kind : kinds) {
        const auto found = TwoWindows(kind.twin).best(kind.query);
        REQUIRE(found.size() == 2);
        CHECK(found[0].image == 5);
        CHECK(found[1].image == 5 + WordIndex::window_images);
        CHECK(found[0].score == found[1].score);
    }
}

} // namespace bowhist
