#include <bowhist/search/image_search.hpp>

#include <bowhist/core/cpu_clones.hpp>
#include <bowhist/core/round_up.hpp>
#include <bowhist/search/similarity.hpp>
#include <bowhist/search/word_sums.hpp>

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <memory>

namespace bowhist {
namespace {

constexpr std::size_t window_images = WordIndex::window_images;
constexpr std::size_t block_images = WordIndex::block_images;

/// By how much a score in floats may lie below the true one: five roundings of a part of at most
/// 7·2²⁴ and of one of 3·2²⁴, and one of their sum, each 2⁻²⁴ of it, are below 100; cut behind the
/// point, the true one is at most 10 lower.
constexpr float score_error = 128;

/// A part of a score in floats: products · inverse norms · factor.
template <typename Product>
struct Part {
    const Product *products;
    const float *inverse_norms;
    float factor;
};

/// Which images of a block may reach a limit. @return how many
template <typename Word>
BOWHIST_FOR_EACH_CPU std::size_t screen(const Part<Word> &words, const Part<std::int32_t> &codes,
                                        float limit, std::uint16_t *hits) {
    alignas(64) float scores[block_images];
    std::fill_n(scores, block_images, 0.0F);
    if (words.products != nullptr)
        for (std::size_t i = 0; i < block_images; ++i)
            scores[i] =
                static_cast<float>(words.products[i]) * words.inverse_norms[i] * words.factor;
    if (codes.products != nullptr)
        for (std::size_t i = 0; i < block_images; ++i)
            scores[i] +=
                static_cast<float>(codes.products[i]) * codes.inverse_norms[i] * codes.factor;
    constexpr std::size_t step = 64;
    std::size_t count = 0;
    for (std::size_t first = 0; first < block_images; first += step) {
        int any = 0;
        for (std::size_t i = 0; i < step; ++i) any |= scores[first + i] >= limit;
        if (any == 0) continue;
        for (std::size_t i = 0; i < step; ++i) {
            hits[count] = static_cast<std::uint16_t>(first + i);
            count += scores[first + i] >= limit;
        }
    }
    return count;
}

/// A query as the search reads it.
struct Prepared {
    const ImageQuery *query = nullptr;
    std::unique_ptr<WordQuery> words = nullptr; ///< null where words do not matter
    bool wide = false;                          ///< whether its sums need 32 bits
    std::uint32_t code_norm = 0;
    float word_factor = 0;
    float code_factor = 0;
};

float factor_of(std::int64_t weight, std::uint32_t squared_norm) {
    if (squared_norm == 0) return 0;
    return static_cast<float>(double(weight * full_similarity) / std::sqrt(double(squared_norm)));
}

/// What a thread needs.
struct Workplace {
    std::vector<BestImages> best;
    std::vector<std::uint32_t> sums; ///< [query][image of the window], of 16 or 32 bits
    std::vector<std::int32_t> products;
    std::unique_ptr<std::uint64_t[], decltype(&std::free)> scratch{nullptr, &std::free};
};

/// Some queries, compared with every image.
class Comparison {
  public:
    Comparison(const SearchableImages &images, std::span<const ImageQuery> queries,
               const ScoreWeights &weights, std::size_t most)
        : images_(images), weights_(weights), most_(most),
          codes_(images.codes != nullptr ? images.codes->dimensions() : 1) {
        for (const ImageQuery &query : queries) prepare(query);
    }

    std::vector<std::vector<ScoredImage>> run() {
        const std::size_t windows = (images_.size() + window_images - 1) / window_images;
        tbb::parallel_for(std::size_t{0}, windows,
                          [&](std::size_t window) { compare(window, workplaces_.local()); });
        std::vector<std::vector<ScoredImage>> answers;
        for (std::size_t q = 0; q < queries_.size(); ++q) {
            BestImages best(most_);
            for (const Workplace &workplace : workplaces_)
                if (!workplace.best.empty()) best.add(workplace.best[q]);
            answers.push_back(best.sorted());
        }
        return answers;
    }

  private:
    void prepare(const ImageQuery &query) {
        Prepared prepared{.query = &query};
        if (images_.words != nullptr) {
            prepared.words =
                std::make_unique<WordQuery>(*images_.measure, images_.words->rows(), query.words);
            const std::uint64_t norm = prepared.words->squared_norm();
            // no product exceeds the square root (Cauchy and Schwarz)
            prepared.wide = norm * images_.inverse_word_norms->longest > 0xFFFFULL * 0xFFFF;
            prepared.word_factor = factor_of(weights_.words, prepared.words->squared_norm());
            scratch_ = std::max(scratch_, prepared.words->scratch_bitmaps());
        }
        if (images_.codes != nullptr) {
            static const std::vector<std::int8_t> zeros(4096);
            codes_.add(query.code.empty() ? std::span(zeros).first(images_.codes->dimensions())
                                          : std::span(query.code));
            prepared.code_norm = squared_norm(query.code);
            prepared.code_factor = factor_of(weights_.codes, prepared.code_norm);
        }
        queries_.push_back(std::move(prepared));
    }

    void make_room(Workplace &workplace) const {
        if (!workplace.best.empty()) return;
        workplace.best.assign(queries_.size(), BestImages(most_));
        workplace.sums.resize(queries_.size() * window_images);
        workplace.products.resize(CodeQueries::at_once * window_images);
        workplace.scratch.reset(
            static_cast<std::uint64_t *>(std::aligned_alloc(64, (scratch_ + 8) * 64)));
    }

