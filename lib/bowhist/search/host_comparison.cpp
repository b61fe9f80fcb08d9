#include <bowhist/search/host_comparison.hpp>

#include <bowhist/assign/host/simd/packed_words.hpp>
#include <bowhist/core/round_up.hpp>
#include <bowhist/search/block_screen.hpp>
#include <bowhist/search/plain_sums.hpp>
#include <bowhist/search/prepared_queries.hpp>
#include <bowhist/search/word_sums.hpp>

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <functional>
#include <limits>

namespace bowhist {
namespace {

constexpr std::size_t window_images = WordIndex::window_images;
constexpr std::size_t block_images = WordIndex::block_images;
constexpr std::size_t many_queries = 8;
constexpr std::size_t queries_by_cache = 128; ///< which leave a block in a core's second cache

/// What a thread needs.
struct Workplace {
    std::vector<BestImages> best;
    std::vector<std::uint32_t> sums; ///< [query][image of the window], of 16 or 32 bits
    std::vector<std::int32_t> products;
    hwy::AlignedFreeUniquePtr<std::uint64_t[]> scratch;
};

/// Some queries, compared with every image.
class Comparison {
  public:
    Comparison(const SearchableImages &images, std::span<const ImageQuery> queries,
               const ScoreWeights &weights, std::size_t most, const HostWay &way)
        : images_(images), most_(most), queries_(images, queries, weights),
          end_(queries.size(), images.size()),
          limits_(queries.size(), std::numeric_limits<std::int64_t>::min()) {
        if (way.plain) {
            add_16_ = add_bitmaps_plainly<std::uint16_t>;
            add_32_ = add_bitmaps_plainly<std::uint32_t>;
            multiply_ = multiply_codes_plainly;
        }
        for (std::size_t q = 0; q < queries_.size() && images.words != nullptr; ++q) {
            const WordQuery &words = *queries_[q].words;
            // no product exceeds the square root (Cauchy and Schwarz)
            wide_.push_back(std::uint64_t{words.squared_norm()} *
                                images.inverse_word_norms->longest >
                            0xFFFFULL * 0xFFFF);
            scratch_ = std::max(scratch_, words.order().results());
        }
    }

    std::vector<std::vector<ScoredImage>> run() {
        compare_all();
        std::vector<std::vector<ScoredImage>> answers;
        for (std::size_t q = 0; q < queries_.size(); ++q) answers.push_back(best(q).sorted());
        return answers;
    }

    /// @param of_queries  their numbers
    void run(MutualSearch &mutual, std::span<const std::uint32_t> of_queries) {
        mutual_ = &mutual;
        of_queries_ = of_queries;
        const auto numbers = mutual.numbers();
        for (std::size_t q = 0; q < queries_.size(); ++q) {
            const bool has_norm = queries_[q].word_factor > 0 || queries_[q].code_factor > 0;
            const auto end = std::ranges::upper_bound(numbers, of_queries[q], std::greater());
            end_[q] = has_norm ? static_cast<std::size_t>(end - numbers.begin())
                               : 0; // nothing is like it
            limits_[q] = mutual.best().limit(of_queries[q]);
        }
        compare_all();
        for (std::size_t q = 0; q < queries_.size(); ++q) {
            for (const ScoredImage &found : best(q).sorted())
                mutual.best().add(of_queries[q], {numbers[found.image], found.score});
            if (end_[q] > 0 && numbers[end_[q] - 1] == of_queries[q])
                mutual.limits()[end_[q] - 1] =
                    std::max(mutual.limits()[end_[q] - 1],
                             queries_.screen_limit(mutual.best().limit(of_queries[q])));
        }
    }

  private:
    void compare_all() {
        if (end_.empty()) return;
        const std::size_t windows = divided_up(std::ranges::max(end_), window_images);
        const std::size_t listed = images_.words != nullptr ? images_.words->listed_windows() : 0;
        compare(0, std::min(listed, windows));
        // how good the best of them are says early which of the others to leave out
        for (std::size_t q = 0; q < queries_.size(); ++q)
            limits_[q] = std::max(limits_[q], best(q).limit());
        compare(listed, windows);
    }

