#include <bowhist/assign/host/host_assigner.hpp>
#include <bowhist/assign/host/simd/screen.hpp>
#include <bowhist/assign/rule.hpp>
#include <bowhist/core/default_floats.hpp>

#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <vector>

namespace bowhist {
namespace {

// A thread takes a chunk at a time: whole blocks of the screens, few enough that threads end
// together.
constexpr std::size_t rows_a_block = 48;
constexpr std::size_t most_rows_a_chunk = 768;
constexpr std::size_t chunks_a_thread = 64;

// A slice is this much work for each thread.
constexpr std::size_t comparisons_a_slice = std::size_t{1} << 27;
constexpr std::size_t least_rows_a_slice = 16 * rows_a_block;

/// Whether integers are faster than float32, proof and second look included (docs/adr/0011).
bool integers_pay(const Vocabulary &vocabulary) {
    return vocabulary.size() > 32 && vocabulary.dimensions >= 16;
}

struct Screens {
    Screen integers; ///< nothing where it does not pay
    FloatScreen floats;
};

/// One thread's share of a search.
class Worker {
  public:
    Worker(const Screens &screens, const Vocabulary &vocabulary, std::span<const float> values,
           std::span<std::int32_t> words)
        : screens_(screens), vocabulary_(vocabulary), values_(values), words_(words) {}

    /// @param count up to most_rows_a_chunk
    void search_chunk(std::size_t first, std::size_t count) {
        if (!screens_.integers || chunks_without_integers_ > 0) {
            if (chunks_without_integers_ > 0) --chunks_without_integers_;
            for (std::size_t row = first; row < first + count; ++row) later_.push_back(row);
            search_later();
            return;
        }
        std::array<const float *, most_rows_a_chunk> rows;
        for (std::size_t r = 0; r < count; ++r) rows[r] = row(first + r);
        screens_.integers({rows.data(), count}, words_.subspan(first, count));
        const std::size_t before = later_.size();
        for (std::size_t r = first; r < first + count; ++r)
            if (words_[r] == unproven_word) later_.push_back(r);
        // Rows that lie far apart in size, or all but tied ones: float32 for a while.
        if (later_.size() - before > count / 3) chunks_without_integers_ = 15;
        if (later_.size() >= most_rows_a_chunk / 4) search_later();
    }

    /// Float32 for the rows that have gathered, the rule for what it cannot prove.
    void search_later() {
        std::vector<const float *> rows;
        rows.reserve(later_.size());
        for (const std::size_t r : later_) rows.push_back(row(r));
        std::vector<std::int32_t> found(rows.size());
        screens_.floats.search(rows, found);
        for (std::size_t r = 0; r < rows.size(); ++r) {
            if (found[r] == unproven_word) {
                ++unproven_;
                screens_.floats.candidates(rows[r], candidates_);
                found[r] = nearest_of({rows[r], vocabulary_.dimensions}, vocabulary_, candidates_);
            }
            words_[later_[r]] = found[r];
        }
        later_.clear();
    }

    std::uint64_t unproven() const { return unproven_; }

  private:
    const float *row(std::size_t r) const { return values_.data() + r * vocabulary_.dimensions; }

    const Screens &screens_;
    const Vocabulary &vocabulary_;
    std::span<const float> values_;
    std::span<std::int32_t> words_;
    std::vector<std::size_t> later_;
    std::vector<std::int32_t> candidates_;
    int chunks_without_integers_ = 0;
    std::uint64_t unproven_ = 0;
};

} // namespace

HostSearch make_simd_search(const Vocabulary &vocabulary, int most_threads, double bound_scale) {
    const Screens screens{integers_pay(vocabulary) ? make_integer_screen(vocabulary, bound_scale)
                                                   : nullptr,
                          make_float_screen(vocabulary, bound_scale)};
    const auto search = [&vocabulary, screens](std::span<const float> values,
                                               std::span<std::int32_t> words, int threads) {
        std::atomic<std::uint64_t> unproven = 0;
        if (vocabulary.size() == 1) { // nothing to prove
            std::ranges::fill(words, 0);
            return unproven.load();
        }
        const std::size_t rows = words.size();
        const std::size_t share = rows / (static_cast<std::size_t>(threads) * chunks_a_thread);
        const std::size_t chunk =
            std::clamp(share / rows_a_block * rows_a_block, rows_a_block, most_rows_a_chunk);
        std::atomic<std::size_t> next = 0;
        tbb::task_arena(threads).execute([&] {
            const auto work = [&](int) {
                const DefaultFloats floats; // of this thread
                Worker worker(screens, vocabulary, values, words);
                for (std::size_t first = 0; (first = next.fetch_add(chunk)) < rows;)
                    worker.search_chunk(first, std::min(chunk, rows - first));
                worker.search_later();
                unproven += worker.unproven();
            };
            tbb::parallel_for(0, threads, work, tbb::simple_partitioner());
        });
        return unproven.load();
    };
    return {search,
            rows_for(comparisons_a_slice, least_rows_a_slice, vocabulary.size(), most_threads)};
}

} // namespace bowhist
