#include <bowhist/core/cpu_clones.hpp>
#include <bowhist/core/default_floats.hpp>
#include <bowhist/core/large_memory.hpp>
#include <bowhist/core/nearest.hpp>
#include <bowhist/sums/centroid_sums.hpp>
#include <bowhist/sums/exact_sum.hpp>
#include <bowhist/team/thread_team.hpp>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <functional>
#include <numeric>

namespace bowhist {
namespace {

/// Adding and subtracting it rounds float64 to whole numbers. A product with a power of two is
/// exact, so fusing it with the addition changes nothing.
constexpr double rounder = 0x1.8p52;

/// Rows are prefetched a page ahead: the CPU's own prefetcher stops at the end of a page.
constexpr std::size_t page_floats = 4096 / sizeof(float);

constexpr std::size_t lanes = 8;
using Doubles = double __attribute__((vector_size(lanes * sizeof(double))));
using Floats = float __attribute__((vector_size(lanes * sizeof(float))));

BOWHIST_FOR_EACH_CPU
void add_row(const float *row, std::size_t dimensions, double scale, double *sums) {
    std::size_t i = 0;
    for (; i + lanes <= dimensions; i += lanes) {
        Floats values;
        Doubles sum;
        std::memcpy(&values, row + i, sizeof values);
        std::memcpy(&sum, sums + i, sizeof sum);
        sum += (__builtin_convertvector(values, Doubles) * scale + rounder) - rounder;
        std::memcpy(sums + i, &sum, sizeof sum);
    }
    for (; i < dimensions; ++i) sums[i] += (double{row[i]} * scale + rounder) - rounder;
}

struct Extent {
    float largest = 0; ///< magnitude of a value
    ExactSum squares;  ///< of all values

    void add(std::span<const float> row) {
        for (const float value : row) largest = std::max(largest, std::abs(value));
        squares.add(squared_norm(row));
    }
    void join(const Extent &other) {
        largest = std::max(largest, other.largest);
        squares.join(other.squares);
    }
    void join(Team &team) {
        team.maximize({&largest, 1});
        squares.join(team);
    }
};

tbb::blocked_range<std::size_t> words_of(const Vocabulary &vocabulary) {
    return {0, vocabulary.size(), 64};
}

/// The largest power of two by which the sum of `count` values stays below 2^51.
double scale_for(float largest, std::size_t count) {
    int value_exponent = 0;
    int count_exponent = 0;
    std::frexp(largest, &value_exponent);
    std::frexp(static_cast<double>(count), &count_exponent);
    return largest == 0 ? 1 : std::ldexp(1.0, 51 - value_exponent - count_exponent);
}

/// One part a thread, but fewer where adding up the parts would take longer.
std::size_t parts_for(std::size_t rows, std::size_t k) {
    const auto threads = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
    return std::clamp<std::size_t>(rows / (4 * k), 1, threads);
}

/// Sums are whole numbers below 2^51, so that both forms hold them.
double as_double(std::uint64_t sum) {
    return static_cast<double>(static_cast<std::int64_t>(sum));
}
std::uint64_t as_whole(double sum) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(sum));
}

} // namespace

CentroidSums::CentroidSums(const DescriptorRows &rows, std::size_t k, Team &team)
    : team_(team), dimensions_(rows.dimensions()), k_(k), parts_(parts_for(rows.size(), k)) {
    Extent extent =
        reduce(rows, Extent(), [](Extent &some, std::size_t, const auto &row) { some.add(row); });
    extent.join(team);
    std::uint64_t count = rows.size();
    team.sum({&count, 1});
    scale_ = scale_for(extent.largest, count);
    squares_ = extent.squares.value();
}

CentroidSums::CentroidSums(const CentroidSums &whole, std::size_t rows, ThreadTeam &team,
                           std::size_t rank)
    : team_(team.member(rank)), threads_(&team), rank_(rank), dimensions_(whole.dimensions_),
      k_(whole.k_), scale_(whole.scale_), squares_(whole.squares_), parts_(parts_for(rows, k_)) {}

void CentroidSums::clear() {
    tbb::parallel_for(std::size_t{0}, parts_.size(), [&](std::size_t p) {
        parts_[p].sums.assign(k_ * dimensions_, 0.0);
        parts_[p].counts.assign(k_, 0U);
    });
}

std::size_t CentroidSums::add_rows(std::span<const float> values,
                                   std::span<const std::int32_t> words,
                                   std::span<std::int32_t> before, Part &part) const {
    const DefaultFloats floats; // of this thread
    const std::size_t ahead = std::max<std::size_t>(1, page_floats / dimensions_);
    std::size_t moved = 0;
    for (std::size_t row = 0; row < words.size(); ++row) {
        const auto word = static_cast<std::size_t>(words[row]);
        const float *descriptor = values.data() + row * dimensions_;
        prefetch_row(descriptor, dimensions_, ahead);
        add_row(descriptor, dimensions_, scale_, part.sums.data() + word * dimensions_);
        ++part.counts[word];
        if (before[row] != words[row]) ++moved;
        before[row] = words[row];
    }
    return moved;
}

