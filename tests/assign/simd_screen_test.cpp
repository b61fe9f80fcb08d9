// Each screen of the level simd, for each generation of vector units that this CPU has.
#include "tests/support/descriptors.hpp"
#include "tests/support/only_target.hpp"
#include "tests/support/traps.hpp"

#include <bowhist/assign/host/simd/packed_words.hpp>
#include <bowhist/assign/host/simd/screen.hpp>
#include <bowhist/assign/rule.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <limits>
#include <map>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

struct NamedScreen {
    std::string name;
    Screen screen;
};

/// Every screen that this CPU can run.
std::vector<NamedScreen> screens(const Vocabulary &vocabulary, double bound_scale = 1) {
    std::vector<NamedScreen> all;
    for_each_target([&](const std::string &name) {
        all.push_back({name + " float", make_float_screen(vocabulary, bound_scale).search});
        if (auto integers = make_integer_screen(vocabulary, bound_scale))
            all.push_back({name + " integer", std::move(integers)});
    });
    return all;
}

std::vector<std::int32_t> search(const Screen &screen, const Descriptors &descriptors) {
    std::vector<const float *> rows;
    for (std::size_t row = 0; row < descriptors.size(); ++row)
        rows.push_back(descriptors.row(row).data());
    std::vector<std::int32_t> words(rows.size(), -2);
    screen(rows, words);
    return words;
}

struct Tally {
    std::size_t proven = 0;
    std::size_t wrong = 0;
};

Tally tally(const Screen &screen, const Descriptors &descriptors, const Vocabulary &vocabulary) {
    const std::vector<std::int32_t> words = search(screen, descriptors);
    Tally result;
    for (std::size_t row = 0; row < words.size(); ++row) {
        if (words[row] == unproven_word) continue;
        ++result.proven;
        result.wrong += words[row] != nearest(descriptors.row(row), vocabulary) ? 1 : 0;
    }
    return result;
}

void check_none_wrong(const Descriptors &descriptors, const Vocabulary &vocabulary) {
    for (const auto &[name, screen] : screens(vocabulary)) {
        INFO(name << ", n " << descriptors.size() << ", D " << vocabulary.dimensions << ", k "
                  << vocabulary.size());
        CHECK(tally(screen, descriptors, vocabulary).wrong == 0);
    }
}

/// Each row of its own size, from 1e-30 to 1e30.
Descriptors of_all_sizes(Descriptors descriptors, unsigned seed) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<double> exponent(-30, 30);
    for (std::size_t row = 0; row < descriptors.size(); ++row) {
        const double size = std::pow(10.0, exponent(engine));
        for (std::size_t i = 0; i < descriptors.dimensions; ++i) {
            float &value = descriptors.values[row * descriptors.dimensions + i];
            value = static_cast<float>(value * size);
        }
    }
    return descriptors;
}

/// Each word, and beside it the same with one value moved by one unit in the last place.
Vocabulary with_neighbors(Vocabulary vocabulary) {
    const std::size_t dimensions = vocabulary.dimensions;
    const std::vector<float> once = vocabulary.values;
    for (std::size_t at = 0; at < once.size(); ++at)
        vocabulary.values.push_back(at % (dimensions + 1) == 0 ? std::nextafter(once[at], 10.0F)
                                                               : once[at]);
    return vocabulary;
}

} // namespace

TEST_CASE("simd: each screen finds any number of words and descriptors") {
    for (const std::size_t k : {2, 7, 8, 9, 16, 17, 33, 47, 48, 63, 64, 65, 130, 257})
        for (const std::size_t n : {0, 1, 5, 6, 7, 47, 48, 49, 200})
            check_none_wrong(random_descriptors(n, 64, 1), random_vocabulary(k, 64, 2));
}

TEST_CASE("simd: each screen takes any dimension") {
    for (const std::size_t dimensions : {1, 2, 3, 15, 16, 17, 31, 61, 128, 513, 1025})
        for (const std::size_t k : {5, 70})
            check_none_wrong(random_descriptors(100, dimensions, 3),
                             random_vocabulary(k, dimensions, 4));
}

TEST_CASE("simd: each screen proves almost every ordinary row") {
    const Vocabulary vocabulary = random_vocabulary(256, 64, 5);
    const Descriptors descriptors = random_descriptors(2000, 64, 6);
    for (const auto &[name, screen] : screens(vocabulary)) {
        INFO(name);
        CHECK(tally(screen, descriptors, vocabulary).proven > 1900);
    }
}

TEST_CASE("simd: no screen proves a tie") {
    const Vocabulary vocabulary = words_repeated(random_vocabulary(40, 64, 7), 2);
    const Descriptors descriptors = random_descriptors(300, 64, 8);
    for (const auto &[name, screen] : screens(vocabulary)) {
        INFO(name);
        CHECK(tally(screen, descriptors, vocabulary).proven == 0);
    }
}

