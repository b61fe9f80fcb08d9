#include <bowhist/assign/nearest_words.hpp>
#include <bowhist/show/word_examples.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <tuple>

using namespace bowhist;

namespace {

constexpr std::size_t dimensions = 4;

/// Few values, so that many distances are equal.
std::vector<float> random_rows(std::size_t rows, std::uint32_t seed) {
    std::mt19937 engine(seed);
    std::vector<float> values(rows * dimensions);
    for (float &value : values) value = static_cast<float>(engine() % 5);
    return values;
}

std::vector<DescribedPlace> places_of(std::size_t image, std::size_t rows) {
    std::vector<DescribedPlace> places(rows);
    for (std::size_t i = 0; i < rows; ++i)
        places[i] = {{.x = float(i), .y = float(image)}, 100, 80, false};
    return places;
}

WordExamples::OfImage look(const WordExamples &examples, const Vocabulary &words, std::size_t image,
                           const std::vector<float> &rows) {
    const NearestWords nearest(words, WordExamples::each);
    return examples.look(image, rows, nearest.find(rows),
                         places_of(image, rows.size() / dimensions));
}

/// The first of each image by `value`, then the second of each, and so on.
void put_in_turn(std::vector<WordExample> &all, double WordExample::*value) {
    std::ranges::stable_sort(all, {}, value); // by image and row before
    std::map<std::size_t, std::size_t> of_image;
    for (WordExample &one : all) one.turn = of_image[one.image]++;
    std::ranges::stable_sort(all, {}, &WordExample::turn);
}

/// To the letter: every distance, sorted.
std::vector<WordUse> by_definition(const Vocabulary &words,
                                   const std::vector<std::vector<float>> &images,
                                   std::size_t nearest, std::size_t border) {
    std::vector<WordUse> uses(words.size());
    std::vector<std::set<std::size_t>> images_of(words.size());
    for (std::size_t image = 0; image < images.size(); ++image)
        for (std::size_t row = 0; row < images[image].size() / dimensions; ++row) {
            std::vector<std::pair<double, std::int32_t>> distances;
            for (std::size_t word = 0; word < words.size(); ++word) {
                double sum = 0;
                for (std::size_t i = 0; i < dimensions; ++i) {
                    const double difference =
                        double{images[image][row * dimensions + i]} - words.row(word)[i];
                    sum += difference * difference;
                }
                distances.emplace_back(sum, std::int32_t(word));
            }
            std::ranges::sort(distances);
            const auto word = std::size_t(distances[0].second);
            const WordExample one{.distance = distances[0].first,
                                  .margin = distances[1].first - distances[0].first,
                                  .second = distances[1].second,
                                  .image = image,
                                  .row = row,
                                  .place = places_of(image, row + 1).back()};
            ++uses[word].count;
            images_of[word].insert(image);
            uses[word].nearest.push_back(one);
            uses[word].border.push_back(one);
        }
    for (std::size_t word = 0; word < words.size(); ++word) {
        WordUse &use = uses[word];
        use.images = images_of[word].size();
        put_in_turn(use.nearest, &WordExample::distance);
        put_in_turn(use.border, &WordExample::margin);
        use.nearest.resize(std::min(use.nearest.size(), nearest));
        use.border.resize(std::min(use.border.size(), border));
    }
    return uses;
}

} // namespace

TEST_CASE("examples of words are the nearest and those at the border, in any order of images",
          "[show]") {
    const Vocabulary words{dimensions, random_rows(12, 1)};
    std::vector<std::vector<float>> images;
    for (std::uint32_t i = 0; i < 9; ++i) images.push_back(random_rows(i == 4 ? 0 : 40 + i, 7 + i));
    const auto [nearest, border] = GENERATE(
        std::pair<std::size_t, std::size_t>{3, 2}, std::pair<std::size_t, std::size_t>{1, 5},
        std::pair<std::size_t, std::size_t>{0, 0}, std::pair<std::size_t, std::size_t>{1000, 1000});
    const auto expected = by_definition(words, images, nearest, border);
    WordExamples forward(words, nearest, border), backward(words, nearest, border);
    for (std::size_t i = 0; i < images.size(); ++i) forward.add(look(forward, words, i, images[i]));
    for (std::size_t i = images.size(); i-- > 0;) backward.add(look(backward, words, i, images[i]));
    CHECK(forward.uses() == expected);
    CHECK(backward.uses() == expected);
    CHECK(forward.images() == 8); // one has no descriptors
}

TEST_CASE("a single word has no border", "[show]") {
    const Vocabulary words{dimensions, {1, 2, 3, 4}};
    WordExamples examples(words, 2, 2);
    examples.add(look(examples, words, 0, random_rows(5, 3)));
    const WordUse &use = examples.uses().front();
    CHECK(use.count == 5);
    CHECK(use.images == 1);
    REQUIRE(use.nearest.size() == 2);
    CHECK(use.nearest.front().second == -1);
    CHECK(use.border.empty());
}

TEST_CASE("rows without places are examples without one", "[show]") {
    const Vocabulary words{dimensions, random_rows(3, 2)};
    const NearestWords nearest(words, WordExamples::each);
    const std::vector<float> rows = random_rows(6, 5);
    WordExamples examples(words, 1, 1);
    examples.add(examples.look(3, rows, nearest.find(rows), {}));
    for (const WordUse &use : examples.uses())
        for (const WordExample &one : use.nearest) CHECK(one.place.width == 0);
}