std::size_t CentroidSums::add(std::span<const float> values, std::span<const std::int32_t> words,
                              std::span<std::int32_t> before) {
    std::atomic<std::size_t> moved = 0;
    tbb::parallel_for(std::size_t{0}, parts_.size(), [&](std::size_t p) {
        const std::size_t first = words.size() * p / parts_.size();
        const std::size_t count = words.size() * (p + 1) / parts_.size() - first;
        moved += add_rows(values.subspan(first * dimensions_, count * dimensions_),
                          words.subspan(first, count), before.subspan(first, count), parts_[p]);
    });
    return moved;
}

void CentroidSums::finish() {
    Part &all = parts_.front();
    const auto add_others = [&](auto member, std::size_t first, std::size_t end) {
        for (std::size_t p = 1; p < parts_.size(); ++p)
            for (std::size_t i = first; i < end; ++i) (all.*member)[i] += (parts_[p].*member)[i];
    };
    const auto add_sums = [&](std::size_t first, std::size_t end) {
        tbb::parallel_for(
            tbb::blocked_range<std::size_t>(first, end, 4096),
            [&](const auto &range) { add_others(&Part::sums, range.begin(), range.end()); });
    };
    add_others(&Part::counts, 0, all.counts.size());
    if (is_share()) {
        add_sums(0, all.sums.size());
        struct Own {
            std::vector<std::uint64_t> sums;
            std::vector<std::uint32_t> counts;
        };
        const auto own =
            std::make_shared<Own>(Own{std::vector<std::uint64_t>(all.sums.size()), all.counts});
        std::ranges::transform(all.sums, own->sums.begin(), as_whole);
        take(exchange({own->sums, own->counts, own}));
    } else {
        team_.sum(all.sums, add_sums);
        team_.sum(all.counts);
    }
}

void CentroidSums::join(std::span<std::uint64_t> sums, std::span<std::uint32_t> counts) {
    std::vector<double> all(sums.size());
    team_.sum(all, [&](std::size_t first, std::size_t end) {
        std::transform(sums.data() + first, sums.data() + end, all.data() + first, as_double);
    });
    std::ranges::transform(all, sums.begin(), as_whole);
    team_.sum(counts);
}

std::vector<MemberSums> CentroidSums::exchange(const MemberSums &own) const {
    std::vector<MemberSums> all;
    for (const auto &one : threads_->exchange(rank_, std::make_shared<const MemberSums>(own)))
        all.push_back(*static_cast<const MemberSums *>(one.get()));
    return all;
}

void CentroidSums::take(std::span<const std::int64_t> sums, std::vector<std::uint32_t> counts) {
    Part &all = parts_.front();
    all.sums.resize(sums.size());
    std::ranges::transform(sums, all.sums.begin(),
                           [](std::int64_t sum) { return static_cast<double>(sum); });
    all.counts = std::move(counts);
}

void CentroidSums::take(std::span<const MemberSums> members) {
    Part &all = parts_.front();
    all.sums.resize(members.front().sums.size());
    all.counts.assign(k_, 0U);
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, all.sums.size(), 16384),
                      [&](const auto &range) {
                          for (std::size_t i = range.begin(); i < range.end(); ++i) {
                              std::uint64_t sum = 0;
                              for (const MemberSums &one : members) sum += one.sums[i];
                              all.sums[i] = as_double(sum);
                          }
                      });
    for (const MemberSums &one : members)
        std::ranges::transform(all.counts, one.counts, all.counts.begin(), std::plus());
}

std::pair<float, float> CentroidSums::scales() const {
    const int exponent = std::ilogb(scale_);
    return {std::ldexp(1.0F, exponent / 2), std::ldexp(1.0F, exponent - exponent / 2)};
}

double CentroidSums::inertia(const Vocabulary &vocabulary) const {
    const Part &all = parts_.front();
    std::vector<double> explained(vocabulary.size()); // by each word; added up in one order
    tbb::parallel_for(words_of(vocabulary), [&](const auto &range) {
        const DefaultFloats floats; // of this thread
        for (std::size_t word = range.begin(); word < range.end(); ++word) {
            const auto centroid = vocabulary.row(word);
            double product = 0;
            for (std::size_t i = 0; i < centroid.size(); ++i)
                product += double{centroid[i]} * all.sums[word * centroid.size() + i];
            explained[word] = 2 * (product / scale_) - all.counts[word] * squared_norm(centroid);
        }
    });
    return inertia(explained);
}

double CentroidSums::inertia(std::span<const double> explained) const {
    return std::max(0.0, squares_ - std::accumulate(explained.begin(), explained.end(), 0.0));
}

std::vector<std::size_t> CentroidSums::empty() const {
    const std::vector<std::uint32_t> &counts = parts_.front().counts;
    std::vector<std::size_t> words;
    for (std::size_t word = 0; word < counts.size(); ++word)
        if (counts[word] == 0) words.push_back(word);
    return words;
}

void CentroidSums::move(Vocabulary &vocabulary) const {
    const Part &all = parts_.front();
    tbb::parallel_for(words_of(vocabulary), [&](const auto &range) {
        const DefaultFloats floats; // of this thread
        for (std::size_t word = range.begin(); word < range.end(); ++word)
            for (std::size_t i = 0; all.counts[word] > 0 && i < vocabulary.dimensions; ++i) {
                const std::size_t at = word * vocabulary.dimensions + i;
                vocabulary.values[at] =
                    static_cast<float>(all.sums[at] / scale_ / all.counts[word]);
            }
    });
}

} // namespace bowhist
