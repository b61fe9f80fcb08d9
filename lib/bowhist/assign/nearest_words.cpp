#include <bowhist/assign/nearest_words.hpp>

#include <bowhist/assign/rule.hpp>
#include <bowhist/core/cpu_clones.hpp>
#include <bowhist/core/default_floats.hpp>

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace bowhist {
namespace {

constexpr std::size_t lanes = 32;       // words that are scored side by side
constexpr std::size_t rows_a_part = 32; // half a megabyte of scores of 4096 words

/// Scores of a block of words: their sums stay in registers.
BOWHIST_FOR_EACH_CPU
void score_block(const float *rows, std::size_t count, std::size_t dimensions,
                 const float *__restrict block, const float *__restrict starts,
                 float *__restrict scores, std::size_t stride) {
    for (std::size_t row = 0; row < count; ++row) {
        float sums[lanes];
        for (std::size_t j = 0; j < lanes; ++j) sums[j] = starts[j];
        for (std::size_t i = 0; i < dimensions; ++i)
            for (std::size_t j = 0; j < lanes; ++j)
                sums[j] += rows[row * dimensions + i] * block[i * lanes + j];
        for (std::size_t j = 0; j < lanes; ++j) scores[row * stride + j] = sums[j];
    }
}

float norm_of(std::span<const float> row) {
    float squares = 0;
    for (const float value : row) squares += value * value;
    return std::sqrt(squares);
}

/// The m-th greatest score; minus infinity where fewer are numbers.
float least_of_best(std::span<const float> scores, std::size_t m) {
    std::vector<float> best(m, -std::numeric_limits<float>::infinity()); // ascending
    for (const float score : scores) {
        if (!(score > best.front())) continue;
        std::size_t i = 1;
        for (; i < m && best[i] < score; ++i) best[i - 1] = best[i];
        best[i - 1] = score;
    }
    return best.front();
}

/// Calls `use` with the first row of each part and the number of its rows, on all threads.
template <typename Use>
void for_each_part(std::size_t rows, const Use &use) {
    // Isolated: a thread that waits for the others must not take up other work of its caller.
    tbb::this_task_arena::isolate([&] {
        tbb::parallel_for(std::size_t{0}, (rows + rows_a_part - 1) / rows_a_part,
                          [&](std::size_t part) {
                              const std::size_t first = part * rows_a_part;
                              use(first, std::min(rows_a_part, rows - first));
                          });
    });
}

} // namespace

NearestWords::NearestWords(const Vocabulary &words, std::size_t most)
    : words_(words), size_(std::min(most, words.size())) {
    const DefaultFloats floats;
    bound_ = dot_bound(words);
    const std::size_t blocks = (words.size() + lanes - 1) / lanes;
    packed_.resize(blocks * words.dimensions * lanes);
    starts_.assign(blocks * lanes, -std::numeric_limits<float>::infinity());
    for (std::size_t word = 0; word < words.size(); ++word) {
        const auto row = words.row(word);
        starts_[word] = score_start(row);
        float *const block = packed_.data() + word / lanes * words.dimensions * lanes;
        for (std::size_t i = 0; i < row.size(); ++i) block[i * lanes + word % lanes] = row[i];
    }
}

std::vector<std::int32_t> NearestWords::find(std::span<const float> rows) const {
    const std::size_t dimensions = words_.dimensions;
    std::vector<std::int32_t> nearest(rows.size() / dimensions * size_);
    for_each_part(nearest.size() / size_, [&](std::size_t first, std::size_t count) {
        find_part(rows.subspan(first * dimensions, count * dimensions),
                  std::span(nearest).subspan(first * size_, count * size_));
    });
    return nearest;
}

void NearestWords::complete(std::span<const float> rows, std::span<std::int32_t> nearest) const {
    const std::size_t dimensions = words_.dimensions;
    for_each_part(nearest.size() / size_, [&](std::size_t first, std::size_t count) {
        for (std::size_t i = first; i < first + count; ++i) {
            const auto row = rows.subspan(i * dimensions, dimensions);
            const auto its_words = nearest.subspan(i * size_, size_);
            if (its_words.front() < 0)
                find_part(row, its_words);
            else
                order(row, its_words);
        }
    });
}

void NearestWords::order(std::span<const float> row, std::span<std::int32_t> nearest) const {
    std::vector<Contender> contenders;
    for (const std::int32_t word : nearest)
        contenders.push_back(
            {squared_distance(row, words_.row(static_cast<std::size_t>(word))), word});
    std::ranges::sort(contenders);
    std::ranges::transform(contenders, nearest.begin(), &Contender::word);
}

void NearestWords::find_part(std::span<const float> rows, std::span<std::int32_t> nearest) const {
    const DefaultFloats floats;
    const std::size_t dimensions = words_.dimensions;
    const std::size_t count = rows.size() / dimensions;
    const std::size_t stride = starts_.size();
    std::vector<float> scores(count * stride);
    for (std::size_t word = 0; word < stride; word += lanes)
        score_block(rows.data(), count, dimensions, packed_.data() + word * dimensions,
                    starts_.data() + word, scores.data() + word, stride);
    std::vector<Contender> contenders;
    for (std::size_t i = 0; i < count; ++i)
        decide(rows.subspan(i * dimensions, dimensions),
               std::span(scores).subspan(i * stride, words_.size()), contenders,
               nearest.subspan(i * size_, size_));
}

void NearestWords::decide(std::span<const float> row, std::span<const float> scores,
                          std::vector<Contender> &contenders,
                          std::span<std::int32_t> nearest) const {
    constexpr double farthest = std::numeric_limits<double>::infinity();
    const float least = least_of_best(scores, size_);
    const float margin = bound_.margin(norm_of(row));
    contenders.clear();
    for (std::size_t word = 0; word < scores.size(); ++word) {
        if (least - scores[word] > margin) continue; // not where anything is NaN
        const double distance = squared_distance(row, words_.row(word));
        contenders.push_back(
            {distance < farthest ? distance : farthest, static_cast<std::int32_t>(word)});
    }
    std::ranges::partial_sort(contenders, contenders.begin() + static_cast<std::ptrdiff_t>(size_));
    std::ranges::transform(std::span(contenders).first(size_), nearest.begin(), &Contender::word);
}

} // namespace bowhist
