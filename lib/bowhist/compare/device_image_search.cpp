#include <bowhist/compare/device_image_search.hpp>

#include <bowhist/compare/search_launch.hpp>
#include <bowhist/core/round_up.hpp>
#include <bowhist/ops/image_batch.hpp>
#include <bowhist/ops/ops_launch.hpp>

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>

namespace bowhist {
namespace {

constexpr std::size_t window_images = WordIndex::window_images;
constexpr std::size_t row_words = SEARCH_ITEMS; ///< of 32 bits, a bitmap of a window
static_assert(window_images == SEARCH_WINDOW && SEARCH_ITEMS * 32 == SEARCH_WINDOW);
static_assert(CodeQueries::at_once == SEARCH_QUERIES);

/// A window's bitmaps, row after row.
void transpose_window(const WordIndex &index, std::size_t window, cl_uint *out) {
    constexpr std::size_t words = WordIndex::block_words * 2;
    for (std::size_t b = 0; b < WordIndex::window_blocks; ++b) {
        const auto *block = reinterpret_cast<const cl_uint *>(index.block(window, b));
        for (std::size_t row = 0; row < index.rows().count(); ++row)
            std::copy_n(block + row * words, words, out + row * row_words + b * words);
    }
}

std::span<const float> floats_of(const InverseNorms &norms, std::size_t first, std::size_t count) {
    return std::span(norms.values).subspan(first, count);
}

/// OpenCL has no buffers of nothing.
template <typename T>
Buffer<T> uploaded_or_one(Device &device, std::vector<T> values) {
    if (values.empty()) values.resize(1);
    return uploaded(device, values);
}

} // namespace

std::size_t DeviceImageSearch::windows_of(const SearchableImages &images) {
    return divided_up(images.size(), window_images);
}

DeviceImageSearch::DeviceImageSearch(std::shared_ptr<Device> device, const SearchableImages &images,
                                     Windows windows)
    : device_(std::move(device)), images_(images) {
    std::size_t at_once = windows.count;
    if (images.words != nullptr) {
        const std::size_t bytes = (images.words->rows().count() + 1) * row_words * sizeof(cl_uint);
        at_once = std::max<std::size_t>(1, device_->limits().allocation_bytes / bytes);
        std::vector<cl_uint> values;
        for (std::uint32_t count = 0; count <= WordMeasure::largest_count; ++count)
            values.push_back(images.measure->value(count));
        values_ = uploaded(*device_, values);
    }
    const std::size_t end = windows.first + windows.count;
    for (std::size_t first = windows.first; first < end; first += at_once) {
        Part &part = parts_.emplace_back(
            Part{.first_window = first, .windows = std::min(at_once, end - first)});
        if (images.words != nullptr) send_words(part);
        if (images.codes != nullptr) send_codes(part);
    }
}

void DeviceImageSearch::send_words(Part &part) {
    const WordIndex &index = *images_.words;
    const std::size_t window_bits = index.rows().count() * row_words;
    part.bits = device_->allocate<cl_uint>(std::max<std::size_t>(1, part.windows * window_bits));
    std::vector<cl_uint> bits(window_bits);
    std::vector<cl_uint> starts;
    std::vector<cl_ushort> entries;
    std::vector<cl_uint> long_starts = {0};
    std::vector<SearchLongEntry> long_entries;
    for (std::size_t w = 0; w < part.windows; ++w) {
        const std::size_t window = part.first_window + w;
        transpose_window(index, window, bits.data());
        device_->upload<cl_uint>(part.bits, bits, w * window_bits);
        const ExcessLists lists = index.lists(window);
        for (const std::uint32_t start : lists.starts)
            starts.push_back(static_cast<cl_uint>(entries.size() + start));
        entries.insert(entries.end(), lists.entries.begin(), lists.entries.end());
        for (const auto &[word, place, excess] : lists.long_entries)
            long_entries.push_back({word, place, excess});
        long_starts.push_back(static_cast<cl_uint>(long_entries.size()));
    }
    part.starts = uploaded(*device_, starts);
    part.entries = uploaded_or_one(*device_, std::move(entries));
    part.long_starts = uploaded(*device_, long_starts);
    part.long_entries = uploaded_or_one(*device_, std::move(long_entries));
    part.word_norms =
        uploaded(*device_, floats_of(*images_.inverse_word_norms, part.first_window * window_images,
                                     part.windows * window_images));
}

void DeviceImageSearch::send_codes(Part &part) {
    const CodeIndex &codes = *images_.codes;
    const std::size_t first = part.first_window * window_images;
    const std::size_t images = part.windows * window_images;
    const auto *values =
        reinterpret_cast<const cl_char *>(codes.group(first / CodeIndex::group_images));
    part.codes = uploaded(*device_, std::span(values, images * codes.pairs() * 2));
    part.code_norms = uploaded(*device_, floats_of(*images_.inverse_code_norms, first, images));
}

/// Some queries, compared with every image: in rounds that grow, so that each knows how good the
/// best are so far.
class DeviceImageSearch::Run {
  public:
    Run(DeviceImageSearch &search, std::span<const ImageQuery> queries, const ScoreWeights &weights,
        std::size_t most)
        : device_(*search.device_), images_(search.images_), search_(search),
          buffers_(search.buffers_), queries_(search.images_, queries, weights),
          best_(queries.size(), BestImages(most)),
          capacity_(std::max<std::size_t>(queries.size() * window_images, 1 << 18)) {
        if (images_.words != nullptr) send_queries();
        if (images_.codes != nullptr) {
            const CodeQueries &codes = queries_.codes();
            const std::size_t size =
                codes.batches() * CodeQueries::at_once * images_.codes->pairs();
            send(buffers_.codes, std::span<const cl_int>(codes.batch(0), size));
        }
        reserve(device_, buffers_.products, 1); // an argument, even where none are read
        reserve(device_, buffers_.hits, capacity_);
        reserve(device_, buffers_.count, 1);
    }

