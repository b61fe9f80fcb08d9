#include <bowhist/compare/image_search.hpp>

#include <bowhist/compare/device_image_search.hpp>
#include <bowhist/compare/prepared_queries.hpp>
#include <bowhist/compare/search_choice.hpp>
#include <bowhist/compare/similarity.hpp>
#include <bowhist/compare/word_adder.hpp>
#include <bowhist/core/error.hpp>

#include <catch2/catch.hpp>
#include <tbb/global_control.h>

#include <algorithm>
#include <map>
#include <random>

namespace bowhist {
namespace {

constexpr std::uint32_t k = 300;

/// Words with a few that nearly every image has, some rare ones, and counts up to `most`.
std::vector<WordCount> draw_words(std::mt19937 &random, std::uint32_t most) {
    std::map<std::uint32_t, std::uint32_t> words;
    const auto draws = random() % 60;
    for (unsigned i = 0; i < draws; ++i) {
        const std::uint32_t word = random() % 4 == 0 ? random() % k : random() % 20;
        words[word] = std::min<std::uint32_t>(most, words[word] + 1 +
                                                        (random() % 9 == 0 ? random() % most : 0));
    }
    std::vector<WordCount> image;
    for (const auto &[word, count] : words) image.push_back({word, count});
    return image;
}

std::vector<std::int8_t> draw_code(std::mt19937 &random, std::size_t dimensions) {
    std::vector<std::int8_t> code(dimensions);
    if (random() % 50 == 0) return code;
    for (auto &value : code) value = static_cast<std::int8_t>(int(random() % 255) - 127);
    code[random() % dimensions] = 127;
    return code;
}

/// Images with both descriptions, indexed.
struct Scene {
    WordMeasure measure;
    WordIndex index;
    CodeIndex codes;
    std::vector<ImageQuery> images;
    std::vector<std::uint32_t> word_norms, code_norms;
    InverseNorms inverse_word_norms, inverse_code_norms;
    ExcessBounds excess_bounds;

    /// @param listed  windows whose excess lies by word
    Scene(Normalization normalization, std::span<const double> weights, std::uint32_t most,
          std::size_t count, std::size_t listed = 1)
        : measure(normalization, weights), index({{0}}), codes(7) {
        std::mt19937 random(5);
        LevelFrequencies frequencies(k);
        for (std::size_t i = 0; i < count; ++i) {
            images.push_back({draw_words(random, most), draw_code(random, 7)});
            if (i > 0 && random() % 20 == 0) images.back() = images[random() % i];
            frequencies.add(images.back().words);
        }
        WordRows rows = frequencies.rows();
        rows.listed_windows = listed;
        index = WordIndex(std::move(rows));
        for (const ImageQuery &image : images) {
            index.add(image.words);
            codes.add(image.code);
            word_norms.push_back(measure.squared_norm(image.words));
            code_norms.push_back(squared_norm(image.code));
        }
        index.finish();
        codes.finish(WordIndex::window_images);
        inverse_word_norms = InverseNorms(word_norms);
        excess_bounds = ExcessBounds(index, measure, inverse_word_norms.values);
        inverse_code_norms = InverseNorms(code_norms);
    }

    SearchableImages searchable(bool words, bool with_codes) const {
        SearchableImages result;
        if (words) {
            result.measure = &measure;
            result.words = &index;
            result.word_norms = word_norms;
            result.inverse_word_norms = &inverse_word_norms;
            result.excess_bounds = &excess_bounds;
        }
        if (with_codes) {
            result.codes = &codes;
            result.code_norms = code_norms;
            result.inverse_code_norms = &inverse_code_norms;
        }
        return result;
    }