TEST_CASE("simd: no screen is fooled by near ties, neighbors or any size") {
    const Vocabulary vocabulary = random_vocabulary(100, 64, 9);
    check_none_wrong(nearly_tied(vocabulary, 2000, 10), vocabulary);
    check_none_wrong(random_descriptors(300, 64, 11), with_neighbors(vocabulary));
    const Vocabulary mixed{64, of_all_sizes(random_descriptors(70, 64, 12), 13).values};
    for (const float scale : {1e-44F, 1e-38F, 1e-30F, 1e-19F, 1e-12F, 1.0F, 1e12F, 1e18F, 1e30F}) {
        check_none_wrong(random_descriptors(200, 64, 14, scale),
                         random_vocabulary(50, 64, 15, scale));
        check_none_wrong(random_descriptors(200, 64, 14, scale), mixed);
        check_none_wrong(of_all_sizes(random_descriptors(200, 64, 16), 17),
                         random_vocabulary(50, 64, 18, scale));
    }
    check_none_wrong(of_all_sizes(random_descriptors(500, 64, 19), 20), mixed);
    check_none_wrong({64, std::vector<float>(640, 0.0F)}, {64, std::vector<float>(640, 0.0F)});
    check_none_wrong(random_descriptors(100, 64, 21), {64, std::vector<float>(6400, 0.0F)});
}

TEST_CASE("simd: no screen is fooled by one word near the end of float32's range") {
    const std::vector<float> &direction = random_descriptors(1, 64, 26).values;
    double squares = 0;
    for (const float value : direction) squares += std::pow(static_cast<double>(value), 2);
    const auto along = [&](double length) {
        std::vector<float> row;
        for (const float value : direction)
            row.push_back(static_cast<float>(value * length / std::sqrt(squares)));
        return row;
    };
    for (double exponent = 60; exponent <= 67; exponent += 0.5) {
        Vocabulary vocabulary = random_vocabulary(
            64, 64, 27, static_cast<float>(std::exp2(exponent - 4.5) / 8)); // the others are short
        std::ranges::copy(along(std::exp2(exponent)), vocabulary.values.begin());
        Descriptors descriptors{64, {}};
        for (const double behind : {0.1, 0.6, 1.1, 4.0})
            std::ranges::copy(along(std::exp2(exponent - behind)),
                              std::back_inserter(descriptors.values));
        INFO("2^" << exponent);
        check_none_wrong(descriptors, vocabulary);
        for (std::size_t first = 0; first < descriptors.size(); ++first) { // its own scale
            const auto row = descriptors.row(first);
            check_none_wrong({64, {row.begin(), row.end()}}, vocabulary);
        }
    }
}

TEST_CASE("simd: planted ten times too small, the bound lets every screen be fooled") {
    std::map<std::string, std::size_t> wrong;
    for (const Trap &trap : traps()) // for float32
        for (const auto &[name, screen] : screens(trap.vocabulary, 0.1))
            wrong[name] += tally(screen, trap.row, trap.vocabulary).wrong;
    const Vocabulary vocabulary = random_vocabulary(100, 64, 22); // for integers
    const Descriptors descriptors = nearly_tied(vocabulary, 2000, 23);
    for (const auto &[name, screen] : screens(vocabulary, 0.1))
        wrong[name] += tally(screen, descriptors, vocabulary).wrong;
    for (const auto &[name, count] : wrong) {
        INFO(name);
        CHECK(count > 0);
    }
}

TEST_CASE("simd: no screen falls into a trap") {
    for (const Trap &trap : traps()) check_none_wrong(trap.row, trap.vocabulary);
}

TEST_CASE("simd: the candidates hold the word of the rule, and are few") {
    for (const float scale : {1e-40F, 1e-20F, 1.0F, 1e19F}) {
        const Vocabulary vocabulary = with_neighbors(random_vocabulary(50, 64, 24, scale));
        const Descriptors descriptors = random_descriptors(100, 64, 25, scale);
        const auto screen = make_float_screen(vocabulary);
        for (std::size_t row = 0; row < descriptors.size(); ++row) {
            std::vector<std::int32_t> words;
            screen.candidates(descriptors.row(row).data(), words);
            CHECK(std::ranges::is_sorted(words));
            CHECK(nearest_of(descriptors.row(row), vocabulary, words) ==
                  nearest(descriptors.row(row), vocabulary));
            if (scale == 1) CHECK(words.size() < 5);
        }
    }
}

TEST_CASE("simd: words that no memory holds are refused, not written") {
    const std::size_t words = std::numeric_limits<std::size_t>::max() / 64;
    CHECK_THROWS_AS(PackedWords<float>(words, 16, {8, 2}), std::bad_alloc);
    CHECK_THROWS_AS(allocate_aligned<std::int32_t>(words * 32), std::bad_alloc);
}