    std::vector<std::vector<ScoredImage>> answers() {
        for (const Part &part : search_.parts_) compare(part);
        std::vector<std::vector<ScoredImage>> answers;
        for (BestImages &best : best_) answers.push_back(best.sorted());
        return answers;
    }

  private:
    /// Into a buffer that may be longer.
    template <typename T>
    void send(Buffer<T> &to, std::span<const T> values) {
        reserve(device_, to, std::max<std::size_t>(1, values.size()));
        device_.upload(to, values);
    }
    template <typename T>
    void send(Buffer<T> &to, const std::vector<T> &values) {
        send(to, std::span(values));
    }

    void send_queries() {
        std::uint64_t longest = images_.inverse_word_norms->longest;
        for (std::size_t q = 0; q < queries_.size(); ++q)
            longest = std::max<std::uint64_t>(longest, queries_[q].words->squared_norm());
        planes_ = longest > 0xFFFF ? 32 : 16; // no product exceeds the longer one's norm
        std::vector<cl_uint> rows;
        std::vector<cl_uint> starts;
        std::vector<SearchList> lists;
        std::vector<cl_uint> list_starts = {0};
        for (std::size_t q = 0; q < queries_.size(); ++q) {
            const WordQuery &query = *queries_[q].words;
            starts.push_back(static_cast<cl_uint>(rows.size()));
            for (std::uint32_t p = 0; p < planes_; ++p) {
                append_rows(query, p, rows);
                starts.push_back(static_cast<cl_uint>(rows.size()));
            }
            for (const WordQuery::List &list : query.lists())
                lists.push_back({list.word, list.levels, list.factor});
            list_starts.push_back(static_cast<cl_uint>(lists.size()));
        }
        send(buffers_.rows, rows);
        send(buffers_.plane_starts, starts);
        send(buffers_.lists, lists);
        send(buffers_.list_starts, list_starts);
    }

    /// Bitmaps that have a bit in plane p.
    static void append_rows(const WordQuery &query, std::uint32_t p, std::vector<cl_uint> &rows) {
        for (const auto &[offset, weight] : query.bitmaps())
            if ((weight >> p & 1U) != 0)
                rows.push_back(as_uint(offset / WordIndex::block_words * row_words));
    }

    void compare(const Part &part) {
        constexpr std::size_t first_images = WordIndex::block_images;
        std::size_t room = part.windows; // without codes no products lie there
        if (images_.codes != nullptr)
            room = std::max<std::size_t>(1, most_products / (queries_.size() * window_images));
        look_at(part, 0, 1, 0, first_images);
        look_at(part, 0, 1, first_images, window_images);
        std::size_t at_once = 8;
        for (std::size_t window = 1; window < part.windows;) {
            const std::size_t windows = std::min({at_once, room, part.windows - window});
            look_at(part, window, windows, 0, windows * window_images);
            window += windows;
            at_once *= 8;
        }
    }