    /// Every image, scored the plain way.
    std::vector<ScoredImage> expected(const ImageQuery &query, const ScoreWeights &weights,
                                      std::size_t most) const {
        std::vector<ScoredImage> all;
        for (std::size_t i = 0; i < images.size(); ++i) {
            std::int64_t dot = 0;
            for (std::size_t d = 0; d < query.code.size(); ++d)
                dot += query.code[d] * images[i].code[d];
            const auto words =
                static_cast<std::int64_t>(product(measure, query.words, images[i].words));
            all.push_back(
                {static_cast<std::uint32_t>(i),
                 weights.words *
                         similarity(words, measure.squared_norm(query.words), word_norms[i]) +
                     weights.codes * similarity(dot, squared_norm(query.code), code_norms[i])});
        }
        std::ranges::stable_sort(all,
                                 [](const auto &a, const auto &b) { return a.score > b.score; });
        if (all.size() > most)
            std::erase_if(all,
                          [last = all[most - 1].score](const auto &a) { return a.score < last; });
        return all;
    }
};

std::vector<double> drawn_idf() {
    std::mt19937 random(9);
    std::vector<double> weights(k);
    for (double &weight : weights) weight = 1 + double(random() % 1000) / 100;
    return weights;
}

} // namespace

TEST_CASE("search: every answer is that of the plain way") {
    struct Kind {
        Normalization normalization;
        std::vector<double> weights;
        std::uint32_t most;
        std::size_t listed;
    };
    const Kind kinds[] = {
        {Normalization::hellinger, {}, 3, 0},       {Normalization::hellinger, {}, 3, 2},
        {Normalization::hellinger, {}, 300, 0},     {Normalization::hellinger, {}, 300, 1},
        {Normalization::none, {}, 40, 2},           {Normalization::tfidf, drawn_idf(), 60, 0},
        {Normalization::tfidf, drawn_idf(), 60, 2}, {Normalization::bm25, drawn_idf(), 60, 0},
        {Normalization::bm25, drawn_idf(), 60, 1}};
    for (const Kind &kind : kinds) {
        const Scene scene(kind.normalization, kind.weights, kind.most, 5000, kind.listed);
        std::mt19937 random(3);
        std::vector<ImageQuery> queries(scene.images.begin(), scene.images.begin() + 9);
        for (int i = 0; i < 9; ++i)
            queries.push_back({draw_words(random, kind.most), draw_code(random, 7)});
        queries.push_back({{}, std::vector<std::int8_t>(7)});
        for (const auto &[words, codes] : {std::pair{true, false}, {false, true}, {true, true}}) {
            const ScoreWeights weights{words ? 7 : 0, codes ? 3 : 0};
            const auto answers = search(scene.searchable(words, codes), queries, weights, 20);
            REQUIRE(answers.size() == queries.size());
            for (const SearchLevel &level : search_levels())
                if (!level.on_device)
                    CHECK(search(scene.searchable(words, codes), queries, weights, 20, level.way) ==
                          answers);
            for (std::size_t q = 0; q < queries.size(); ++q)
                CHECK(answers[q] == scene.expected(queries[q], weights, 20));
        }
    }
}

TEST_CASE("search: a device gives the host's answers") {
    const auto device = std::make_shared<Device>(DeviceOptions{});
    struct Kind {
        Normalization normalization;
        std::vector<double> weights;
        std::uint32_t most;
    };
    for (const Kind &kind : {Kind{Normalization::hellinger, {}, 3},
                             {Normalization::hellinger, {}, 300},
                             {Normalization::tfidf, drawn_idf(), 60},
                             {Normalization::bm25, drawn_idf(), 3}}) {
        const Scene scene(kind.normalization, kind.weights, kind.most, 9000);
        const std::span queries = std::span(scene.images).first(130);
        for (const auto &[words, codes] : {std::pair{true, false}, {false, true}, {true, true}}) {
            const ScoreWeights weights{words ? 7 : 0, codes ? 3 : 0};
            const SearchableImages searchable = scene.searchable(words, codes);
            CHECK(DeviceImageSearch(device, searchable).search(queries, weights, 5) ==
                  search(searchable, queries, weights, 5));
        }
    }
}

TEST_CASE("search: a few queries on a device",
          "[oclgrind][sum_words.cl][multiply_codes.cl][keep_hits.cl]") {
    const Scene scene(Normalization::hellinger, {}, 20, 40);
    const std::span queries = std::span(scene.images).first(2);
    const auto device = std::make_shared<Device>(DeviceOptions{});
    for (const bool words : {true, false}) {
        const SearchableImages searchable = scene.searchable(words, true);
        const ScoreWeights weights{words ? 7 : 0, 3};
        CHECK(DeviceImageSearch(device, searchable).search(queries, weights, 5) ==
              search(searchable, queries, weights, 5));
    }
}

TEST_CASE("search: threads and the number of queries at once change no answer") {
    const Scene scene(Normalization::hellinger, {}, 5, 9000);
    const std::span queries = std::span(scene.images).first(150);
    const auto searchable = scene.searchable(true, true);
    const auto together = search(searchable, queries, {}, 5);
    const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
    for (std::size_t q = 0; q < queries.size(); q += 7)
        CHECK(search(searchable, queries.subspan(q, 1), {}, 5)[0] == together[q]);
}

TEST_CASE("search: more queries than are searched for at once, of sums of 16 bits and of 32") {
    const Scene scene(Normalization::tfidf, drawn_idf(), 60, 5000);
    const std::span queries = std::span(scene.images).first(2 * queries_at_once + 5);
    const auto by_words = scene.searchable(true, false);
    const PreparedQueries prepared(by_words, queries, {7, 0});
    const WordAdder adder(by_words, prepared, {});
    std::size_t wide = 0;
    for (std::size_t q = 0; q < queries.size(); ++q) wide += adder.is_wide(q) ? 1 : 0;
    CHECK((wide > queries.size() / 8 && wide < queries.size() * 7 / 8));
    for (const bool codes : {false, true}) {
        const ScoreWeights by{7, codes ? 3 : 0};
        const auto answers = search(scene.searchable(true, codes), queries, by, 20);
        REQUIRE(answers.size() == queries.size());
        for (std::size_t q = 0; q < queries.size(); q += 19)
            CHECK(answers[q] == scene.expected(queries[q], by, 20));
    }
}

TEST_CASE("search: images of low scores are left out, if asked for") {
    const Scene scene(Normalization::hellinger, {}, 5, 9000);
    std::vector<ImageQuery> queries(scene.images.begin(), scene.images.begin() + 40);
    queries.push_back({{}, std::vector<std::int8_t>(7)});
    for (const auto &[words, codes] : {std::pair{true, false}, {false, true}, {true, true}}) {
        const ScoreWeights weights{words ? 7 : 0, codes ? 3 : 0};
        for (const std::int64_t least : {std::int64_t{1}, weights.full() / 2}) {
            const auto answers =
                search(scene.searchable(words, codes), queries, weights, 20, {}, least);
            for (std::size_t q = 0; q < queries.size(); ++q) {
                auto expected = scene.expected(queries[q], weights, 20);
                std::erase_if(expected, [&](const auto &found) { return found.score < least; });
                CHECK(answers[q] == expected);
            }
        }
    }
}

TEST_CASE("search: for a level that search lacks, the next lower of its kind runs") {
    const std::pair<std::string, std::string> levels[] = {
        {"serial", "serial"}, {"openmp", "openmp"}, {"simd", "simd"},
        {"gpu1", "gpu1"},     {"gpu5", "gpu1"},     {"gpu7", "gpu1"}};
    for (const auto &[asked, runs] : levels) CHECK(find_search_level(asked).id == runs);
    CHECK_THROWS_AS(find_search_level("gpu9"), Error);
}

TEST_CASE("search: more images are asked for than there are") {
    for (const std::size_t listed : {0, 1}) {
        const Scene scene(Normalization::hellinger, {}, 5, 30, listed);
        const auto images = scene.searchable(true, true);
        CHECK(search(images, std::span(scene.images).first(1), {}, 1000)[0].size() == 30);
    }
}

TEST_CASE("similarity: the largest whole number that is not above the true one") {
    CHECK(similarity(38400, 38400, 38400) == full_similarity);
    CHECK(similarity(-38400, 38400, 38400) == -full_similarity);
    CHECK(similarity(0, 5, 5) == 0);
    CHECK(similarity(0, 0, 5) == 0);
    CHECK(similarity(0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF) == full_similarity);
    std::mt19937_64 random(1);
    for (int i = 0; i < 100000; ++i) {
        const std::uint64_t a = 1 + random() % 0xFFFFFFFF;
        const std::uint64_t b = 1 + random() % 0xFFFFFFFF;
        const auto most =
            static_cast<std::uint64_t>(std::sqrt(double(a)) * std::sqrt(double(b)) * 0.999999);
        const auto product = static_cast<std::int64_t>(random() % (most + 1));
        const std::int64_t s = similarity(product, a, b);
        __extension__ using Wide = unsigned __int128;
        const Wide square = Wide(product << 24) * Wide(product << 24);
        const auto size = static_cast<Wide>(s);
        const bool largest =
            size * size * a * b <= square && (size + 1) * (size + 1) * a * b > square;
        if (!largest) FAIL(product << " " << a << " " << b);
    }
}

TEST_CASE("BestImages keeps what equals the last one") {
    BestImages best(2);
    for (std::uint32_t i = 0; i < 100; ++i) best.add({i, i % 10 == 0 ? 5 : 3});
    best.add({200, 9});
    const auto sorted = best.sorted();
    REQUIRE(sorted.size() == 11);
    CHECK(sorted[0] == ScoredImage{200, 9});
    for (std::uint32_t i = 0; i < 10; ++i) CHECK(sorted[i + 1] == ScoredImage{10 * i, 5});
}

} // namespace bowhist
