#include <bowhist/assign/choose/candidates.hpp>
#include <bowhist/assign/choose/synthetic.hpp>

#include <algorithm>
#include <chrono>
#include <limits>

namespace bowhist {

std::optional<double> host_seconds(const LevelRequest &request, std::size_t dimensions,
                                   std::size_t k, double rows) {
    if (request.level != "auto" || request.options.tree) return std::nullopt;
    constexpr std::size_t most_floats = 1 << 16;     // of words: with more, all grows alike
    constexpr std::size_t most_operations = 1 << 25; // a millisecond of a few cores
    const std::size_t words = std::clamp<std::size_t>(most_floats / dimensions, 1, k);
    const std::size_t drawn =
        std::clamp<std::size_t>(most_operations / (2 * dimensions * words), 16, 4096);
    const Level &level = *host_candidates(dimensions, words).levels.back();
    const auto assigner =
        level.prepare(nullptr, synthetic_vocabulary({}, words, dimensions), request.options);
    const Descriptors sample = synthetic_descriptors({}, drawn, dimensions);
    double seconds = std::numeric_limits<double>::infinity();
    for (int run = 0; run < 3; ++run) { // the first run starts threads
        const auto start = std::chrono::steady_clock::now();
        assigner->run({sample.values, {}, 1});
        seconds = std::min(
            seconds,
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    const double scale =
        rows / static_cast<double>(drawn) * static_cast<double>(k) / static_cast<double>(words);
    return seconds * scale;
}

} // namespace bowhist
