// The kernels of the ladder, small, for oclgrind.
#include "tests/support/descriptors.hpp"
#include "tests/support/levels.hpp"

#include <catch2/catch.hpp>

using namespace bowhist;
using namespace bowhist::testing;

TEST_CASE("levels: a few rows on every level, tied ones among them",
          "[oclgrind][gpu1.cl][gpu2.cl][gpu3.cl][gpu4.cl][gpu5.cl][decide.cl]") {
    const Vocabulary vocabulary = random_vocabulary(3, 4, 1);
    const Descriptors descriptors = nearly_tied(vocabulary, 67, 2);
    const auto expected = assign(find_level("serial"), nullptr, descriptors, vocabulary).words;
    for (const Level &level : levels())
        if (!level.obstacle(shared_device().get(), 4, 3)) {
            INFO(level.id);
            CHECK(assign(level, shared_device(), descriptors, vocabulary).words == expected);
        }
}
