#include <bowhist/bench/host_ways.hpp>

#include <omp.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

namespace bowhist {

void scan_on_host(std::span<const std::uint32_t> in, std::span<std::uint32_t> out, int threads) {
    if (threads == 1) {
        std::partial_sum(in.begin(), in.end(), out.begin());
        return;
    }
    std::vector<std::uint32_t> before(static_cast<std::size_t>(threads) + 1, 0);
#pragma omp parallel num_threads(threads)
    {
        const auto thread = static_cast<std::size_t>(omp_get_thread_num());
        const auto all = static_cast<std::size_t>(omp_get_num_threads());
        const std::size_t first = in.size() * thread / all;
        const auto share = in.subspan(first, in.size() * (thread + 1) / all - first);
        before[thread + 1] = std::accumulate(share.begin(), share.end(), std::uint32_t{0});
#pragma omp barrier
#pragma omp single
        std::partial_sum(before.begin(), before.end(), before.begin());
        std::inclusive_scan(share.begin(), share.end(), out.begin() + static_cast<long>(first),
                            std::plus<>(), before[thread]);
    }
}

void count_on_host(std::span<const std::uint8_t> pictures, std::size_t pixels,
                   std::span<std::uint32_t> counts, int threads) {
    std::ranges::fill(counts, 0);
#pragma omp parallel num_threads(threads)
    for (std::size_t first = 0; first < pictures.size(); first += pixels) {
        std::array<std::uint32_t, 256> own{};
#pragma omp for nowait
        for (std::size_t i = first; i < first + pixels; ++i) ++own[pictures[i]];
#pragma omp critical
        for (std::size_t grey = 0; grey < own.size(); ++grey)
            counts[first / pixels * own.size() + grey] += own[grey];
    }
}

} // namespace bowhist
