#include <bowhist/compare/mutual_search.hpp>

#include <bowhist/compare/similarity.hpp>

#include <catch2/catch.hpp>
#include <tbb/global_control.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <random>

namespace bowhist {
namespace {

constexpr std::uint32_t words = 200;
constexpr std::size_t dimensions = 7;
constexpr std::size_t most = 6;

ImageQuery draw(std::mt19937 &random) {
    std::map<std::uint32_t, std::uint32_t> counts;
    const auto draws = random() % 40;
    for (unsigned i = 0; i < draws; ++i)
        counts[random() % 3 == 0 ? random() % words : random() % 20] += 1 + random() % 3;
    ImageQuery image{.words = {}, .code = std::vector<std::int8_t>(dimensions)};
    for (const auto &[word, count] : counts) image.words.push_back({word, count});
    if (draws > 0)
        for (auto &value : image.code) value = static_cast<std::int8_t>(int(random() % 255) - 127);
    return image;
}

/// Images, and what each is searched by: it may be another thing, as a mirror image is.
struct Scene {
    std::vector<ImageQuery> images, queries;
    WordMeasure measure{Normalization::hellinger, {}};

    explicit Scene(std::size_t count) {
        std::mt19937 random(4);
        for (std::size_t i = 0; i < count; ++i) {
            images.push_back(i > 0 && random() % 9 == 0 ? images[random() % i] : draw(random));
            queries.push_back(random() % 3 == 0 ? images.back() : draw(random));
        }
    }

    /// Of a few images, so that many scores are equal.
    Scene(std::size_t count, std::size_t distinct) : Scene(distinct) {
        std::mt19937 random(5);
        while (images.size() < count) {
            images.push_back(images[random() % distinct]);
            queries.push_back(queries[random() % distinct]);
        }
    }

    std::int64_t score(std::uint32_t lower, std::uint32_t higher, bool by_words) const {
        const ImageQuery &query = queries[lower], &image = images[higher];
        if (by_words)
            return similarity(static_cast<std::int64_t>(product(measure, query.words, image.words)),
                              measure.squared_norm(query.words), measure.squared_norm(image.words));
        const auto dot = std::inner_product(query.code.begin(), query.code.end(),
                                            image.code.begin(), std::int64_t{0});
        return similarity(dot, squared_norm(query.code), squared_norm(image.code));
    }

    /// The plain way.
    std::vector<ScoredImage> best(std::uint32_t of, bool by_words) const {
        std::vector<ScoredImage> all;
        for (std::uint32_t i = 0; i < images.size(); ++i)
            all.push_back({i, score(std::min(i, of), std::max(i, of), by_words)});
        std::erase_if(all, [](const ScoredImage &found) { return found.score <= 0; });
        std::ranges::stable_sort(all,
                                 [](const auto &a, const auto &b) { return a.score > b.score; });
        all.resize(std::min(all.size(), most));
        return all;
    }
};

/// Some images of a scene, indexed.
struct Part {
    std::vector<std::uint32_t> numbers, word_norms, code_norms;
    WordIndex index{{{0}}};
    CodeIndex codes{dimensions};
    InverseNorms inverse_word_norms, inverse_code_norms;
    ExcessBounds bounds;
    SearchableImages by_words, by_code;

    Part(const Scene &scene, const std::vector<std::uint32_t> &some, std::size_t listed)
        : numbers(some.rbegin(), some.rend()) {
        LevelFrequencies frequencies(words);
        for (const std::uint32_t i : numbers) frequencies.add(scene.images[i].words);
        WordRows rows = frequencies.rows();
        rows.listed_windows = listed;
        index = WordIndex(std::move(rows));
        for (const std::uint32_t i : numbers) {
            index.add(scene.images[i].words);
            codes.add(scene.images[i].code);
            word_norms.push_back(scene.measure.squared_norm(scene.images[i].words));
            code_norms.push_back(squared_norm(scene.images[i].code));
        }
        index.finish();
        codes.finish(WordIndex::window_images);
        inverse_word_norms = InverseNorms(word_norms);
        inverse_code_norms = InverseNorms(code_norms);
        bounds = ExcessBounds(index, scene.measure, inverse_word_norms.values);
        by_words.measure = &scene.measure;
        by_words.words = &index;
        by_words.word_norms = word_norms;
        by_words.inverse_word_norms = &inverse_word_norms;
        by_words.excess_bounds = &bounds;
        by_code.codes = &codes;
        by_code.code_norms = code_norms;
        by_code.inverse_code_norms = &inverse_code_norms;
    }