    /// @param window  of the part, the first of `windows`; of their images those from `first` on
    void look_at(const Part &part, std::size_t window, std::size_t windows, std::size_t first,
                 std::size_t end) {
        const std::size_t first_image = (part.first_window + window) * window_images;
        if (first_image >= images_.size()) return;
        const SearchRound round{.first_window = as_uint(window),
                                .first_image = as_uint(first_image),
                                .images = as_uint(windows * window_images),
                                .first = as_uint(first),
                                .end = as_uint(std::min(end, images_.size() - first_image)),
                                .capacity = as_uint(capacity_)};
        if (round.first >= round.end) return;
        if (images_.codes != nullptr) multiply_codes(part, round);
        if (keep_hits(part, round)) return;
        for (std::size_t w = 0; w < windows; ++w) look_at(part, window + w, 1, 0, window_images);
    }

    void multiply_codes(const Part &part, const SearchRound &round) {
        constexpr std::size_t groups = window_images / CodeIndex::group_images;
        const std::size_t batches = queries_.codes().batches();
        reserve(device_, buffers_.products, batches * CodeQueries::at_once * round.images);
        launch(device_, device_.kernel("multiply_codes.cl", "multiply_codes"),
               {round.images, batches}, {CodeIndex::group_images, 1}, part.codes,
               as_uint(images_.codes->pairs()), as_uint(round.first_window * groups),
               buffers_.codes, round.images, buffers_.products);
    }

    /// @return false where there were more than have room; then none is kept
    bool keep_hits(const Part &part, const SearchRound &round) {
        std::vector<SearchLimit> limits;
        for (std::size_t q = 0; q < queries_.size(); ++q)
            limits.push_back({queries_[q].word_factor, queries_[q].code_factor,
                              queries_.screen_limit(best_[q].limit())});
        send(buffers_.limits, limits);
        device_.fill(buffers_.count, cl_uint{0}, 1);
        if (images_.words != nullptr)
            sum_words(part, round);
        else
            launch(device_, device_.kernel("keep_hits.cl", "keep_hits"),
                   {round.end - round.first, queries_.size()}, {64, 1}, buffers_.products,
                   part.code_norms, buffers_.limits, round, buffers_.count, buffers_.hits);
        std::vector<cl_uint> count(1);
        device_.download(std::span(count), buffers_.count);
        if (count[0] > capacity_) return false;
        std::vector<SearchHit> hits(count[0]);
        device_.download(std::span(hits), buffers_.hits);
        add(hits);
        return true;
    }

    /// Adds up, and keeps those that reach the limits.
    void sum_words(const Part &part, const SearchRound &round) {
        const bool codes = images_.codes != nullptr;
        launch(device_,
               device_.kernel("sum_words.cl", "sum_words",
                              fmt::format("-DPLANES={} -DCODES={:d} -DUNROLL={:d}", planes_, codes,
                                          device_.info().kind != DeviceKind::cpu)),
               {queries_.size() * SEARCH_ITEMS, round.images / window_images}, {SEARCH_ITEMS, 1},
               part.bits, as_uint(images_.words->rows().count()), part.starts, part.entries,
               part.long_starts, part.long_entries, as_uint(images_.words->rows().words()),
               buffers_.rows, buffers_.plane_starts, buffers_.lists, buffers_.list_starts,
               search_.values_, part.word_norms, buffers_.products,
               codes ? part.code_norms : part.word_norms, buffers_.limits, round, buffers_.count,
               buffers_.hits);
    }

    void add(const std::vector<SearchHit> &hits) {
        std::vector<std::vector<SearchHit>> of_query(queries_.size());
        for (const SearchHit &hit : hits) of_query[hit.query].push_back(hit);
        tbb::parallel_for(std::size_t{0}, queries_.size(), [&](std::size_t q) {
            for (const SearchHit &hit : of_query[q])
                best_[q].add({hit.image, queries_.score(q, hit.image, hit.words, hit.codes)});
        });
    }

    static constexpr std::size_t most_products = std::size_t{1} << 25; ///< of a round

    Device &device_;
    const SearchableImages &images_;
    DeviceImageSearch &search_;
    Buffers &buffers_;
    PreparedQueries queries_;
    std::vector<BestImages> best_;
    std::size_t capacity_; ///< of the hits
    std::uint32_t planes_ = 16;
};

std::vector<std::vector<ScoredImage>> DeviceImageSearch::search(std::span<const ImageQuery> queries,
                                                                const ScoreWeights &weights,
                                                                std::size_t most) {
    constexpr std::size_t at_once = 128;
    device_->drop_launches(); // of the last search: a measurement may ask for this one's
    std::vector<std::vector<ScoredImage>> answers;
    for (std::size_t first = 0; first < queries.size(); first += at_once) {
        const auto some = queries.subspan(first, std::min(at_once, queries.size() - first));
        auto of_some = Run(*this, some, weights, most).answers();
        std::ranges::move(of_some, std::back_inserter(answers));
    }
    return answers;
}

} // namespace bowhist
