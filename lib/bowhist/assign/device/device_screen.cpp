#include <bowhist/assign/device/device_screen.hpp>

#include <bowhist/assign/device/rule_probe.hpp>
#include <bowhist/assign/rule.hpp>
#include <bowhist/core/default_floats.hpp>
#include <bowhist/core/round_up.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace bowhist {

std::optional<std::string> device_obstacle(const Device *device, std::size_t dimensions,
                                           std::size_t k) {
    if (device == nullptr) return "there is no OpenCL device";
    if (!device->info().rounds_to_nearest || !device->premises().rounds_to_nearest)
        return fmt::format("{} does not round float32 to nearest, which the proof counts on",
                           device->info().name);
    const std::uint64_t centroid_bytes = std::uint64_t{k} * dimensions * sizeof(float);
    const std::uint64_t indexable_bytes = std::uint64_t{1} << 33; // by the kernels' 32-bit indices
    const std::uint64_t most_bytes = std::min(device->limits().allocation_bytes, indexable_bytes);
    if (centroid_bytes > most_bytes)
        return fmt::format("{} words of {} dimensions take {} bytes, and a buffer on {} holds {}",
                           k, dimensions, centroid_bytes, device->info().name, most_bytes);
    return std::nullopt;
}

DeviceSearch::DeviceSearch(std::shared_ptr<Device> device, MakeScreen make_screen,
                           const Vocabulary &vocabulary, const AssignOptions &options)
    : device_(std::move(device)), make_screen_(std::move(make_screen)), vocabulary_(vocabulary),
      options_(options) {
    prepare_decide();
    replace(vocabulary_);
}

void DeviceSearch::replace(const Vocabulary &vocabulary) {
    const DefaultFloats floats;
    const Buffer<float> centroids = uploaded(*device_, vocabulary.values);
    if (!screen_ || !screen_->replace(vocabulary, centroids)) {
        screen_ =
            make_screen_(device_, vocabulary, centroids, options_); // if it throws, nothing changed
        screen_rows_ = 0;
    }
    centroids_ = centroids;
    vocabulary_ = vocabulary;
}

void DeviceSearch::resume(const DeviceCentroids &centroids, std::span<const cl_uint> extent) {
    const DefaultFloats floats; // for bounds
    screen_->resume(centroids, extent);
    centroids_ = centroids.values;
}

/// REQUIRES: before the screen is made, which may use the rule, too.
void DeviceSearch::prepare_decide() {
    const auto warn = [&](std::string_view what) {
        options_.observer->warning(fmt::format("{}: {}; the host decides what a level cannot prove",
                                               device_->info().name, what));
    };
    const DeviceLimits &limits = device_->limits();
    if (!device_->premises().float64) warn("its float64 arithmetic is not IEEE 754's");
    if (!limits.fp64 || limits.work_group_size < DECIDE_GROUP) return;
    constexpr std::size_t around = 2; // steps a word, beside those of its dimensions
    const std::uint64_t steps = divided_up(vocabulary_.size(), std::size_t{DECIDE_GROUP}) *
                                (vocabulary_.dimensions + around);
    if (steps > limits.loop_steps / 2) return; // drivers that end loops early count differently
    decide_ = device_->kernel("decide.cl", "decide",
                              fmt::format("-DDIMENSIONS={}", vocabulary_.dimensions));
    try {
        if (keeps_the_rule(*device_, *decide_, vocabulary_.dimensions)) return;
        device_->withdraw_fp64();
        warn("float64 sums are fused or reordered there");
    } catch (const RefusedGroup &) {
        warn(fmt::format("decide.cl does not run in groups of {} work-items there",
                         int{DECIDE_GROUP}));
    }
    decide_.reset();
}

void DeviceSearch::reserve(std::size_t rows) {
    if (rows > 0 && rows <= screen_rows_) return;
    screen_->reserve(rows);
    screen_rows_ = rows;
}

double DeviceSearch::assign(const DeviceDescriptors &x, const DeviceWords &found) {
    if (x.dimensions != vocabulary_.dimensions)
        throw Error(Fault::input, fmt::format("the descriptors have {} dimensions, the words {}",
                                              x.dimensions, vocabulary_.dimensions));
    reserve(x.capacity);
    device_->fill<cl_uint>(found.unproven, 0, 1);
    // No words of earlier rows: what a kernel leaves unwritten stays -1.
    device_->fill<cl_int>(found.words, -1, x.capacity);
    screen_->run(x, found);
    if (!decide_) return decide_on_host(x, found);
    decide_on_device(x, found);
    return 0;
}

std::uint64_t DeviceSearch::contested() {
    const Buffer<cl_uint> *contested = screen_->contested();
    if (contested == nullptr) return 0;
    cl_uint rows = 0;
    device_->download(std::span(&rows, 1), *contested);
    device_->fill<cl_uint>(*contested, 0, 1);
    return rows;
}

void DeviceSearch::put_contested(const Buffer<cl_uint> &there, std::size_t to) {
    const Buffer<cl_uint> *contested = screen_->contested();
    if (contested == nullptr) return;
    device_->copy(*contested, 1, there, to);
    device_->fill<cl_uint>(*contested, 0, 1);
}

void DeviceSearch::decide_on_device(const DeviceDescriptors &x, const DeviceWords &found) {
    const std::size_t groups =
        std::min<std::size_t>(x.capacity, 4UL * device_->info().compute_units);
    device_->launch(*decide_, {groups * DECIDE_GROUP, 1}, {DECIDE_GROUP, 1}, x.values, centroids_,
                    static_cast<cl_uint>(vocabulary_.size()), x.bag, found.words, found.histograms,
                    found.unproven);
}

/// The same on the host: few rows, so each is copied by itself.
double DeviceSearch::decide_on_host(const DeviceDescriptors &x, const DeviceWords &found) {
    std::vector<cl_uint> unproven(1);
    device_->download(std::span(unproven), found.unproven); // waits for the screen
    const auto start = std::chrono::steady_clock::now();
    if (unproven[0] == 0) return 0;
    unproven.resize(1 + unproven[0]);
    device_->download(std::span(unproven), found.unproven);
    std::vector<cl_uint> bag(x.capacity);
    device_->download(std::span(bag), x.bag);
    std::vector<cl_uint> histograms = downloaded(*device_, found.histograms);
    std::vector<float> descriptor(x.dimensions);
    for (const cl_uint row : std::span(unproven).subspan(1)) {
        device_->download(std::span(descriptor), x.values, row * x.dimensions);
        const cl_int word = nearest(descriptor, vocabulary_);
        device_->upload(found.words, std::span(&word, 1), row);
        ++histograms[bag[row] * vocabulary_.size() + static_cast<std::size_t>(word)];
    }
    device_->upload<cl_uint>(found.histograms, histograms);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

} // namespace bowhist