    void compare(std::size_t first, std::size_t end) {
        if (first >= end) return;
        tbb::parallel_for(first, end,
                          [&](std::size_t window) { compare(window, workplaces_.local()); });
    }

    /// Of all threads.
    BestImages best(std::size_t q) {
        BestImages best(most_);
        for (const Workplace &workplace : workplaces_)
            if (!workplace.best.empty()) best.add(workplace.best[q]);
        best.prune();
        return best;
    }

    void make_room(Workplace &workplace) const {
        if (!workplace.best.empty()) return;
        workplace.best.assign(queries_.size(), BestImages(most_));
        workplace.sums.resize(queries_.size() * window_images);
        workplace.products.resize(CodeQueries::at_once * window_images);
        workplace.scratch = allocate_aligned<std::uint64_t>(scratch_ * WordIndex::block_words + 1);
    }

    void compare(std::size_t window, Workplace &workplace) const {
        make_room(workplace);
        if (images_.words != nullptr && images_.codes == nullptr && !is_listed(window)) {
            compare_by_blocks(window, workplace);
            return;
        }
        for (std::size_t block = 0; images_.words != nullptr && block < WordIndex::window_blocks;
             ++block)
            for (std::size_t q = 0; q < queries_.size(); ++q) {
                bring(q, window, block);
                add_words(q, window, block, workplace);
            }
        if (is_listed(window))
            for (std::size_t q = 0; q < queries_.size(); ++q) add_listed(q, window, workplace);
        constexpr std::size_t groups = window_images / CodeIndex::group_images;
        for (std::size_t q = 0; q < queries_.size(); ++q) {
            if (images_.codes != nullptr && q % CodeQueries::at_once == 0)
                multiply_(*images_.codes, queries_.codes().batch(q / CodeQueries::at_once),
                          window * groups, groups, workplace.products.data());
            if (is_wide(q))
                keep_best<std::uint32_t>(q, window, workplace);
            else
                keep_best<std::uint16_t>(q, window, workplace);
        }
    }

    /// Sums of a block stay in a core's first cache until they are looked at.
    void compare_by_blocks(std::size_t window, Workplace &workplace) const {
        const std::size_t end = std::min((window + 1) * window_images, images_.size());
        std::size_t first = window * window_images;
        for (std::size_t block = 0; first < end; ++block, first += block_images)
            for (std::size_t q = 0; q < queries_.size(); ++q) {
                bring(q, window, block);
                if (is_wide(q))
                    compare_block<std::uint32_t>(q, window, block, workplace);
                else
                    compare_block<std::uint16_t>(q, window, block, workplace);
            }
    }

    template <typename Sum>
    void compare_block(std::size_t q, std::size_t window, std::size_t block,
                       Workplace &workplace) const {
        if (window * window_images + block * block_images >= end_[q]) return;
        alignas(64) Sum sums[block_images];
        add_bitmaps(*queries_[q].words, images_.words->block(window, block),
                    workplace.scratch.get(), sums);
        keep_best_of_block(q, window * window_images + block * block_images, sums, nullptr,
                           workplace.best[q]);
    }

    void add_bitmaps(const WordQuery &query, const std::uint64_t *bits, std::uint64_t *scratch,
                     std::uint16_t *sums) const {
        add_16_(query, bits, scratch, sums);
    }
    void add_bitmaps(const WordQuery &query, const std::uint64_t *bits, std::uint64_t *scratch,
                     std::uint32_t *sums) const {
        add_32_(query, bits, scratch, sums);
    }

