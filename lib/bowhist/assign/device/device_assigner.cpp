#include <bowhist/assign/device/device_assigner.hpp>
#include <bowhist/assign/host_advice.hpp>
#include <bowhist/core/default_floats.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/core/round_up.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <utility>

namespace bowhist {
namespace {

/// The numbers after a batch's counts. The first two are DeviceDescriptors::count.
enum Summary : std::size_t {
    summary_rows,
    summary_wanted_room,
    summary_unproven,
    summary_contested,
    summary_size
};

} // namespace

std::size_t rows_a_launch(std::size_t requested, const Device &device, std::size_t numbers) {
    const std::size_t enough =
        device.info().kind == DeviceKind::gpu ? std::size_t{1} << 18 : std::size_t{1} << 16;
    const std::size_t fit = device.limits().allocation_bytes / (4 * numbers * sizeof(float));
    const std::size_t indexable = (std::size_t{1} << 31) / numbers;
    return std::clamp<std::size_t>(requested > 0 ? requested : enough, 1,
                                   std::max<std::size_t>(1, std::min(fit, indexable)));
}

std::size_t fewer_rows(std::size_t rows, const OutOfMemory &error, Observer &observer) {
    constexpr std::size_t fewest = 1024; // a launch; without room for these it fails
    if (rows <= fewest) throw error;
    const std::size_t fewer = std::max(fewest, rows / 2);
    observer.warning(fmt::format("no room for {} descriptors a launch; continuing with {} ({})",
                                 rows, fewer, error.what()));
    return fewer;
}

Error broken_kernel(const Device &device, std::string_view what) {
    return Error(Fault::device,
                 fmt::format("{}: a kernel is broken; {}", what,
                             device.has_own_kernels() ? "repair the one in --kernel-dir"
                                                      : "take another level or --device"));
}

struct DeviceAssigner::Rows {
    std::size_t first = 0; ///< its place among the batch's
    std::size_t count = 0;
    std::span<const float> values;
    std::span<const cl_uint> bag; ///< empty: all in bag 0
};

DeviceAssigner::DeviceAssigner(std::shared_ptr<Device> device, MakeScreen make_screen,
                               const Vocabulary &vocabulary, const AssignOptions &options)
    : device_(std::move(device)), observer_(options.observer),
      batch_rows_(rows_a_launch(options.batch, *device_, vocabulary.dimensions)),
      search_(device_, std::move(make_screen), vocabulary, options) {
    report_.source = search_.source();
}

void DeviceAssigner::replace(const Vocabulary &vocabulary) {
    search_.replace(vocabulary);
    report_.source = search_.source();
}

void DeviceAssigner::reserve(std::size_t rows, std::size_t places) {
    if (rows <= reserved_rows_ && places <= places_.size()) return search_.reserve(rows);
    release();
    const std::size_t dimensions = search_.vocabulary().dimensions;
    for (std::size_t p = 0; p < places; ++p)
        places_.push_back({.values = device_->allocate<float>(rows * dimensions),
                           .bag = device_->allocate<cl_uint>(rows),
                           .count = device_->allocate<cl_uint>(1),
                           .capacity = rows,
                           .dimensions = dimensions});
    found_.words = device_->allocate<cl_int>(rows);
    found_.unproven = device_->allocate<cl_uint>(rows + 1);
    search_.reserve(rows);
    reserved_rows_ = rows;
}

void DeviceAssigner::release() {
    reserved_rows_ = 0;
    places_.clear();
    found_.words = {};
    found_.unproven = {};
    search_.reserve(0);
}

/// @param more  numbers after the counts
void DeviceAssigner::clear(Buffer<cl_uint> &histograms, std::size_t bags, std::size_t more) {
    const std::size_t counts = bags * search_.vocabulary().size() + more;
    const std::uint64_t most = device_->limits().allocation_bytes;
    if (counts * sizeof(cl_uint) > most)
        throw Error(Fault::device,
                    fmt::format("histograms of {} words for {} pictures take {} bytes, and a "
                                "buffer on {} holds {}; give a smaller --batch",
                                search_.vocabulary().size(), bags, counts * sizeof(cl_uint),
                                device_->info().name, most));
    bowhist::reserve(*device_, histograms, counts);
    device_->fill<cl_uint>(histograms, 0, counts);
}

/// Makes room to launch n rows, as many at a time as memory allows.
void DeviceAssigner::make_room(std::size_t n) {
    while (true) {
        const std::size_t rows = std::min(batch_rows_, n);
        const std::size_t launches = rows < n ? divided_up(n, rows) : 1;
        const std::size_t useful = device_->overlaps() ? 2 : 1;
        const std::size_t places = std::min(launches, useful);
        try {
            return reserve(rows, places);
        } catch (const OutOfMemory &error) {
            release();
            batch_rows_ = fewer_rows(rows, error, *observer_);
        }
    }
}

/// @param ahead  while a launch reads another place
void DeviceAssigner::upload(const Rows &rows, const DeviceDescriptors &place, bool ahead) {
    const auto send = [&](const auto &to, const auto &from) {
        if (ahead)
            device_->upload_ahead(to, from);
        else
            device_->upload(to, from);
    };
    send(place.values, rows.values);
    if (!rows.bag.empty()) send(place.bag, rows.bag);
}

void DeviceAssigner::launch(const Rows &rows, DeviceDescriptors place) {
    place.capacity = rows.count;
    device_->fill<cl_uint>(place.count, static_cast<cl_uint>(rows.count), 1);
    if (rows.bag.empty()) device_->fill<cl_uint>(place.bag, 0, rows.count);
    queue(place, found_);
}

/// Waits for a launch and takes its results.
void DeviceAssigner::collect(std::span<std::int32_t> words) {
    device_->download(words, found_.words);
    cl_uint unproven = 0;
    device_->download(std::span(&unproven, 1), found_.unproven);
    report_.unproven += unproven + search_.contested();
    take_times();
    const auto k = static_cast<std::uint32_t>(search_.vocabulary().size());
    const auto with_word = std::ranges::count_if(
        words, [&](std::int32_t word) { return static_cast<std::uint32_t>(word) < k; });
    check_words(words.size(), static_cast<std::uint64_t>(with_word));
}

Assignment DeviceAssigner::run(const Batch &batch) {
    const DefaultFloats floats; // an OpenCL implementation may use the caller's state
    return advising_host_levels([&] { return run_on_device(batch); });
}

Assignment DeviceAssigner::run_on_device(const Batch &batch) {
    const auto start = std::chrono::steady_clock::now();
    const std::size_t dimensions = search_.vocabulary().dimensions;
    const std::size_t n = batch.values.size() / dimensions;
    Assignment result;
    result.words.resize(n);
    result.histograms.resize(batch.bags * search_.vocabulary().size());
    clear(found_.histograms, batch.bags);
    make_room(n);
    const auto rows_from = [&](std::size_t first) {
        const std::size_t count = std::min(reserved_rows_, n - first);
        return Rows{first, count, batch.values.subspan(first * dimensions, count * dimensions),
                    batch.bag.empty() ? batch.bag : batch.bag.subspan(first, count)};
    };
    const auto place = [&](std::size_t turn) { return places_[turn % places_.size()]; };
    const bool ahead = places_.size() > 1;
    Rows rows = rows_from(0);
    upload(rows, place(0), false);
    for (std::size_t turn = 0; rows.count > 0; ++turn) {
        observer_->stop_if_interrupted();
        launch(rows, place(turn));
        const Rows next = rows_from(rows.first + rows.count);
        if (ahead) upload(next, place(turn + 1), true);
        collect(std::span(result.words).subspan(rows.first, rows.count));
        if (!ahead) upload(next, place(turn + 1), false);
        rows = next;
    }
    device_->download(std::span(result.histograms), found_.histograms);
    report_.rows += n;
    if (under_way_.use_count() == 1) note_time(start);
    return result;
}

void DeviceAssigner::start(Counting &counting, const DeviceDescriptors &x, std::size_t bags,
                           const std::function<void(const Buffer<cl_int> &words)> &then) {
    const DefaultFloats floats; // an OpenCL implementation may use the caller's state
    advising_host_levels([&] {
        counting.start = std::chrono::steady_clock::now();
        counting.counts = bags * search_.vocabulary().size();
        clear(counting.found, bags, summary_size);
        if (found_.words.size < x.capacity) {
            release(); // its own places make room
            found_.unproven = device_->allocate<cl_uint>(x.capacity + 1);
            found_.words = device_->allocate<cl_int>(x.capacity);
        }
        device_->copy(x.count, x.count.size, counting.found, counting.counts + summary_rows);
        if (x.capacity > 0) {
            queue(x, {found_.words, {counting.found.memory, counting.counts}, found_.unproven});
            device_->copy(found_.unproven, 1, counting.found, counting.counts + summary_unproven);
            search_.put_contested(counting.found, counting.counts + summary_contested);
            if (then) then(found_.words);
        }
        counting.launches = device_->take_queued();
        counting.under_way = under_way_;
    });
}

DeviceAssigner::Counted DeviceAssigner::finish(Counting &counting) {
    return advising_host_levels([&] {
        add_times(device_->await(counting.launches));
        std::vector<std::uint32_t> counts(counting.counts + summary_size);
        device_->download_ended(std::span(counts), counting.found);
        const std::vector<std::uint32_t> summary(counts.end() - summary_size, counts.end());
        counts.resize(counting.counts);
        check_words(summary[summary_rows],
                    std::reduce(counts.begin(), counts.end(), std::uint64_t{0}));
        report_.rows += summary[summary_rows];
        report_.unproven += std::uint64_t{summary[summary_unproven]} + summary[summary_contested];
        note_time(counting.start);
        counting.under_way.reset();
        return Counted{std::move(counts), summary[summary_wanted_room]};
    });
}

void DeviceAssigner::note(std::uint64_t rows, std::uint64_t unproven, double wall_seconds) {
    report_.rows += rows;
    report_.unproven += unproven;
    report_.wall_seconds += wall_seconds;
}

std::size_t DeviceAssigner::most_rows() const {
    // The lists of a screen take no more than 32 bytes a row.
    const std::size_t bytes =
        std::max<std::size_t>(search_.vocabulary().dimensions * sizeof(float), 32);
    return std::min<std::uint64_t>(device_->limits().allocation_bytes / bytes,
                                   std::uint64_t{1} << 22);
}

/// Every row has a word unless a kernel is broken.
void DeviceAssigner::check_words(std::uint64_t rows, std::uint64_t with_word) const {
    if (with_word == rows) return;
    throw broken_kernel(*device_,
                        fmt::format("{} of {} descriptors have no word from {}",
                                    rows - std::min(rows, with_word), rows, device_->info().name));
}

/// Adds the time since `start`; what overlaps counts once.
void DeviceAssigner::note_time(std::chrono::steady_clock::time_point start) {
    const auto now = std::chrono::steady_clock::now();
    report_.wall_seconds += std::chrono::duration<double>(now - std::max(noted_, start)).count();
    noted_ = now;
}

void DeviceAssigner::add_times(const LaunchLog &log) {
    for (const auto &[label, total] : log.kernels) {
        KernelTime &time = report_.kernels[label];
        time.launches += total.launches;
        time.seconds += total.seconds;
    }
    report_.device_seconds += log.span_seconds;
}

} // namespace bowhist
