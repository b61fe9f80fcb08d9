#include <bowhist/compare/prepared_queries.hpp>
#include <bowhist/compare/similarity.hpp>
#include <bowhist/compare/spread_query.hpp>
#include <bowhist/compare/word_query.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <random>

namespace bowhist {
namespace {

constexpr std::uint32_t k = 120;

std::vector<WordCount> draw_words(std::mt19937 &random, std::uint32_t most) {
    std::map<std::uint32_t, std::uint32_t> words;
    for (unsigned i = random() % 50; i > 0; --i)
        words[random() % 3 == 0 ? random() % k : random() % 12] += 1 + random() % most;
    std::vector<WordCount> image;
    for (const auto &[word, count] : words) image.push_back({word, count});
    return image;
}

std::vector<double> drawn_idf() {
    std::mt19937 random(9);
    std::vector<double> weights(k);
    for (double &weight : weights) weight = double(random() % 1000) / 100;
    return weights;
}

std::vector<WordMeasure> measures() {
    return {{Normalization::hellinger, {}},
            {Normalization::none, {}},
            {Normalization::tfidf, drawn_idf()},
            {Normalization::bm25, drawn_idf()}};
}

struct Indexed {
    std::vector<std::vector<WordCount>> images;
    std::unique_ptr<WordIndex> index;

    explicit Indexed(std::uint32_t most) {
        std::mt19937 random(most);
        LevelFrequencies frequencies(k);
        for (int i = 0; i < 700; ++i) {
            images.push_back(draw_words(random, most));
            frequencies.add(images.back());
        }
        WordRows rows = frequencies.rows();
        rows.listed_windows = 0;
        index = std::make_unique<WordIndex>(std::move(rows));
        for (const auto &image : images) index->add(image);
        index->finish();
    }

