#include "tests/peers/contender.hpp"

#include <omp.h>

namespace bowhist::peers {

#if defined(__x86_64__)
namespace {

constexpr int steps = 20'000'000;

/// `steps` rounds of `chains` independent multiply-adds, enough to keep both units busy and few
/// enough for the registers.
template <typename Floats, int chains>
[[gnu::always_inline]] inline float multiply_add() {
    Floats sums[chains];
    for (int chain = 0; chain < chains; ++chain) // alike, they would be computed once
        sums[chain] = Floats{} + static_cast<float>(chain);
    Floats factor = Floats{} + 0.999F;
    for (int step = 0; step < steps; ++step) {
        asm volatile("" : "+x"(factor)); // the compiler may not know the result beforehand
        for (Floats &sum : sums) sum = sum * factor + factor;
    }
    Floats total = {};
    for (const Floats &sum : sums) total += sum;
    return total[0];
}

using Floats8 = float __attribute__((vector_size(32)));
using Floats16 = float __attribute__((vector_size(64)));
constexpr int chains = 12;

__attribute__((target("avx512f"))) float avx512() {
    return multiply_add<Floats16, chains>();
}
__attribute__((target("avx2,fma"))) float avx2() {
    return multiply_add<Floats8, chains>();
}

double gigaflops(float (*kernel)(), int lanes, int threads) {
    volatile float sink = 0;
    const double start = omp_get_wtime();
#pragma omp parallel num_threads(threads)
    {
        const float result = kernel();
#pragma omp atomic write
        sink = result;
    }
    const double operations = 2.0 * steps * chains * lanes * threads;
    return operations / (omp_get_wtime() - start) / 1e9;
}

} // namespace

std::optional<double> fma_peak(int threads) {
    if (__builtin_cpu_supports("avx512f")) return gigaflops(avx512, 16, threads);
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return gigaflops(avx2, 8, threads);
    return std::nullopt;
}
#else
std::optional<double> fma_peak(int /*threads*/) {
    return std::nullopt;
}
#endif

} // namespace bowhist::peers
