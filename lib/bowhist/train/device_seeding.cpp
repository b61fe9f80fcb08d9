#include <bowhist/core/default_floats.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/device/device.hpp>
#include <bowhist/ops/image_batch.hpp>
#include <bowhist/train/sample.hpp>
#include <bowhist/train/seeding.hpp>
#include <bowhist/train/train_launch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>

namespace bowhist {
namespace {

constexpr std::size_t steps_at_once = 64; // queued between two checks for an interruption
constexpr std::size_t spare = 1024;       // numbers: with 2^24 rows, one draw in 2^16 is repeated

static_assert(CHOOSE_DRAWS == QuantizedRows::most_others);
static_assert(std::size_t{CHOOSE_BLOCK} == QuantizedRows::block);
static_assert(QuantizedRows::chunk % CHOOSE_GROUP == 0);

/// The start of some shares, a word of each at a time.
class Choosing {
  public:
    Choosing(Device &device, std::span<const StartShare> shares)
        : device_(device), shares_(shares), steps_(shares.front().k),
          draws_(draws_for(shares.front().k)), padded_(shares.front().rows.padded()),
          share_numbers_(steps_ * draws_ + spare) {
        const std::size_t dimensions = shares.front().rows.dimensions();
        const std::string options = fmt::format("-DDIMENSIONS={}", dimensions);
        draw_ = device.kernel("choose_rows.cl", "draw_rows", options);
        compare_ = device.kernel("choose_rows.cl", "compare_rows", options);
        lower_ = device.kernel("choose_rows.cl", "lower_rows", options);
        values_ = device.allocate<std::int16_t>(all(padded_ * dimensions));
        squares_ = device.allocate<float>(all(padded_));
        nearest_ = device.allocate<float>(all(padded_));
        distances_ = device.allocate<float>(all(padded_ * CHOOSE_DRAWS));
        potentials_ = device.allocate<cl_ulong>(all(padded_ / CHOOSE_GROUP));
        chosen_ = device.allocate<cl_uint>(all(steps_));
        state_ = device.allocate<cl_uint>(all(CHOOSE_STATE));
        device.fill<cl_uint>(state_, 0, state_.size);
        fill_up(dimensions);
        draw_first();
    }

    std::size_t steps() const { return steps_; }

    void take(std::size_t step) {
        const std::size_t shares = shares_.size();
        if (step > 0)
            device_.launch(*draw_, {CHOOSE_GROUP, shares}, {CHOOSE_GROUP, 1}, potentials_,
                           as_uint(padded_ / CHOOSE_GROUP), share_rows_, nearest_, numbers_,
                           as_uint(share_numbers_), as_uint(draws_), drawn_, state_);
        device_.launch(*compare_, {padded_, shares}, {CHOOSE_GROUP, 1}, values_, squares_, nearest_,
                       drawn_, distances_, state_);
        device_.launch(*lower_, {padded_, shares}, {CHOOSE_GROUP, 1}, drawn_, distances_, nearest_,
                       potentials_, chosen_, as_uint(steps_), as_uint(step), state_);
    }

    /// The rows of each share.
    std::vector<std::vector<std::size_t>> chosen() {
        const std::vector<cl_uint> found = downloaded(device_, chosen_);
        std::vector<std::vector<std::size_t>> all_rows;
        for (std::size_t i = 0; i < shares_.size(); ++i) {
            const auto its = std::span(found).subspan(i * steps_, shares_[i].k);
            if (std::ranges::max(its) >= shares_[i].rows.size())
                throw Error(Fault::device,
                            fmt::format("{} chooses a row that does not exist: a kernel is broken; "
                                        "use --kernel simd",
                                        device_.info().name));
            all_rows.emplace_back(its.begin(), its.end());
        }
        return all_rows;
    }

  private:
    std::size_t all(std::size_t of_share) const { return of_share * shares_.size(); }

    /// Each share's rows, with zeros up to the chunks of the first, which has the most.
    void fill_up(std::size_t dimensions) {
        device_.fill<float>(nearest_, 0, nearest_.size);
        std::vector<cl_uint> sizes;
        for (std::size_t i = 0; i < shares_.size(); ++i) {
            const QuantizedRows &rows = shares_[i].rows;
            const std::size_t first = i * padded_;
            if (rows.padded() < padded_) {
                const std::vector<std::int16_t> zeros(padded_ * dimensions);
                device_.upload(values_, std::span(zeros), first * dimensions);
                const std::vector<float> no_squares(padded_);
                device_.upload(squares_, std::span(no_squares), first);
            }
            device_.upload(values_, rows.values(), first * dimensions);
            device_.upload(squares_, rows.squares(), first);
            const std::vector<float> farthest(rows.size(), QuantizedRows::above_all);
            device_.upload(nearest_, std::span(farthest), first);
            sizes.push_back(as_uint(rows.size()));
        }
        share_rows_ = uploaded<cl_uint>(device_, sizes);
    }

    /// The first word of each share, and the random numbers of all others.
    void draw_first() {
        std::vector<cl_uint> first;
        std::vector<cl_ulong> numbers;
        for (const StartShare &share : shares_) {
            std::mt19937_64 engine(share.seed);
            first.insert(first.end(), CHOOSE_DRAWS, as_uint(draw_below(engine, share.rows.size())));
            std::generate_n(std::back_inserter(numbers), share_numbers_, std::ref(engine));
        }
        drawn_ = uploaded<cl_uint>(device_, first);
        numbers_ = uploaded<cl_ulong>(device_, numbers);
    }

    Device &device_;
    std::span<const StartShare> shares_;
    std::size_t steps_; ///< of the first share, which has no fewer words than others
    std::size_t draws_;
    std::size_t padded_; ///< rows of a share
    std::size_t share_numbers_;
    std::optional<Kernel> draw_, compare_, lower_;
    Buffer<std::int16_t> values_;
    Buffer<float> squares_, nearest_, distances_;
    Buffer<cl_ulong> potentials_, numbers_;
    Buffer<cl_uint> chosen_, state_, drawn_, share_rows_;
};

} // namespace

bool can_choose(const Device &device, std::size_t dimensions) {
    const std::size_t floats = CHOOSE_DRAWS * (dimensions + CHOOSE_GROUP) + 4UL * CHOOSE_GROUP;
    return floats * sizeof(float) <= device.limits().local_bytes &&
           CHOOSE_GROUP <= device.limits().work_group_size;
}

std::vector<std::vector<std::size_t>>
choose_on_device(Device &device, std::span<const StartShare> shares, Observer &observer) {
    const DefaultFloats floats; // an OpenCL implementation may use the caller's state
    Choosing choosing(device, shares);
    for (std::size_t step = 0; step < choosing.steps(); ++step) {
        choosing.take(step);
        if (step % steps_at_once != 0 && step + 1 < choosing.steps()) continue;
        device.drop_launches();
        observer.stop_if_interrupted();
        observer.progress("starting words", (step + 1) * shares.size(),
                          choosing.steps() * shares.size());
    }
    return choosing.chosen();
}

} // namespace bowhist
