// simd's float32 screen on NEON, cross-compiled and run by an emulator: each word that it keeps is
// the rule's, and it keeps nearly all.
#include <bowhist/assign/rule.hpp>
#include <bowhist/assign/simd/screen.hpp>

#include <hwy/aligned_allocator.h>
#include <hwy/targets.h>

#include <cstdio>
#include <cstdlib>
#include <random>

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
};

std::vector<float> normal(std::size_t size, unsigned seed) {
    std::mt19937 engine(seed);
    std::normal_distribution<float> distribution;
    std::vector<float> values(size);
    for (float &value : values) value = distribution(engine);
    return values;
}

void search(std::size_t dimensions, std::size_t k, Count &count) {
    constexpr std::size_t n = 200;
    const Vocabulary vocabulary{dimensions, normal(k * dimensions, 1)};
    const Vocabulary descriptors{dimensions, normal(n * dimensions, 2)};
    std::vector<const float *> rows;
    for (std::size_t i = 0; i < n; ++i) rows.push_back(descriptors.row(i).data());
    std::vector<std::int32_t> words(n);
    make_float_screen(vocabulary)->search(rows, words);
    for (std::size_t i = 0; i < n; ++i) {
        ++count.rows;
        if (words[i] == Screen::unproven)
            ++count.unproven;
        else if (words[i] != nearest(descriptors.row(i), vocabulary))
            ++count.wrong;
    }
}

} // namespace

int main() {
    Count count;
    for (const std::size_t dimensions : {1, 4, 7, 64, 128})
        for (const std::size_t k : {2, 3, 63, 65, 300}) search(dimensions, k, count);
    std::printf("%d rows, %d unproven, %d wrong\n", count.rows, count.unproven, count.wrong);
    return count.wrong == 0 && count.unproven < count.rows / 50 ? 0 : 1;
}