    void compare(const Scene &scene, const std::vector<std::uint32_t> &rising, bool with_words,
                 BestOfEach &best) const {
        const std::vector<std::uint32_t> of_queries(rising.rbegin(), rising.rend());
        std::vector<ImageQuery> queries;
        for (const std::uint32_t q : of_queries) queries.push_back(scene.queries[q]);
        MutualSearch(with_words ? by_words : by_code, numbers, best, most)
            .compare(queries, of_queries);
    }
};

std::vector<std::uint32_t> every(std::size_t count, std::uint32_t step, bool not_these = false) {
    std::vector<std::uint32_t> some;
    for (std::uint32_t i = 0; i < count; ++i)
        if ((i % step == 0) != not_these) some.push_back(i);
    return some;
}

TEST_CASE("mutual search: of each image the best, by one comparison of each pair") {
    const Scene scene(5000); // two windows
    const auto all = every(scene.images.size(), 1);
    for (const std::size_t listed : {0, 1}) {
        const Part part(scene, all, listed);
        for (const bool by_words : {true, false}) {
            BestOfEach best(all.size(), most);
            part.compare(scene, all, by_words, best);
            for (std::uint32_t i = 0; i < all.size(); i += 61)
                CHECK(best.take(i) == scene.best(i, by_words));
        }
    }
}

TEST_CASE("mutual search: of equal images the lower numbers, of those searched for at once too") {
    const Scene scene(9000, 60); // three windows
    const auto all = every(scene.images.size(), 1);
    const Part part(scene, all, 1);
    for (const bool by_words : {true, false}) {
        BestOfEach best(all.size(), most);
        part.compare(scene, all, by_words, best);
        for (std::uint32_t i = 0; i < all.size(); i += i < 2 * queries_at_once ? 5 : 149)
            CHECK(best.take(i) == scene.best(i, by_words));
    }
}

TEST_CASE("mutual search: what is searched for need not be among what can be found") {
    const Scene scene(9000, 60);
    const auto all = every(scene.images.size(), 1);
    const auto fresh = every(scene.images.size(), 8), known = every(scene.images.size(), 8, true);
    BestOfEach best(all.size(), most);
    Part(scene, fresh, 0).compare(scene, known, true, best);
    Part(scene, known, 1).compare(scene, known, true, best);
    Part(scene, all, 1).compare(scene, fresh, true, best);
    for (std::uint32_t i = 0; i < all.size(); i += 41) CHECK(best.take(i) == scene.best(i, true));
}

TEST_CASE("mutual search: threads, parts and their order change nothing") {
    const Scene scene(700);
    const auto all = every(scene.images.size(), 1);
    const auto fresh = every(scene.images.size(), 7), known = every(scene.images.size(), 7, true);
    for (const bool by_words : {true, false}) {
        BestOfEach at_once(all.size(), most), parted(all.size(), most);
        Part(scene, all, 0).compare(scene, all, by_words, at_once);
        const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
        Part(scene, fresh, 1).compare(scene, known, by_words, parted);
        Part(scene, known, 0).compare(scene, known, by_words, parted);
        Part(scene, all, 1).compare(scene, fresh, by_words, parted);
        for (const std::uint32_t i : all) {
            const auto best = at_once.take(i);
            CHECK(best == scene.best(i, by_words));
            CHECK(parted.take(i) == best);
        }
    }
}

TEST_CASE("best of each: the limit is the last of the best, at every moment") {
    std::mt19937 random(3);
    BestOfEach best(1, 5);
    std::vector<std::int64_t> scores;
    for (std::uint32_t image = 0; image < 200; ++image) {
        scores.push_back(1 + static_cast<std::int64_t>(random() % 90));
        best.add(0, {.image = image, .score = scores.back()});
        std::ranges::sort(scores, std::greater());
        CHECK(best.limit(0) == (scores.size() < 5 ? 1 : scores[4]));
    }
    CHECK(best.take(0).size() == 5);
}

TEST_CASE("best of each: equal scores take no more room, and the lower numbers stay") {
    BestOfEach best(1, 3);
    for (const std::uint32_t image : {9, 2, 7, 4, 8, 1, 3})
        best.add(0, {.image = image, .score = image == 7 ? 6 : 5});
    best.add(0, {.image = 0, .score = 0});
    CHECK(best.take(0) == std::vector<ScoredImage>{{7, 6}, {1, 5}, {2, 5}});
}

} // namespace
} // namespace bowhist