    bool bit(std::uint32_t offset, std::size_t image) const {
        const std::size_t block = image / WordIndex::block_images;
        const std::size_t place = image % WordIndex::block_images;
        return (index->block(0, block)[offset + place / 64] >> (place % 64) & 1U) != 0;
    }
};

/// What a query's bitmaps say of an image, and what is beyond, by image and by word.
std::uint64_t added_up(const Indexed &indexed, const WordQuery &query, const SpreadQuery &spread,
                       std::size_t image) {
    std::uint64_t sum = 0;
    for (const auto &[offset, weight] : query.bitmaps())
        sum += std::uint64_t{indexed.bit(offset, image)} * weight;
    const ExcessLists lists = indexed.index->lists(0);
    auto long_entry = lists.long_entries.begin();
    std::uint64_t in_lists = 0;
    auto list = query.lists().begin();
    for (std::uint32_t word = 0; word < k; ++word) {
        const bool is_asked = list != query.lists().end() && list->word == word;
        lists.for_each(word, long_entry, [&](std::uint32_t place, std::uint32_t excess) {
            if (is_asked && place == image) in_lists += query.gain(*list, excess);
        });
        list += is_asked ? 1 : 0;
    }
    const std::uint64_t excess = spread.product_of_excess(*indexed.index, image);
    if (excess != in_lists) FAIL(image << " " << excess << " " << in_lists);
    sum += excess;
    return sum;
}

} // namespace

TEST_CASE("words of a query: bitmaps and lists add up to the product") {
    for (const std::uint32_t most : {1, 4, 60})
        for (const WordMeasure &measure : measures()) {
            const Indexed indexed(most);
            SpreadQuery spread(measure, k);
            std::mt19937 random(2);
            for (int q = 0; q < 4; ++q) {
                const auto words = q == 0 ? std::vector<WordCount>() : draw_words(random, most);
                const WordQuery query(measure, indexed.index->rows(), words);
                spread.set(query);
                CHECK(query.squared_norm() == product(measure, words, words));
                for (std::size_t i = 0; i < indexed.images.size(); i += 3)
                    if (added_up(indexed, query, spread, i) !=
                        product(measure, words, indexed.images[i]))
                        FAIL(most << " " << q << " " << i);
            }
        }
}

TEST_CASE("index of words: rows made of lists are those of images") {
    for (const std::uint32_t most : {4, 300}) {
        const Indexed indexed(most);
        WordIndex other(indexed.index->rows(), indexed.index->size());
        other.set_lists(0, indexed.index->lists(0));
        for (std::size_t image = 0; image < indexed.images.size(); ++image) {
            std::vector<WordCount> expected, found;
            const auto into = [](std::vector<WordCount> &words) {
                return [&](std::uint32_t word, std::uint32_t excess) {
                    words.push_back({word, excess});
                };
            };
            indexed.index->for_each_excess(image, into(expected));
            other.for_each_excess(image, into(found));
            if (found != expected) FAIL(most << " " << image);
        }
    }
}

TEST_CASE("rows of excess: high words, and large numbers") {
    const std::vector<std::vector<WordCount>> images = {
        {{0, 1}, {4095, 14}, {4096, 15}, {8192, 16}, {200'000, 255}}, {}, {{70'000, 2}}};
    ExcessRows rows;
    for (const auto &image : images) {
        for (const auto &[word, excess] : image) rows.add(word, excess);
        rows.close_image();
    }
    REQUIRE(rows.size() == images.size());
    for (std::size_t i = 0; i < images.size(); ++i) {
        std::vector<WordCount> found;
        rows.for_each(i, [&](std::uint32_t word, std::uint32_t excess) {
            found.push_back({word, excess});
        });
        CHECK(found == images[i]);
    }
}

TEST_CASE("bounds of excess: no product exceeds its bound") {
    for (const std::uint32_t most : {1, 4, 60})
        for (const WordMeasure &measure : measures()) {
            const Indexed indexed(most);
            std::vector<std::uint32_t> norms;
            for (const auto &image : indexed.images) norms.push_back(measure.squared_norm(image));
            const InverseNorms inverse(norms);
            const ExcessBounds bounds(*indexed.index, measure, inverse.values);
            SpreadQuery spread(measure, k);
            for (std::size_t q = 0; q < 20; ++q) {
                const WordQuery query(measure, indexed.index->rows(), indexed.images[q]);
                spread.set(query);
                std::vector<std::uint32_t> factors;
                for (const auto &list : query.lists()) factors.push_back(list.factor);
                const auto [ratio, sum, root] = bounds.factors(factors);
                for (std::size_t i = 0; i < indexed.images.size(); ++i) {
                    const std::uint64_t excess = spread.product_of_excess(*indexed.index, i);
                    const auto whole = product(measure, indexed.images[q], indexed.images[i]);
                    const float by_bitmaps = static_cast<float>(whole - excess) * inverse.values[i];
                    const float beyond = sum * bounds.sums()[i] + root * bounds.roots()[i];
                    const float found = static_cast<float>(whole) * inverse.values[i];
                    if (ratio * by_bitmaps + beyond < found)
                        FAIL(most << " " << q << " " << i << " " << found);
                }
            }
        }
}

TEST_CASE("prepared queries: exact scores, and a screen that loses none") {
    const Indexed indexed(4);
    std::mt19937 random(6);
    for (const WordMeasure &measure : measures()) {
        CodeIndex codes(5);
        std::vector<std::vector<std::int8_t>> all_codes;
        std::vector<std::uint32_t> word_norms, code_norms;
        for (const auto &image : indexed.images) {
            auto &code = all_codes.emplace_back(5);
            for (auto &value : code) value = static_cast<std::int8_t>(int(random() % 255) - 127);
            codes.add(code);
            word_norms.push_back(measure.squared_norm(image));
            code_norms.push_back(squared_norm(code));
        }
        codes.finish(WordIndex::window_images);
        const InverseNorms inverse_words(word_norms), inverse_codes(code_norms);
        const ExcessBounds bounds(*indexed.index, measure, inverse_words.values);
        const SearchableImages images{
            &measure, indexed.index.get(), word_norms,    &inverse_words, &bounds,
            &codes,   code_norms,          &inverse_codes};
        const ImageQuery query{indexed.images[8], all_codes[9]};
        const ScoreWeights weights;
        const PreparedQueries prepared(images, std::span(&query, 1), weights);
        for (std::size_t i = 0; i < indexed.images.size(); ++i) {
            const auto words =
                static_cast<std::int64_t>(product(measure, query.words, indexed.images[i]));
            std::int64_t code = 0;
            for (std::size_t d = 0; d < 5; ++d) code += query.code[d] * all_codes[i][d];
            const std::int64_t right =
                7 * similarity(words, measure.squared_norm(query.words), word_norms[i]) +
                3 * similarity(code, squared_norm(query.code), code_norms[i]);
            const std::int64_t score = prepared.score(0, i, words, code);
            CHECK(score == right);
            const float in_floats =
                prepared.score_in_floats(0, i, static_cast<std::uint64_t>(words), code);
            CHECK(in_floats >= prepared.screen_limit(score));
            CHECK(std::abs(in_floats - static_cast<float>(score)) < score_error + 16);
        }
    }
}

} // namespace bowhist
