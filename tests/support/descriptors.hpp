#pragma once

#include <bowhist/core/descriptors.hpp>
#include <bowhist/core/vocabulary.hpp>

#include <cmath>
#include <random>

namespace bowhist::testing {

/// n rows of D normal values.
inline Descriptors random_descriptors(std::size_t n, std::size_t dimensions, unsigned seed,
                                      float scale = 1) {
    std::mt19937 engine(seed);
    std::normal_distribution<float> normal;
    Descriptors descriptors{dimensions, std::vector<float>(n * dimensions)};
    for (float &value : descriptors.values) value = scale * normal(engine);
    return descriptors;
}

inline Vocabulary random_vocabulary(std::size_t k, std::size_t dimensions, unsigned seed,
                                    float scale = 1) {
    return {dimensions, random_descriptors(k, dimensions, seed, scale).values};
}

/// The words, repeated as a whole.
inline Vocabulary words_repeated(const Vocabulary &once, std::size_t times) {
    Vocabulary all{once.dimensions, {}};
    for (std::size_t time = 0; time < times; ++time)
        all.values.insert(all.values.end(), once.values.begin(), once.values.end());
    return all;
}

/// Rows half-way between two centroids, give or take a few units in the last place: as good as
/// tied.
inline Descriptors nearly_tied(const Vocabulary &vocabulary, std::size_t n, unsigned seed) {
    std::mt19937 engine(seed);
    std::uniform_int_distribution<std::size_t> word(0, vocabulary.size() - 1);
    Descriptors descriptors{vocabulary.dimensions, {}};
    for (std::size_t row = 0; row < n; ++row) {
        const auto a = vocabulary.row(word(engine));
        const auto b = vocabulary.row(word(engine));
        for (std::size_t i = 0; i < vocabulary.dimensions; ++i) {
            float middle = a[i] / 2 + b[i] / 2;
            for (unsigned steps = engine() % 3; steps > 0; --steps)
                middle = std::nextafter(middle, engine() % 2 == 0 ? -1e30F : 1e30F);
            descriptors.values.push_back(middle);
        }
    }
    return descriptors;
}

} // namespace bowhist::testing
