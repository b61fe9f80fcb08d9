#include <bowhist/assign/device/assign_launch.hpp>
#include <bowhist/assign/host_advice.hpp>
#include <bowhist/assign/rule.hpp>
#include <bowhist/core/default_floats.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/core/round_up.hpp>
#include <bowhist/ops/scan.hpp>
#include <bowhist/train/device_word_search.hpp>
#include <bowhist/train/train_launch.hpp>
#include <bowhist/train/word_distances.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <utility>

namespace bowhist {
namespace {

static_assert(int{RECORD_MOVED} == int{EXTENT_SIZE});
static_assert(RECORD_EXPLAINED % 2 == 0, "numbers of 64 bits follow");

constexpr std::size_t parts_a_report = 64; // the record of each launch is kept until report()

std::unique_ptr<RowsOnDevice> laid_out(const DescriptorRows &rows, std::size_t sent_rows,
                                       const DeviceAssigner &assigner) {
    const std::size_t most = std::max<std::size_t>(1, assigner.most_rows());
    if (sent_rows > 0)
        return std::make_unique<StreamedRows>(rows, std::min(sent_rows, most), assigner.device());
    return std::make_unique<ResidentRows>(rows, most, *assigner.device());
}

} // namespace

DeviceWordSearch::DeviceWordSearch(const DescriptorRows &rows, std::unique_ptr<Assigner> assigner,
                                   std::size_t sent_rows, std::size_t most_kept)
    : assigner_(std::move(assigner)), on_device_(*assigner_->on_device()),
      device_(on_device_.device()), rows_(rows), dimensions_(rows.dimensions()),
      k_(on_device_.search().vocabulary().size()), totals_(device_, k_, dimensions_),
      order_by_word_(device_->kernel("order_by_word.cl", "order_by_word")),
      sum_by_word_(device_->kernel("sum_by_word.cl", "sum_by_word",
                                   fmt::format("-DDIMENSIONS={}", dimensions_))) {
    if (device_->limits().fp64)
        move_words_ = device_->kernel("move_words.cl", "move_words",
                                      fmt::format("-DDIMENSIONS={}", dimensions_));
    values_ = laid_out(rows, sent_rows, on_device_);
    const std::size_t largest = values_->size(0);
    on_device_.search().reserve(largest);                 // now, to find out whether there is room
    const auto bag = device_->allocate<cl_uint>(largest); // the same one for all
    device_->fill<cl_uint>(bag, 0, largest);
    for (std::size_t number = 0; number < values_->parts(); ++number) {
        const std::size_t count = values_->size(number);
        Part part{.rows = {.values = {},
                           .bag = bag,
                           .count = device_->allocate<cl_uint>(1),
                           .capacity = count,
                           .dimensions = dimensions_},
                  .words = device_->allocate<cl_int>(count),
                  .before = device_->allocate<cl_int>(count)};
        device_->fill<cl_uint>(part.rows.count, as_uint(count), 1);
        parts_.push_back(std::move(part));
    }
    forget();
    left_ = allocate_images<cl_uint>(*device_, k_, 1);
    starts_ = allocate_images<cl_uint>(*device_, k_ + 1, 1);
    found_.histograms = left_.pixels;
    found_.unproven = device_->allocate<cl_uint>(largest + 1);
    order_ = device_->allocate<cl_uint>(largest);
    counts_ = device_->allocate<cl_uint>(k_);
    sums_ = device_->allocate<cl_uint>(2 * k_ * dimensions_);
    farthest_ = device_->allocate<cl_double>(divided_up(largest, FARTHEST_GROUP));
    record_ = device_->allocate<cl_uint>(RECORD_EXPLAINED + 2 * k_);
    recorded_.resize(record_.size);
    next_ = {device_->allocate<float>(k_ * dimensions_), device_->allocate<double>(k_), record_};
    device_->allocate<float>(k_ * dimensions_); // replace() will need as much: fail here
    values_->keep_some(std::min(most_kept, room_for_rows()));
}

/// Bytes for rows. An eighth of the device's memory stays free, and the buffers above are
/// estimated.
std::size_t DeviceWordSearch::room_for_rows() const {
    const std::size_t memory = device_->info().global_memory;
    const std::size_t of_words = 2 * sizeof(cl_int) * rows_.size();
    const std::size_t of_parts =
        (StreamedRows::places_in_turn + 2) * sizeof(float) * values_->size(0) * dimensions_;
    const std::size_t of_centroids = 8 * sizeof(double) * k_ * dimensions_;
    const std::size_t taken = memory / 8 + of_words + of_parts + of_centroids;
    return memory - std::min(memory, taken);
}

void DeviceWordSearch::replace(const Vocabulary &vocabulary) {
    on_device_.replace(vocabulary);
    packed_ = false;
}

void DeviceWordSearch::forget() {
    for (const Part &part : parts_) device_->fill<cl_int>(part.words, -1, part.rows.capacity);
}

Iteration DeviceWordSearch::run(CentroidSums &sums) {
    const DefaultFloats floats; // an OpenCL implementation may use the caller's state
    const auto start = std::chrono::steady_clock::now();
    const Iteration found = advising_host_levels([&] { return run_on_device(sums); });
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    on_device_.note(rows_.size(), recorded_[RECORD_UNPROVEN], taken.count());
    launched_ += parts_.size();
    if (launched_ >= parts_a_report) report();
    return found;
}

Iteration DeviceWordSearch::run_on_device(CentroidSums &sums) {
    if (packed_) replace(vocabulary()); // discards the last run's centroids
    values_->read(
        [&](std::size_t part, const Buffer<float> &values) { add_up(part, values, sums); });
    const JoinedTotals::Borrowed others =
        sums.has_team() ? totals_.join(sums, sums_, counts_) : JoinedTotals::Borrowed{};
    if (move_words_) {
        device_->launch(*move_words_, {k_ * MOVE_GROUP, 1}, {MOVE_GROUP, 1}, sums_, counts_,
                        cl_double{sums.scale()}, on_device_.search().centroids(), next_.values,
                        next_.squares, record_);
        packed_ = on_device_.search().pack(next_);
    }
    device_->download(std::span(recorded_), record_);
    // At 0, every row lies where its word counted it.
    if (recorded_[RECORD_BROKEN] > 0)
        throw broken_kernel(*device_, device_->info().name +
                                          " finds other descriptors of a word than it counts");
    if (!move_words_ || recorded_[RECORD_EMPTY] > 0) {
        std::vector<std::int64_t> totals(move_words_ ? 0 : k_ * dimensions_);
        device_->download(std::span(reinterpret_cast<cl_uint *>(totals.data()), 2 * totals.size()),
                          sums_);
        sums.take(totals, downloaded(*device_, counts_));
    }
    if (!move_words_)
        return {sums.inertia(vocabulary()), recorded_[RECORD_MOVED], sums.empty().size()};
    std::vector<double> explained(k_);
    std::memcpy(explained.data(), &recorded_[RECORD_EXPLAINED], k_ * sizeof(double));
    return {sums.inertia(explained), recorded_[RECORD_MOVED], recorded_[RECORD_EMPTY]};
}

/// Queues the assignment of a part and the sums of its words.
void DeviceWordSearch::add_up(std::size_t number, const Buffer<float> &values,
                              const CentroidSums &sums) {
    Part &part = parts_[number];
    DeviceDescriptors x = part.rows;
    x.values = values;
    const cl_uint rows = as_uint(x.capacity);
    const cl_uint is_first = number == 0 ? 1 : 0;
    std::swap(part.words, part.before);
    found_.words = part.words;
    device_->fill<cl_uint>(left_.pixels, 0, k_);
    on_device_.queue(x, found_);
    if (number == 0) { // now, while the device works: each call of the driver takes its time
        device_->fill<cl_uint>(sums_, 0, sums_.size);
        device_->fill<cl_uint>(record_, 0, RECORD_EXPLAINED);
    }
    scan_rows(*device_, left_, starts_, ScanKind::exclusive, scan_method_for(*device_));
    device_->launch(order_by_word_, {divided_up(rows, ORDER_ROWS) * ORDER_GROUP, 1},
                    {ORDER_GROUP, 1}, part.words, part.before, rows, as_uint(k_), is_first,
                    starts_.pixels, left_.pixels, counts_, order_, found_.unproven, record_);
    const auto [first, second] = sums.scales();
    device_->launch(sum_by_word_,
                    {divided_up(rows, SUM_ROWS) * SUM_GROUP, divided_up(dimensions_, SUM_GROUP)},
                    {SUM_GROUP, 1}, values, part.words, order_, rows, as_uint(k_),
                    cl_float2{{first, second}}, sums_);
}

void DeviceWordSearch::move(const CentroidSums &sums) {
    if (packed_) {
        const Buffer<float> before = on_device_.search().centroids();
        on_device_.search().resume(next_, std::span(recorded_).first(EXTENT_SIZE));
        next_.values = before;
        packed_ = false;
    } else if (move_words_) {
        replace({dimensions_, downloaded(*device_, next_.values)});
    } else {
        Vocabulary moved = vocabulary();
        sums.move(moved);
        replace(moved);
    }
}

bool DeviceWordSearch::finds_farthest_on_device(std::size_t count) const {
    return measures_groups() && rows_.in_memory() != nullptr && pays_by_groups(count, rows_.size());
}

FarRows DeviceWordSearch::far_rows(std::size_t count) {
    const Vocabulary centroids = vocabulary();
    if (!finds_farthest_on_device(count))
        return bowhist::far_rows(rows_, words(), centroids, count);
    const DefaultFloats floats; // an OpenCL implementation may use the caller's state
    return far_rows_in(measured_groups(), count, *rows_.in_memory(), centroids,
                       [this](const RowGroup &group, std::span<std::int32_t> words) -> Device & {
                           read_words(group.first, words);
                           return *device_;
                       });
}

/// All rows, in order.
std::vector<RowGroup> DeviceWordSearch::measured_groups() {
    Kernel farthest_rows = device_->kernel("farthest_rows.cl", "farthest_rows",
                                           fmt::format("-DDIMENSIONS={}", dimensions_));
    std::vector<RowGroup> groups;
    std::size_t before = 0; // rows of other parts
    values_->read([&](std::size_t number, const Buffer<float> &values) {
        const Part &part = parts_[number];
        const std::size_t rows = part.rows.capacity;
        device_->launch(farthest_rows, {rows, 1}, {FARTHEST_GROUP, 1}, values, part.words,
                        as_uint(rows), as_uint(k_), on_device_.search().centroids(), farthest_);
        std::vector<cl_double> distances(divided_up(rows, FARTHEST_GROUP));
        device_->download(std::span(distances), farthest_);
        for (std::size_t first = 0; first < rows; first += FARTHEST_GROUP)
            groups.push_back({before + first, std::min<std::size_t>(FARTHEST_GROUP, rows - first),
                              distances[first / FARTHEST_GROUP]});
        before += rows;
    });
    return groups;
}

void DeviceWordSearch::read_words(std::size_t first, std::span<std::int32_t> words) {
    const std::size_t part_rows = parts_.front().rows.capacity;
    device_->download(words, parts_[first / part_rows].words, first % part_rows);
}

Vocabulary DeviceWordSearch::vocabulary() {
    return {dimensions_, downloaded(*device_, on_device_.search().centroids())};
}

std::vector<std::int32_t> &DeviceWordSearch::words() {
    words_.clear();
    for (const Part &part : parts_) {
        const std::size_t first = words_.size();
        words_.resize(first + part.rows.capacity);
        device_->download(std::span(words_).subspan(first), part.words);
    }
    return words_;
}

const AssignmentReport &DeviceWordSearch::report() {
    launched_ = 0;
    on_device_.take_times();
    on_device_.note(0, on_device_.search().contested(), 0);
    return assigner_->report();
}

} // namespace bowhist