    void compare(std::size_t window, Workplace &workplace) const {
        make_room(workplace);
        if (images_.words != nullptr) {
            for (std::size_t block = 0; block < WordIndex::window_blocks; ++block)
                for (std::size_t q = 0; q < queries_.size(); ++q)
                    add_words(q, window, block, workplace);
            for (std::size_t q = 0; q < queries_.size(); ++q)
                add_window_lists(q, window, workplace);
        }
        for (std::size_t q = 0; q < queries_.size(); ++q) {
            if (images_.codes != nullptr && q % CodeQueries::at_once == 0)
                multiply_(*images_.codes, codes_.batch(q / CodeQueries::at_once),
                          window * (window_images / CodeIndex::group_images),
                          window_images / CodeIndex::group_images, workplace.products.data());
            if (queries_[q].wide)
                keep_best<std::uint32_t>(q, window, workplace);
            else
                keep_best<std::uint16_t>(q, window, workplace);
        }
    }

    std::uint32_t *sums_of(std::size_t q, Workplace &workplace) const {
        return workplace.sums.data() + q * window_images;
    }

    void add_words(std::size_t q, std::size_t window, std::size_t block,
                   Workplace &workplace) const {
        const Prepared &query = queries_[q];
        std::uint32_t *sums = sums_of(q, workplace);
        const std::uint64_t *bits = images_.words->block(window, block);
        std::uint64_t *scratch = workplace.scratch.get();
        if (query.wide)
            add_32_(*query.words, bits, scratch, sums + block * block_images);
        else
            add_16_(*query.words, bits, scratch,
                    reinterpret_cast<std::uint16_t *>(sums) + block * block_images);
    }

    void add_window_lists(std::size_t q, std::size_t window, Workplace &workplace) const {
        std::uint32_t *sums = sums_of(q, workplace);
        if (queries_[q].wide)
            add_lists(*queries_[q].words, *images_.words, window, sums);
        else
            add_lists(*queries_[q].words, *images_.words, window,
                      reinterpret_cast<std::uint16_t *>(sums));
    }

    template <typename Sum>
    void keep_best(std::size_t q, std::size_t window, Workplace &workplace) const {
        const Prepared &query = queries_[q];
        BestImages &best = workplace.best[q];
        const Sum *sums = reinterpret_cast<const Sum *>(sums_of(q, workplace));
        const std::int32_t *products =
            workplace.products.data() + q % CodeQueries::at_once * window_images;
        std::uint16_t hits[block_images];
        for (std::size_t first = 0; first < window_images; first += block_images) {
            const std::size_t image = window * window_images + first;
            if (image >= images_.size()) return;
            Part<Sum> words{nullptr, nullptr, query.word_factor};
            if (images_.words != nullptr)
                words = {sums + first, images_.inverse_word_norms->values.data() + image,
                         query.word_factor};
            Part<std::int32_t> codes{nullptr, nullptr, query.code_factor};
            if (images_.codes != nullptr)
                codes = {products + first, images_.inverse_code_norms->values.data() + image,
                         query.code_factor};
            const float limit =
                static_cast<float>(std::max(best.limit(), -weights_.full())) - score_error;
            const std::size_t count = screen(words, codes, limit, hits);
            for (std::size_t i = 0; i < count; ++i) {
                const std::size_t hit = image + hits[i];
                if (hit >= images_.size()) break;
                std::int64_t score = 0;
                if (images_.words != nullptr)
                    score += weights_.words * similarity(sums[first + hits[i]],
                                                         query.words->squared_norm(),
                                                         images_.word_norms[hit]);
                if (images_.codes != nullptr)
                    score += weights_.codes * similarity(products[first + hits[i]], query.code_norm,
                                                         images_.code_norms[hit]);
                best.add({static_cast<std::uint32_t>(hit), score});
            }
        }
    }

    const SearchableImages &images_;
    ScoreWeights weights_;
    std::size_t most_;
    std::vector<Prepared> queries_;
    CodeQueries codes_;
    std::size_t scratch_ = 0;
    tbb::enumerable_thread_specific<Workplace> workplaces_;
    AddBitmaps<std::uint16_t> add_16_ = add_bitmaps_16();
    AddBitmaps<std::uint32_t> add_32_ = add_bitmaps_32();
    MultiplyCodes multiply_ = multiply_codes();
};

} // namespace

InverseNorms::InverseNorms(std::span<const std::uint32_t> squared)
    : values(round_up(squared.size(), window_images)) {
    for (std::size_t i = 0; i < squared.size(); ++i) {
        longest = std::max(longest, squared[i]);
        if (squared[i] > 0) values[i] = static_cast<float>(1 / std::sqrt(double(squared[i])));
    }
}

std::vector<std::vector<ScoredImage>> search(const SearchableImages &images,
                                             std::span<const ImageQuery> queries,
                                             const ScoreWeights &weights, std::size_t most) {
    constexpr std::size_t at_once = 128; // their sums stay in a core's caches
    std::vector<std::vector<ScoredImage>> answers;
    for (std::size_t first = 0; first < queries.size(); first += at_once) {
        const std::size_t count = std::min(at_once, queries.size() - first);
        auto some = Comparison(images, queries.subspan(first, count), weights, most).run();
        std::ranges::move(some, std::back_inserter(answers));
    }
    return answers;
}

} // namespace bowhist