    /// Bitmaps that are added up. Many queries have most of a block's: they are read one behind the
    /// other, which takes a tenth of the time of reading them here and there.
    void bring(std::size_t q, std::size_t window, std::size_t block) const {
        if (queries_.size() < many_queries) return fetch_next(q, window, block);
        if (q % queries_by_cache != 0) return;
        const std::uint64_t *bits = images_.words->block(window, block);
        for (std::size_t i = 0; i < images_.words->block_stride(); i += WordIndex::block_words)
            static_cast<void>(static_cast<const volatile std::uint64_t *>(bits)[i]);
    }

    /// What is added up next comes from memory meanwhile: the next query's bitmaps.
    void fetch_next(std::size_t q, std::size_t window, std::size_t block) const {
        if (++q == queries_.size()) {
            q = 0;
            window += ++block / WordIndex::window_blocks;
            block %= WordIndex::window_blocks;
            if (window == images_.words->windows()) return;
        }
        const std::uint64_t *next = images_.words->block(window, block);
        for (const WeightedBitmap &bitmap : queries_[q].words->bitmaps())
            __builtin_prefetch(next + bitmap.offset);
    }

    bool is_wide(std::size_t q) const { return !wide_.empty() && wide_[q]; }

    /// Of 16 or 32 bits, as is_wide() says.
    template <typename Sum>
    Sum *sums_of(std::size_t q, Workplace &workplace) const {
        return reinterpret_cast<Sum *>(workplace.sums.data() + q * window_images);
    }

    void add_words(std::size_t q, std::size_t window, std::size_t block,
                   Workplace &workplace) const {
        const WordQuery &query = *queries_[q].words;
        const std::uint64_t *bits = images_.words->block(window, block);
        std::uint64_t *scratch = workplace.scratch.get();
        const std::size_t first = block * block_images;
        if (is_wide(q))
            add_32_(query, bits, scratch, sums_of<std::uint32_t>(q, workplace) + first);
        else
            add_16_(query, bits, scratch, sums_of<std::uint16_t>(q, workplace) + first);
    }

    /// Whether sums hold what exceeds the bitmaps.
    bool is_listed(std::size_t window) const {
        return images_.words != nullptr && window < images_.words->listed_windows();
    }

    void add_listed(std::size_t q, std::size_t window, Workplace &workplace) const {
        const WordQuery &query = *queries_[q].words;
        const ExcessLists &lists = images_.words->listed(window);
        if (is_wide(q))
            add_lists(query, lists, sums_of<std::uint32_t>(q, workplace));
        else
            add_lists(query, lists, sums_of<std::uint16_t>(q, workplace));
    }

    template <typename Sum>
    void keep_best(std::size_t q, std::size_t window, Workplace &workplace) const {
        const Sum *sums = sums_of<Sum>(q, workplace);
        const std::int32_t *products =
            workplace.products.data() + q % CodeQueries::at_once * window_images;
        const std::size_t end = std::min((window + 1) * window_images, images_.size());
        for (std::size_t first = window * window_images; first < end; first += block_images) {
            keep_best_of_block(q, first, sums, products, workplace.best[q]);
            sums += block_images;
            products += block_images;
        }
    }

    template <typename Sum>
    void keep_best_of_block(std::size_t q, std::size_t first, const Sum *sums,
                            const std::int32_t *products, BestImages &best) const {
        if (first >= end_[q]) return;
        const PreparedQuery &query = queries_[q];
        PartOfScore<Sum> words{nullptr, nullptr, query.word_factor};
        Excess excess;
        if (images_.words != nullptr)
            words = {sums, images_.inverse_word_norms->values.data() + first, query.word_factor};
        if (images_.words != nullptr && !is_listed(first / window_images)) {
            const ExcessBounds &bounds = *images_.excess_bounds;
            words.factor = query.bound.ratio;
            excess = {bounds.sums() + first, bounds.roots() + first, query.bound.sum,
                      query.bound.root};
        }
        PartOfScore<std::int32_t> codes{nullptr, nullptr, query.code_factor};
        if (images_.codes != nullptr)
            codes = {products, images_.inverse_code_norms->values.data() + first,
                     query.code_factor};
        std::uint16_t hits[block_images];
        const std::size_t count =
            screen_block(words, excess, codes, limit_in_floats(q, best),
                         mutual_ != nullptr ? mutual_->limits().data() + first : nullptr, hits);
        if (count > 0) add_hits(q, first, std::span(hits).first(count), sums, products, best);
    }

