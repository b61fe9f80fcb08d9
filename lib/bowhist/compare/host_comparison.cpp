#include <bowhist/compare/host_comparison.hpp>

#include <bowhist/assign/host/simd/packed_words.hpp>
#include <bowhist/compare/best_images.hpp>
#include <bowhist/compare/block_screen.hpp>
#include <bowhist/compare/image_search.hpp>
#include <bowhist/compare/prepared_queries.hpp>
#include <bowhist/compare/spread_query.hpp>
#include <bowhist/compare/word_adder.hpp>
#include <bowhist/core/large_memory.hpp>
#include <bowhist/core/round_up.hpp>

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace bowhist {
namespace {

/// The memory that a thread needs to compare queries with images.
struct HostWorkplace {
    /// @param most   that a query wants
    /// @param words  null where images have none
    HostWorkplace(const SearchableImages &images, std::size_t queries, std::size_t most,
                  const WordAdder *words)
        : best(queries, BestImages(most)),
          sums(std::min(queries, summed_at_once) * WordIndex::window_images),
          products(CodeQueries::at_once * WordIndex::window_images), hits(queries) {
        if (words == nullptr) return;
        if (words->is_any_wide()) wide_sums.resize(sums.size());
        scratch = allocate_aligned<std::uint64_t>(words->scratch());
        spread.emplace(*images.measure, images.words->rows().words());
    }

    static constexpr std::size_t summed_at_once = 128; ///< queries: sums stay in caches

    /// work(sums of a window's images with a query), of 32 bits or 16. There is
    /// room for summed_at_once queries; the next ones take their places.
    template <typename Work>
    void with_sums(std::size_t q, bool is_wide, Work work) {
        const std::size_t first = q % summed_at_once * WordIndex::window_images;
        if (is_wide)
            work(wide_sums.data() + first);
        else
            work(sums.data() + first);
    }

    std::vector<BestImages> best;
    std::vector<std::uint16_t> sums; ///< [query][image of the window]
    std::vector<std::uint32_t> wide_sums;
    std::vector<std::int32_t> products;
    hwy::AlignedFreeUniquePtr<std::uint64_t[]> scratch;
    WaitingHits hits; ///< whose excess is not added
    std::optional<SpreadQuery> spread;
};

constexpr std::size_t window_images = WordIndex::window_images;
constexpr std::size_t block_images = WordIndex::block_images;
constexpr std::size_t many_hits = 64; ///< of a query

/// Some queries, compared with every image.
class Comparison {
  public:
    Comparison(const SearchableImages &images, std::span<const ImageQuery> queries,
               const ScoreWeights &weights, std::size_t most, const HostWay &way,
               std::int64_t least)
        : images_(images), most_(most), queries_(images, queries, weights),
          end_(queries.size(), images.size()), limits_(queries.size(), least) {
        if (images.words != nullptr) words_.emplace(images, queries_, way);
        if (way.plain) multiply_ = multiply_codes_plainly;
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
            raise_limit_of_image(q, mutual.best().limit(of_queries[q]));
        }
    }

  private:
    void compare_all() {
        if (end_.empty()) return;
        const std::size_t windows = divided_up(std::ranges::max(end_), window_images);
        const std::size_t listed = words_ ? images_.words->listed_windows() : 0;
        compare(0, std::min(listed, windows));
        // how good the best of them are says early which of the others to leave out
        for (std::size_t q = 0; q < queries_.size(); ++q) {
            limits_[q] = std::max(limits_[q], best(q).limit());
            raise_limit_of_image(q, limits_[q]);
        }
        compare(listed, windows);
    }

    /// Lower scores do not count for the query's own image either, which other queries may find.
    void raise_limit_of_image(std::size_t q, std::int64_t score) const {
        if (mutual_ == nullptr || end_[q] == 0) return;
        const std::size_t image = end_[q] - 1; // its own, if that can be found
        if (mutual_->numbers()[image] == of_queries_[q])
            mutual_->raise_limit(image, queries_.screen_limit(score));
    }

    void compare(std::size_t first, std::size_t end) {
        if (first >= end) return;
        tbb::parallel_for(tbb::blocked_range(first, end), [&](const auto &windows) {
            compare_some(windows.begin(), windows.end(), workplaces_.local());
        });
    }

    /// A query's best images, of all threads.
    BestImages best(std::size_t q) {
        BestImages best(most_);
        for (const HostWorkplace &workplace : workplaces_) best.add(workplace.best[q]);
        best.prune();
        return best;
    }

    void compare_some(std::size_t first, std::size_t end, HostWorkplace &workplace) const {
        for (std::size_t window = first; window < end; ++window) {
            if (words_ && images_.codes == nullptr && !is_listed(window))
                compare_by_blocks(window, workplace);
            else
                compare_whole(window, workplace);
        }
        look_at_hits(workplace);
    }

    void compare_whole(std::size_t window, HostWorkplace &workplace) const {
        constexpr std::size_t groups = window_images / CodeIndex::group_images;
        for (std::size_t q = 0; q < queries_.size(); ++q) {
            if (words_ && q % HostWorkplace::summed_at_once == 0) add_words(window, q, workplace);
            if (images_.codes != nullptr && q % CodeQueries::at_once == 0)
                multiply_(*images_.codes, queries_.codes().batch(q / CodeQueries::at_once),
                          window * groups, groups, workplace.products.data());
            workplace.with_sums(q, is_wide(q),
                                [&](const auto *sums) { keep_best(q, window, sums, workplace); });
            look_at_many_hits(workplace);
        }
    }

    /// Sums of a block stay in a core's first cache until they are looked at.
    void compare_by_blocks(std::size_t window, HostWorkplace &workplace) const {
        const std::size_t end = std::min((window + 1) * window_images, images_.size());
        std::size_t first = window * window_images;
        for (std::size_t block = 0; first < end; ++block, first += block_images) {
            words_->bring(window, block);
            for (std::size_t q = 0; q < queries_.size(); ++q) {
                words_->bring_next(q, window, block);
                if (is_wide(q))
                    compare_block<std::uint32_t>(q, window, block, workplace);
                else
                    compare_block<std::uint16_t>(q, window, block, workplace);
                look_at_many_hits(workplace);
            }
        }
    }

    template <typename Sum>
    void compare_block(std::size_t q, std::size_t window, std::size_t block,
                       HostWorkplace &workplace) const {
        if (window * window_images + block * block_images >= end_[q]) return;
        alignas(64) Sum sums[block_images];
        words_->add(q, window, block, workplace.scratch.get(), sums);
        keep_best_of_block(q, window * window_images + block * block_images, sums, nullptr,
                           workplace);
    }

    bool is_wide(std::size_t q) const { return words_ && words_->is_wide(q); }

    /// Sums of a window, of some queries from that one on.
    void add_words(std::size_t window, std::size_t first, HostWorkplace &workplace) const {
        const std::size_t end = std::min(first + HostWorkplace::summed_at_once, queries_.size());
        for (std::size_t block = 0; block < WordIndex::window_blocks; ++block) {
            words_->bring(window, block);
            for (std::size_t q = first; q < end; ++q) {
                words_->bring_next(q, window, block);
                workplace.with_sums(q, is_wide(q), [&](auto *sums) {
                    words_->add(q, window, block, workplace.scratch.get(),
                                sums + block * block_images);
                });
            }
        }
        for (std::size_t q = first; q < end && is_listed(window); ++q)
            workplace.with_sums(q, is_wide(q), [&](auto *sums) {
                add_lists(*queries_[q].words, images_.words->listed(window), sums);
            });
    }

    /// Whether sums hold what exceeds the bitmaps.
    bool is_listed(std::size_t window) const { return words_ && images_.words->is_listed(window); }

    template <typename Sum>
    void keep_best(std::size_t q, std::size_t window, const Sum *sums,
                   HostWorkplace &workplace) const {
        const std::int32_t *products =
            workplace.products.data() + q % CodeQueries::at_once * window_images;
        const std::size_t end = std::min((window + 1) * window_images, images_.size());
        for (std::size_t first = window * window_images; first < end; first += block_images) {
            keep_best_of_block(q, first, sums, products, workplace);
            sums += block_images;
            products += block_images;
        }
    }

    template <typename Sum>
    void keep_best_of_block(std::size_t q, std::size_t first, const Sum *sums,
                            const std::int32_t *products, HostWorkplace &workplace) const {
        if (first >= end_[q]) return;
        const BlockParts<Sum> parts = parts_of_block(images_, queries_[q], first, sums, products);
        std::uint16_t hits[block_images];
        const std::size_t count = screen_block(
            parts.words, parts.excess, parts.codes, limit_in_floats(q, workplace.best[q]),
            mutual_ != nullptr ? mutual_->limits().data() + first : nullptr, hits);
        add_hits(q, first, std::span(hits).first(count), sums, products, workplace);
    }

    /// @param first  image of the block
    template <typename Sum>
    void add_hits(std::size_t q, std::size_t first, std::span<const std::uint16_t> hits,
                  const Sum *sums, const std::int32_t *products, HostWorkplace &workplace) const {
        const bool is_whole = !words_ || is_listed(first / window_images);
        for (const std::uint16_t place : hits) {
            if (first + place >= end_[q]) return;
            Hit hit{static_cast<std::uint32_t>(q), static_cast<std::uint32_t>(first + place)};
            if (words_) hit.by_bitmaps = sums[place];
            if (products != nullptr) hit.by_code = products[place];
            if (is_whole)
                add_score(q, hit.image, hit.by_bitmaps, hit.by_code, workplace.best[q]);
            else
                workplace.hits.add(hit);
        }
    }

    /// Hits wait until a query has several: then it is spread out for all of them.
    void look_at_many_hits(HostWorkplace &workplace) const {
        if (workplace.hits.count() >= many_hits * queries_.size()) look_at_hits(workplace);
    }

    /// Query by query, whose factors are spread out once; rows come from memory meanwhile.
    void look_at_hits(HostWorkplace &workplace) const {
        const auto hits = workplace.hits.take(); // none where sums are whole
        constexpr std::size_t ahead = 16;
        for (const Hit &hit : hits.first(std::min(ahead, hits.size())))
            images_.words->fetch_excess(hit.image);
        for (std::size_t i = 0; i < hits.size(); ++i) {
            if (i + ahead < hits.size()) images_.words->fetch_excess(hits[i + ahead].image);
            const Hit &hit = hits[i];
            if (i == 0 || hits[i - 1].query != hit.query) {
                workplace.spread->set(*queries_[hit.query].words);
                if (hit.query + 1 < queries_.size())
                    prefetch(queries_[hit.query + 1].words->lists());
            }
            const std::uint64_t words =
                hit.by_bitmaps + workplace.spread->product_of_excess(*images_.words, hit.image);
            add_score(hit.query, hit.image, static_cast<std::int64_t>(words), hit.by_code,
                      workplace.best[hit.query]);
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
        if (for_query && score >= limits_[q]) best.add({static_cast<std::uint32_t>(image), score});
        if (for_image) { // its window is one thread's
            const std::uint32_t number = mutual_->numbers()[image];
            mutual_->best().add(number, {of_queries_[q], score});
            mutual_->raise_limit(image, queries_.screen_limit(mutual_->best().limit(number)));
        }
    }

    const SearchableImages &images_;
    std::size_t most_;
    PreparedQueries queries_;
    MutualSearch *mutual_ = nullptr;
    std::span<const std::uint32_t> of_queries_; ///< their numbers
    std::vector<std::size_t> end_;              ///< of each query behind the last image
    std::vector<std::int64_t> limits_;          ///< of each query; lower scores are not kept
    std::optional<WordAdder> words_;            ///< none where images have no words
    tbb::enumerable_thread_specific<HostWorkplace> workplaces_{[this] {
        return HostWorkplace(images_, queries_.size(), most_, words_ ? &*words_ : nullptr);
    }};
    MultiplyCodes multiply_ = multiply_codes();
};

} // namespace

std::vector<std::vector<ScoredImage>> compare_on_host(const SearchableImages &images,
                                                      std::span<const ImageQuery> queries,
                                                      const ScoreWeights &weights, std::size_t most,
                                                      const HostWay &way, std::int64_t least) {
    return Comparison(images, queries, weights, most, way, least).run();
}

void compare_on_host(const SearchableImages &images, std::span<const ImageQuery> queries,
                     const ScoreWeights &weights, std::size_t most, MutualSearch &mutual,
                     std::span<const std::uint32_t> of_queries) {
    Comparison(images, queries, weights, most, {}, any_score).run(mutual, of_queries);
}

} // namespace bowhist
