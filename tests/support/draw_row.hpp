#pragma once

#include <bowhist/core/vocabulary.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <span>
#include <vector>

/// Ways of drawing rows, harmless and harmful.
namespace bowhist::testing {

using Engine = std::mt19937;

/// Draws one row, knowing the words (those before it, where the row is a word itself).
using DrawRow = std::function<void(std::span<float> row, const Vocabulary &words, Engine &engine)>;

/// The value, or the largest there is.
inline float finite(float value) {
    constexpr float largest = std::numeric_limits<float>::max();
    return std::clamp(value, -largest, largest);
}

/// Normal values.
inline DrawRow anywhere(float deviation = 1, float mean = 0) {
    return [=](std::span<float> row, const Vocabulary &, Engine &engine) {
        std::normal_distribution<float> normal;
        for (float &value : row) value = finite(mean + deviation * normal(engine));
    };
}

/// Uniform whole numbers.
inline DrawRow whole(int lowest, int highest) {
    return [=](std::span<float> row, const Vocabulary &, Engine &engine) {
        std::uniform_int_distribution<int> number(lowest, highest);
        for (float &value : row) value = static_cast<float>(number(engine));
    };
}

/// Whole numbers in [0, 255], the small ones more often: as SIFT's are stored.
inline DrawRow sift() {
    return [](std::span<float> row, const Vocabulary &, Engine &engine) {
        std::exponential_distribution<float> exponential(1.0F / 30);
        for (float &value : row) value = std::min(255.0F, std::floor(exponential(engine)));
    };
}

/// One of several ways, each as likely.
inline DrawRow one_of(std::vector<DrawRow> ways) {
    return [ways = std::move(ways)](std::span<float> row, const Vocabulary &words, Engine &engine) {
        ways[engine() % ways.size()](row, words, engine);
    };
}

/// A normal row, one coordinate of it ten thousand times larger.
inline DrawRow with_outlier() {
    return [](std::span<float> row, const Vocabulary &words, Engine &engine) {
        anywhere()(row, words, engine);
        row[engine() % row.size()] *= 1e4F;
    };
}

inline std::span<const float> any_word(const Vocabulary &words, Engine &engine) {
    return words.row(engine() % words.size());
}

/// A word and normal noise.
inline DrawRow around(float deviation) {
    return [=](std::span<float> row, const Vocabulary &words, Engine &engine) {
        anywhere(deviation)(row, words, engine);
        const auto word = any_word(words, engine);
        for (std::size_t i = 0; i < row.size(); ++i) row[i] = finite(row[i] + word[i]);
    };
}

/// `value`, its neighbor above or its neighbor below.
inline float jogged(float value, Engine &engine) {
    const unsigned way = engine() % 3;
    if (way == 0) return value;
    const float far = std::numeric_limits<float>::max();
    return std::nextafter(value, way == 1 ? far : -far);
}

/// Half-way between two words: to the last bit where the words are whole numbers below 2^23, or,
/// `off`, a unit in the last place to either side.
inline DrawRow between(bool off) {
    return [=](std::span<float> row, const Vocabulary &words, Engine &engine) {
        const auto a = any_word(words, engine);
        const auto b = any_word(words, engine);
        for (std::size_t i = 0; i < row.size(); ++i) {
            const float middle = a[i] / 2 + b[i] / 2;
            row[i] = off ? jogged(middle, engine) : middle;
        }
    };
}

/// Each coordinate that of a word or of its twin, or next to it: there is nothing between the two.
inline DrawRow mingled() {
    return [](std::span<float> row, const Vocabulary &words, Engine &engine) {
        const std::size_t half = (words.size() + 1) / 2;
        const std::size_t word = engine() % (words.size() - half);
        for (std::size_t i = 0; i < row.size(); ++i)
            row[i] = jogged(words.row(engine() % 2 == 0 ? word : word + half)[i], engine);
    };
}

/// Values of about ±2^exponent, the exponent between the two: normal ones, or all nearly alike, so
/// that the distances to shorter words differ by less than they are rounded.
inline DrawRow long_row(int least, int most) {
    return [=](std::span<float> row, const Vocabulary &, Engine &engine) {
        std::normal_distribution<float> normal;
        std::uniform_int_distribution<int> exponents(least, most);
        const int exponent = exponents(engine);
        const float spread = engine() % 2 == 0 ? 1 : 1e-6F;
        const float middle = spread < 1 ? 1 : 0;
        for (float &value : row) value = std::ldexp(middle + spread * normal(engine), exponent);
    };
}

/// Normal values, each halved fewer than `halvings` times: some of a row are subnormal in fp16.
inline DrawRow uneven(unsigned halvings) {
    return [=](std::span<float> row, const Vocabulary &words, Engine &engine) {
        anywhere()(row, words, engine);
        for (float &value : row) value = std::ldexp(value, -static_cast<int>(engine() % halvings));
    };
}

/// Words that are subnormal in fp16 however gpu7 scales them, and rows for them. One coordinate in
/// sixteen makes a large product, the next a middling one, the others small ones that a matrix unit
/// cuts off beside the large one. A word has either the middling ones or the small ones.
inline DrawRow cut_off_word() {
    return [](std::span<float> row, const Vocabulary &, Engine &engine) {
        const bool middling = engine() % 2 == 0;
        for (std::size_t i = 0; i < row.size(); ++i)
            row[i] = i % 16 == 0 || (i % 16 == 1) == middling ? std::ldexp(1.0F, -144) : 0;
    };
}
inline DrawRow cut_off_row() {
    return [](std::span<float> row, const Vocabulary &, Engine &engine) {
        const float middling = std::ldexp(1 + static_cast<float>(engine() % 4) / 4, -132);
        const float small = std::ldexp(1.96875F, -135 - static_cast<int>(engine() % 2));
        for (std::size_t i = 0; i < row.size(); ++i)
            row[i] = i % 16 == 0 ? std::ldexp(1.0F, -120) : i % 16 == 1 ? middling : small;
    };
}

constexpr std::array scales = {1e-30F, 1e-20F, 1e-10F, 1.0F, 1e10F, 1e18F, 1e19F, 1e30F, 1e38F};

/// Normal values, at one of the scales.
inline DrawRow any_scale() {
    std::vector<DrawRow> ways;
    for (const float scale : scales) ways.push_back(anywhere(scale));
    return one_of(ways);
}

} // namespace bowhist::testing
