// simd's float32 screen on NEON, cross-compiled and run by an emulator: each word that it keeps is
// the rule's, and so is each of the bench's rule; with a bound planted too small some are not.
#include "bench/cases/vector_rule.hpp"
#include "tests/support/descriptors.hpp"

#include <bowhist/assign/host/simd/screen.hpp>
#include <bowhist/assign/rule.hpp>

#include <hwy/aligned_allocator.h>
#include <hwy/targets.h>

#include <cstdio>
#include <cstdlib>

// What the screens need of Highway's library, which the machine has for its own architecture only.
namespace hwy {

int64_t SupportedTargets() {
    return HWY_NEON;
}

void *AllocateAlignedBytes(std::size_t bytes, AllocPtr /*allocate*/, void * /*opaque*/) {
    return std::aligned_alloc(HWY_ALIGNMENT,
                              (bytes + HWY_ALIGNMENT - 1) / HWY_ALIGNMENT * HWY_ALIGNMENT);
}

void FreeAlignedBytes(const void *pointer, FreePtr /*free*/, void * /*opaque*/) {
    std::free(const_cast<void *>(pointer));
}

} // namespace hwy

namespace {

using namespace bowhist;

struct Count {
    int rows = 0;
    int unproven = 0;
    int wrong = 0;
    int misjudged = 0; ///< by the bench's rule
};

/// Random rows and rows that are nearly tied.
void search(std::size_t dimensions, std::size_t k, double bound_scale, Count &count) {
    constexpr std::size_t n = 200;
    const Vocabulary vocabulary = testing::random_vocabulary(k, dimensions, 1);
    for (const Descriptors &descriptors :
         {testing::random_descriptors(n, dimensions, 2), testing::nearly_tied(vocabulary, n, 3)}) {
        std::vector<const float *> rows;
        for (std::size_t i = 0; i < n; ++i) rows.push_back(descriptors.row(i).data());
        std::vector<std::int32_t> words(n);
        make_float_screen(vocabulary, bound_scale).search(rows, words);
        std::vector<std::int32_t> by_rule(n);
        VectorRule(vocabulary).find(descriptors.values, by_rule);
        for (std::size_t i = 0; i < n; ++i) {
            const std::int32_t right = nearest(descriptors.row(i), vocabulary);
            ++count.rows;
            if (by_rule[i] != right) ++count.misjudged;
            if (words[i] == unproven_word)
                ++count.unproven;
            else if (words[i] != right)
                ++count.wrong;
        }
    }
}

Count search_all(double bound_scale) {
    Count count;
    for (const std::size_t dimensions : {1, 4, 7, 64, 128})
        for (const std::size_t k : {2, 3, 63, 65, 300}) search(dimensions, k, bound_scale, count);
    std::printf("bound times %g: %d rows, %d unproven, %d wrong, %d misjudged\n", bound_scale,
                count.rows, count.unproven, count.wrong, count.misjudged);
    return count;
}

} // namespace

int main() {
    const Count proven = search_all(1);
    const Count careless = search_all(0.001); // planted: the test must be able to fail
    const bool keeps_most = proven.unproven < 3 * proven.rows / 4;
    const bool right = proven.wrong == 0 && proven.misjudged == 0;
    return right && keeps_most && careless.wrong > 0 ? 0 : 1;
}
