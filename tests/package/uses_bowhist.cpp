// The library as another project sees it: learns four words and finds them again.
#include <bowhist/assign/choose/choice.hpp>
#include <bowhist/train/kmeans.hpp>

#include <iostream>

int main() {
    bowhist::Descriptors descriptors{2, {0, 0, 0, 1, 9, 9, 9, 8, 0, 9, 1, 9, 9, 0, 8, 0}};
    bowhist::Observer silent;
    const bowhist::LevelChoice level = bowhist::choose_level({.level = "openmp"}, 2, 4);
    const bowhist::Training training =
        bowhist::train(descriptors, {.k = 4, .seed = 7, .iterations = 10}, level, silent);
    const bowhist::Assignment result =
        level.prepare(training.vocabulary)->run({descriptors.values, {}, 1});
    std::cout << level.name() << ':';
    for (const std::uint32_t count : result.histograms) std::cout << ' ' << count;
    std::cout << '\n';
    return result.histograms == std::vector<std::uint32_t>{2, 2, 2, 2} ? 0 : 1;
}
