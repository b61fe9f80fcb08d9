// OpenBLAS: scores x·c by sgemm, a block of descriptors at a time, and the argmax of
// x·c - ||c||²/2 by vector units while the block is in the cache. Both ways to use the cores: one
// sgemm on all of them, or a block for each.
#include "tests/peers/contender.hpp"

#include <bowhist/core/cpu_clones.hpp>

#include <cblas.h>
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <numeric>

namespace bowhist::peers {
namespace {

using Floats = float __attribute__((vector_size(64)));
using Integers = std::int32_t __attribute__((vector_size(64)));
constexpr std::size_t lanes = sizeof(Floats) / sizeof(float);
constexpr std::size_t scores_a_block = std::size_t{1} << 17; // half a megabyte: an L2 cache

struct Search {
    const Problem &problem;
    std::size_t padded_words = 0;    ///< k, rounded up to whole vectors
    std::vector<float> centroids;    ///< padded_words×D, zeros at the end
    std::vector<float> half_squares; ///< ||c||²/2, infinity at the end
    std::vector<std::int32_t> words;

    explicit Search(const Problem &given)
        : problem(given), padded_words((given.vocabulary.size() + lanes - 1) / lanes * lanes),
          centroids(given.vocabulary.values), words(given.descriptors.size()) {
        centroids.resize(padded_words * given.vocabulary.dimensions);
        half_squares.assign(padded_words, std::numeric_limits<float>::infinity());
        for (std::size_t j = 0; j < given.vocabulary.size(); ++j) {
            const auto row = given.vocabulary.row(j);
            half_squares[j] = std::inner_product(row.begin(), row.end(), row.begin(), 0.0F) / 2;
        }
    }
};

BOWHIST_FOR_EACH_CPU
std::int32_t argmax(const float *scores, const float *half_squares, std::size_t padded_words) {
    Floats best = Floats{} - std::numeric_limits<float>::infinity();
    Integers vector_of_best = {};
    for (std::size_t j = 0; j < padded_words; j += lanes) {
        Floats score;
        Floats half_square;
        std::memcpy(&score, scores + j, sizeof score);
        std::memcpy(&half_square, half_squares + j, sizeof half_square);
        score -= half_square;
        const auto better = score > best;
        best = better ? score : best;
        vector_of_best = better ? Integers{} + static_cast<std::int32_t>(j) : vector_of_best;
    }
    std::int32_t word = 0;
    float score = -std::numeric_limits<float>::infinity();
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        const auto candidate = vector_of_best[lane] + static_cast<std::int32_t>(lane);
        if (best[lane] > score || (best[lane] == score && candidate < word)) word = candidate;
        score = std::max(score, best[lane]);
    }
    return word;
}

void multiply(const Search &search, std::size_t first, std::size_t count, float *scores) {
    const auto dimensions = static_cast<blasint>(search.problem.descriptors.dimensions);
    const auto words = static_cast<blasint>(search.padded_words);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, static_cast<blasint>(count), words,
                dimensions, 1, search.problem.descriptors.row(first).data(), dimensions,
                search.centroids.data(), dimensions, 0, scores, words);
}

void settle(Search &search, std::size_t first, std::size_t row, const float *scores) {
    search.words[first + row] =
        argmax(scores + row * search.padded_words, search.half_squares.data(), search.padded_words);
}

void one_product_on_all_cores(Search &search) {
    const std::size_t n = search.words.size();
    const int threads = search.problem.threads;
    const std::size_t most = std::max<std::size_t>(64, static_cast<std::size_t>(threads) *
                                                           scores_a_block / search.padded_words);
    std::vector<float> scores(std::min(most, n) * search.padded_words);
    openblas_set_num_threads(threads);
    for (std::size_t first = 0; first < n; first += most) {
        const std::size_t count = std::min(most, n - first);
        multiply(search, first, count, scores.data());
#pragma omp parallel for schedule(static) num_threads(threads)
        for (std::size_t row = 0; row < count; ++row) settle(search, first, row, scores.data());
    }
}

void a_block_for_each_core(Search &search) {
    const std::size_t n = search.words.size();
    const std::size_t most = std::max<std::size_t>(64, scores_a_block / search.padded_words);
    openblas_set_num_threads(1);
#pragma omp parallel num_threads(search.problem.threads)
    {
        std::vector<float> scores(std::min(most, n) * search.padded_words);
#pragma omp for schedule(dynamic)
        for (std::size_t first = 0; first < n; first += most) {
            const std::size_t count = std::min(most, n - first);
            multiply(search, first, count, scores.data());
            for (std::size_t row = 0; row < count; ++row) settle(search, first, row, scores.data());
        }
    }
    openblas_set_num_threads(search.problem.threads); // as FAISS wants it
}

} // namespace

std::vector<Contender> openblas_contenders(const Problem &problem) {
    const auto search = std::make_shared<Search>(problem);
    const auto words = [search] { return search->words; };
    const std::string kernels = openblas_get_corename();
    return {{fmt::format("sgemm ({}) + argmin", kernels),
             [search] { one_product_on_all_cores(*search); }, words},
            {fmt::format("sgemm ({}) + argmin, blocks", kernels),
             [search] { a_block_for_each_core(*search); }, words}};
}

} // namespace bowhist::peers