    /// @param first  image of the block
    template <typename Sum>
    void add_hits(std::size_t q, std::size_t first, std::span<const std::uint16_t> hits,
                  const Sum *sums, const std::int32_t *products, BestImages &best) const {
        constexpr std::size_t ahead = 4; // rows on their way from memory
        for (std::size_t i = 0; i < hits.size() && first + hits[i] < end_[q]; ++i) {
            const std::size_t image = first + hits[i];
            std::uint64_t product = 0;
            if (images_.words != nullptr) {
                product = sums[hits[i]];
                if (!is_listed(image / window_images)) {
                    if (i + ahead < hits.size() && first + hits[i + ahead] < end_[q])
                        images_.words->fetch_excess(first + hits[i + ahead]);
                    product += queries_[q].words->product_of_excess(*images_.words, image);
                }
            }
            const std::int64_t of_codes = products != nullptr ? products[hits[i]] : 0;
            add_score(q, image, static_cast<std::int64_t>(product), of_codes, best);
        }
    }

    float limit_in_floats(std::size_t q, const BestImages &best) const {
        return queries_.screen_limit(std::max(best.limit(), limits_[q]));
    }

    void add_score(std::size_t q, std::size_t image, std::int64_t words, std::int64_t codes,
                   BestImages &best) const {
        const float about =
            queries_.score_in_floats(q, image, static_cast<std::uint64_t>(words), codes);
        const bool for_query = about >= limit_in_floats(q, best);
        const bool for_image = mutual_ != nullptr && about >= mutual_->limits()[image] &&
                               mutual_->numbers()[image] != of_queries_[q];
        if (!for_query && !for_image) return;
        const std::int64_t score = queries_.score(q, image, words, codes);
        if (for_query) best.add({static_cast<std::uint32_t>(image), score});
        if (for_image) { // of a window: one thread's
            const std::uint32_t number = mutual_->numbers()[image];
            mutual_->best().add(number, {of_queries_[q], score});
            mutual_->limits()[image] = queries_.screen_limit(mutual_->best().limit(number));
        }
    }

    const SearchableImages &images_;
    std::size_t most_;
    PreparedQueries queries_;
    MutualSearch *mutual_ = nullptr;
    std::span<const std::uint32_t> of_queries_; ///< their numbers
    std::vector<std::size_t> end_;              ///< of each query behind the last image
    std::vector<std::int64_t> limits_;          ///< scores that the best of a query reach
    std::vector<bool> wide_; ///< whether a query's sums need 32 bits; empty without words
    std::size_t scratch_ = 0;
    tbb::enumerable_thread_specific<Workplace> workplaces_;
    AddBitmaps<std::uint16_t> add_16_ = add_bitmaps_16();
    AddBitmaps<std::uint32_t> add_32_ = add_bitmaps_32();
    MultiplyCodes multiply_ = multiply_codes();
};

} // namespace

std::vector<std::vector<ScoredImage>> compare_on_host(const SearchableImages &images,
                                                      std::span<const ImageQuery> queries,
                                                      const ScoreWeights &weights, std::size_t most,
                                                      const HostWay &way) {
    return Comparison(images, queries, weights, most, way).run();
}

void compare_on_host(const SearchableImages &images, std::span<const ImageQuery> queries,
                     const ScoreWeights &weights, std::size_t most, MutualSearch &mutual,
                     std::span<const std::uint32_t> of_queries) {
    Comparison(images, queries, weights, most, {}).run(mutual, of_queries);
}

} // namespace bowhist
