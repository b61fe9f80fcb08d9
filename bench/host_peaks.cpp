#include "bench/peaks.hpp"

#include <bowhist/core/printable.hpp>

#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <memory>

namespace bowhist {
namespace {

constexpr std::uint64_t steps = std::uint64_t{1} << 21;     // some 25 million cycles
constexpr std::size_t copied_bytes = std::size_t{64} << 20; // beyond any cache

/// Independent sums: two multiply-adds a cycle, of four cycles each, need eight.
constexpr int chains = 12;

template <std::size_t bytes>
struct VectorOf {
    typedef float Type __attribute__((vector_size(bytes)));
};

/// Steps of x = x * factor + addend in `chains` vectors at once. Without the sum
/// of all lanes the compiler would leave the work out.
template <std::size_t vector_bytes>
[[gnu::always_inline]] inline float run_chains(float factor, float addend) {
    constexpr std::size_t lanes = vector_bytes / sizeof(float);
    using Vector = typename VectorOf<vector_bytes>::Type;
    Vector sums[chains];
    for (int chain = 0; chain < chains; ++chain) sums[chain] = Vector{} + static_cast<float>(chain);
    for (std::uint64_t step = 0; step < steps; ++step)
#pragma GCC unroll 16
        for (int chain = 0; chain < chains; ++chain) sums[chain] = sums[chain] * factor + addend;
    float total = 0;
    for (int chain = 0; chain < chains; ++chain)
        for (std::size_t lane = 0; lane < lanes; ++lane) total += sums[chain][lane];
    return total;
}

/// One kind of vector unit: how wide, and the loop compiled for it.
struct VectorUnit {
    std::size_t lanes;
    float (*run)(float factor, float addend);
};

#if defined(__x86_64__)
__attribute__((target("avx512f"))) float run_avx512(float factor, float addend) {
    return run_chains<64>(factor, addend);
}

__attribute__((target("avx2,fma"))) float run_avx2(float factor, float addend) {
    return run_chains<32>(factor, addend);
}
#endif

float run_baseline(float factor, float addend) {
    return run_chains<16>(factor, addend);
}

VectorUnit widest_unit() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) return {16, run_avx512};
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return {8, run_avx2};
#endif
    return {4, run_baseline};
}

/// The number of threads that OpenMP starts: OMP_THREAD_LIMIT may allow fewer.
int team_size(int threads) {
    int size = 1;
#pragma omp parallel num_threads(threads)
#pragma omp single
    size = omp_get_num_threads();
    return size;
}

/// Every thread runs the loop once.
void run_on_all(const VectorUnit &unit, int threads) {
    float total = 0;
#pragma omp parallel num_threads(threads) reduction(+ : total)
    total += unit.run(0.75F, 0.25F); // towards 1: never infinite, never subnormal
    volatile float kept = total;
    static_cast<void>(kept);
}

Case fma_peak(int threads) {
    const VectorUnit unit = widest_unit();
    const double operations = 2.0 * static_cast<double>(unit.lanes) * chains *
                              static_cast<double>(steps) * team_size(threads);
    return {.subject = {"peak", name_of(Roof::fma), Place::host, host_name(threads)},
            .work = {.operations = operations},
            .run = [=] { return time_on_host([&] { run_on_all(unit, threads); }); }};
}

Case copy_peak(int threads) {
    const std::shared_ptr<char[]> from(new char[copied_bytes]);
    const std::shared_ptr<char[]> to(new char[copied_bytes]);
    // Each thread keeps its share, so that its pages lie near it.
    const auto copy = [from, to, threads] {
#pragma omp parallel num_threads(threads)
        {
            const auto thread = static_cast<std::size_t>(omp_get_thread_num());
            const auto all = static_cast<std::size_t>(omp_get_num_threads());
            const std::size_t first = copied_bytes * thread / all;
            const std::size_t last = copied_bytes * (thread + 1) / all;
            std::memcpy(to.get() + first, from.get() + first, last - first);
        }
    };
    std::fill_n(from.get(), copied_bytes, char{1}); // pages never written share one of zeros
    return {.subject = {"peak", name_of(Roof::copy), Place::host, host_name(threads)},
            .work = {.bytes_read = copied_bytes, .bytes_written = copied_bytes},
            .run = [copy] { return time_on_host(copy); },
            .cache_bytes =
                static_cast<std::uint64_t>(std::max(0L, sysconf(_SC_LEVEL3_CACHE_SIZE)))};
}

} // namespace

int thread_count(int threads) {
    return threads > 0 ? threads : omp_get_num_procs();
}

std::string host_name(int threads) {
    return "host, " + counted(static_cast<std::size_t>(thread_count(threads)), "thread");
}

std::vector<Case> host_peaks(int threads) {
    const int count = thread_count(threads);
    return {fma_peak(count), copy_peak(count)};
}

} // namespace bowhist
