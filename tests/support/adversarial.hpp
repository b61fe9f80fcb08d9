#pragma once

#include "tests/support/draw_row.hpp"

#include <bowhist/core/descriptors.hpp>

#include <tbb/parallel_for.h>

#include <string>

/// Kinds of data that tempt a screen to trust a wrong word; each a row of kinds().
namespace bowhist::testing {

/// What the second half of the words is to the first.
enum class Twins {
    none,
    equal,  ///< the same again
    one_ulp ///< a unit in the last place off: in one coordinate, or in most
};

struct Kind {
    std::string name;
    std::size_t dimensions = 0;
    std::size_t words = 0;
    double weight = 0; ///< of many rows of all kinds, this kind's share
    DrawRow word;
    DrawRow row;
    Twins twins = Twins::none;
};

inline std::vector<Kind> kinds() {
    const DrawRow close = one_of({around(1e-6F), mingled(), anywhere()});
    const DrawRow whole_ties = one_of({between(false), whole(-500, 500)});
    const DrawRow grid = whole(0, 3);
    std::vector<Kind> all = {
        {"random", 64, 256, 12, anywhere(), anywhere()},
        {"random", 64, 1000, 3, anywhere(), anywhere()},
        {"random", 64, 1, 2, anywhere(), anywhere()},
        {"random", 64, 63, 2, anywhere(), anywhere()},
        {"random", 64, 65, 2, anywhere(), anywhere()},
        {"random", 128, 17, 6, anywhere(), anywhere()},
        {"random", 4, 256, 4, anywhere(), anywhere()},
        {"random", 61, 64, 4, anywhere(), anywhere()},
        {"clustered", 64, 256, 12, anywhere(), around(0.3F)},
        {"clustered", 128, 1000, 2, anywhere(), around(0.3F)},
        {"clustered", 4, 17, 4, anywhere(), around(0.3F)},
        {"far from the origin", 64, 64, 4, anywhere(1, 1000), anywhere(1, 1000)},
        {"outliers", 64, 256, 3, with_outlier(), one_of({with_outlier(), around(1)})},
        {"nearly tied", 64, 256, 4, anywhere(), between(true)},
        {"nearly tied", 64, 63, 1, anywhere(), between(true)},
        {"nearly tied", 64, 65, 1, anywhere(), between(true)},
        {"nearly tied", 128, 17, 3, anywhere(), between(true)},
        {"nearly tied", 61, 17, 3, anywhere(), between(true)},
        {"one ulp apart", 64, 2, 4, anywhere(), close, Twins::one_ulp},
        {"one ulp apart", 64, 256, 3, anywhere(), close, Twins::one_ulp},
        {"one ulp apart", 128, 17, 3, anywhere(), close, Twins::one_ulp},
        {"one ulp apart", 4, 1000, 1, anywhere(), close, Twins::one_ulp},
        {"one ulp apart", 61, 17, 2, anywhere(), close, Twins::one_ulp},
        {"duplicates", 64, 256, 2, anywhere(), close, Twins::equal},
        {"duplicates", 64, 63, 1, anywhere(), close, Twins::equal},
        {"duplicates", 64, 65, 1, anywhere(), close, Twins::equal},
        {"duplicates", 128, 1000, 0.5, anywhere(), close, Twins::equal},
        {"exactly between", 64, 256, 3, whole(-500, 500), whole_ties},
        {"exactly between", 61, 17, 2, whole(-500, 500), whole_ties},
        {"ties on a grid", 4, 256, 2, grid, one_of({grid, between(false)})},
        {"ties on a grid", 3, 17, 2, grid, one_of({grid, between(false)})},
        {"every scale", 64, 64, 2, anywhere(), any_scale()},
        {"words of every scale", 64, 64, 2, any_scale(), one_of({any_scale(), between(true)})},
        {"words of every scale", 128, 17, 2, any_scale(), one_of({any_scale(), between(true)})},
        {"far longer rows", 64, 64, 1, anywhere(), long_row(40, 53)},
        {"far longer rows", 128, 17, 1, anywhere(), long_row(40, 53)},
        {"far longer rows", 61, 17, 1, anywhere(), long_row(40, 53)},
        {"subnormal in fp16", 64, 64, 2, uneven(40), one_of({uneven(40), between(true)})},
        {"subnormal in fp16", 128, 17, 2, uneven(40), one_of({uneven(40), between(true)})},
        {"cut off", 64, 2, 1, cut_off_word(), cut_off_row()},
        {"cut off", 64, 64, 1, cut_off_word(), cut_off_row()},
        {"cut off", 128, 2, 1, cut_off_word(), cut_off_row()},
        {"cut off", 128, 64, 1, cut_off_word(), cut_off_row()},
        {"SIFT-like", 128, 256, 4, sift(), one_of({sift(), between(false)})},
        {"SIFT-like", 128, 1000, 1, sift(), sift()}};
    const auto add_scale = [&](float scale, std::size_t dimensions, std::size_t words,
                               const std::string &name) {
        all.push_back({name, dimensions, words, 2, anywhere(scale),
                       one_of({anywhere(scale), around(scale / 8), between(true)})});
    };
    for (const std::size_t words : {17, 64}) { // float32 alone in simd, and integers first
        for (const std::string scale :
             {"1e-30", "1e-20", "1e-10", "1", "1e10", "1e18", "1e19", "1e30", "1e38"})
            add_scale(std::stof(scale), 64, words, "scale " + scale);
        for (const std::size_t dimensions : {64, 61}) {
            add_scale(1e-38F, dimensions, words, "scale 1e-38");
            add_scale(1e-41F, dimensions, words, "subnormal");
            add_scale(2e-45F, dimensions, words, "least subnormal");
            all.push_back({"far longer, subnormal", dimensions, words, 1, anywhere(2e-45F),
                           one_of({long_row(-109, -96), long_row(-149, -100)})});
        }
    }
    return all;
}

inline Vocabulary draw_words(const Kind &kind, unsigned seed) {
    Engine engine(seed);
    Vocabulary words{kind.dimensions, {}};
    const std::size_t half = (kind.words + 1) / 2;
    std::vector<float> word(kind.dimensions);
    for (std::size_t j = 0; j < kind.words; ++j) {
        if (kind.twins == Twins::none || j < half) {
            kind.word(word, words, engine);
        } else {
            std::ranges::copy(words.row(j - half), word.begin());
            const std::size_t only = engine() % kind.dimensions;
            for (std::size_t i = 0; kind.twins == Twins::one_ulp && i < word.size(); ++i)
                if (j % 2 == 0 || i == only) word[i] = jogged(word[i], engine);
        }
        words.values.insert(words.values.end(), word.begin(), word.end());
    }
    return words;
}

/// The same rows for the same seeds, whatever the number of threads.
inline Descriptors draw_rows(const Kind &kind, const Vocabulary &words, std::size_t n,
                             unsigned seed, unsigned block = 0) {
    constexpr std::size_t chunk = 256;
    Descriptors rows{kind.dimensions, std::vector<float>(n * kind.dimensions)};
    tbb::parallel_for(std::size_t{0}, (n + chunk - 1) / chunk, [&](std::size_t part) {
        std::seed_seq seeds{seed, block, static_cast<unsigned>(part)};
        Engine engine(seeds);
        for (std::size_t row = part * chunk; row < std::min(n, (part + 1) * chunk); ++row)
            kind.row(std::span(rows.values).subspan(row * kind.dimensions, kind.dimensions), words,
                     engine);
    });
    return rows;
}

} // namespace bowhist::testing
