#include <bowhist/assign/device_assigner.hpp>
#include <bowhist/assign/rule.hpp>
#include <bowhist/ops/transpose.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numeric>

namespace bowhist {
namespace {

constexpr std::size_t default_group = 64; // the listings' own; a multiple of every GPU's width
constexpr std::size_t smallest_group = 8;
constexpr std::size_t decide_group = 64; // DECIDE_GROUP in decide.cl

/// The largest group, from the default down, whose descriptors fit into local memory; 0 if none.
std::size_t group_size(const KernelNeeds &needs, const DeviceLimits &limits,
                       std::size_t dimensions) {
    std::size_t group = std::min(default_group, limits.work_group_size);
    if (!needs.descriptors_in_local_memory) return group;
    while (group * dimensions * sizeof(float) > limits.local_bytes) group /= 2;
    return group < smallest_group ? 0 : group;
}

/// Rows a launch: what was asked for, else enough to fill the device; in any case few enough for
/// its memory and for the kernels' 32-bit indices.
std::size_t batch_rows(std::size_t asked, const Device &device, std::size_t dimensions) {
    const std::size_t enough =
        device.info().kind == DeviceKind::gpu ? std::size_t{1} << 18 : std::size_t{1} << 16;
    const std::size_t fit = device.limits().allocation_bytes / (4 * dimensions * sizeof(float));
    const std::size_t indexable = (std::size_t{1} << 31) / dimensions;
    return std::clamp<std::size_t>(asked > 0 ? asked : enough, 1,
                                   std::max<std::size_t>(1, std::min(fit, indexable)));
}

} // namespace

std::optional<std::string> obstacle(const KernelNeeds &needs, const Device *device,
                                    std::size_t dimensions, std::size_t k) {
    if (device == nullptr) return "there is no OpenCL device";
    if (!device->info().rounds_to_nearest)
        return fmt::format("{} does not round float32 to nearest, which the proof counts on",
                           device->info().name);
    if (dimensions % needs.dimension_multiple != 0)
        return fmt::format("it takes dimensions that are multiples of {}, not {}",
                           needs.dimension_multiple, dimensions);
    const std::uint64_t centroid_bytes = std::uint64_t{k} * dimensions * sizeof(float);
    const std::uint64_t indexable_bytes = std::uint64_t{1} << 33; // by the kernels' 32-bit indices
    const std::uint64_t most_bytes = std::min(device->limits().allocation_bytes, indexable_bytes);
    if (centroid_bytes > most_bytes)
        return fmt::format("{} words of {} dimensions take {} bytes, and a buffer on {} holds {}",
                           k, dimensions, centroid_bytes, device->info().name, most_bytes);
    const std::size_t tile_items = transpose_tile * transpose_tile;
    if (needs.layout == Layout::dimension_major && device->limits().work_group_size < tile_items)
        return fmt::format(
            "it wants transposed descriptors, which takes groups of {} work-items, and "
            "{} allows {}",
            tile_items, device->info().name, device->limits().work_group_size);
    const std::size_t row_bytes = dimensions * sizeof(float);
    if (group_size(needs, device->limits(), dimensions) == 0)
        return fmt::format(
            "{} descriptors of {} dimensions take {} bytes of local memory and {} has {}",
            smallest_group, dimensions, smallest_group * row_bytes, device->info().name,
            device->limits().local_bytes);
    if (needs.centroids_in_constant_memory && row_bytes > device->limits().constant_bytes)
        return fmt::format(
            "a centroid of {} dimensions takes {} bytes and the constant buffer of {} has {}",
            dimensions, row_bytes, device->info().name, device->limits().constant_bytes);
    return std::nullopt;
}

struct DeviceAssigner::Rows {
    std::size_t first = 0;
    std::size_t count = 0;
    std::span<const float> values;
    std::span<const cl_uint> image;
};

DeviceAssigner::DeviceAssigner(std::shared_ptr<Device> device, const DeviceKernel &kernel,
                               Vocabulary vocabulary, const AssignOptions &options)
    : device_(std::move(device)), needs_(kernel.needs), vocabulary_(std::move(vocabulary)),
      observer_(options.observer),
      bound_(float32_bound(vocabulary_.dimensions, options.bound_scale)),
      group_(group_size(needs_, device_->limits(), vocabulary_.dimensions)),
      batch_rows_(batch_rows(options.batch, *device_, vocabulary_.dimensions)),
      assign_(device_->kernel(
          kernel.source, "assign",
          fmt::format("-DDIMENSIONS={} -DGROUP={}", vocabulary_.dimensions, group_))) {
    if (decides_on_device()) decide_ = device_->kernel("decide.cl", "decide");
    upload_centroids();
}

bool DeviceAssigner::decides_on_device() const {
    return device_->limits().fp64 && device_->limits().work_group_size >= decide_group;
}

void DeviceAssigner::upload_centroids() {
    const std::size_t k = vocabulary_.size();
    const std::size_t dimensions = vocabulary_.dimensions;
    centroids_ = device_->allocate<float>(k * dimensions);
    device_->upload<float>(centroids_, vocabulary_.values);
    if (!needs_.centroids_in_constant_memory) {
        passes_ = {{centroids_, 0, static_cast<cl_uint>(k)}};
        return;
    }
    const std::size_t fit = device_->limits().constant_bytes / (dimensions * sizeof(float));
    for (std::size_t first = 0; first < k; first += fit) {
        const std::size_t count = std::min(fit, k - first);
        const Buffer<float> values = device_->allocate<float>(count * dimensions);
        device_->upload<float>(
            values, std::span(vocabulary_.values).subspan(first * dimensions, count * dimensions));
        passes_.push_back({values, static_cast<cl_uint>(first), static_cast<cl_uint>(count)});
    }
}

void DeviceAssigner::reserve_rows(std::size_t rows) {
    if (rows <= reserved_rows_) return;
    const std::size_t dimensions = vocabulary_.dimensions;
    descriptors_ = {device_->allocate<float>(rows * dimensions), 0, dimensions};
    if (needs_.layout == Layout::dimension_major)
        transposed_ = device_->allocate<float>(rows * dimensions);
    image_ = device_->allocate<cl_uint>(rows);
    words_ = device_->allocate<cl_int>(rows);
    unproven_ = device_->allocate<cl_uint>(rows + 1);
    carried_ = device_->allocate<cl_uint>(passes_.size() > 1 ? 3 * rows : 1);
    reserved_rows_ = rows;
}

Assignment DeviceAssigner::run(const Batch &batch) {
    const auto start = std::chrono::steady_clock::now();
    const std::size_t dimensions = vocabulary_.dimensions;
    const std::size_t n = batch.values.size() / dimensions;
    Assignment result;
    result.words.resize(n);
    result.histograms.resize(batch.images * vocabulary_.size());
    const auto histograms = device_->allocate<cl_uint>(result.histograms.size());
    device_->fill<cl_uint>(histograms, 0, result.histograms.size());
    const std::vector<cl_uint> one_image(batch.image.empty() ? n : 0, 0);
    const std::span<const cl_uint> image = batch.image.empty() ? one_image : batch.image;

    for (std::size_t first = 0; first < n; first += batch_rows_) {
        if (observer_ != nullptr) observer_->stop_if_interrupted();
        const std::size_t count = std::min(batch_rows_, n - first);
        const Rows rows{first, count, batch.values.subspan(first * dimensions, count * dimensions),
                        image.subspan(first, count)};
        assign(rows, histograms);
        if (decide_) decide_on_device(rows, histograms);
        device_->download(std::span(result.words).subspan(first, count), words_);
        cl_uint unproven = 0;
        device_->download(std::span(&unproven, 1), unproven_);
        report_.unproven += unproven;
        if (!decide_ && unproven > 0) decide_on_host(rows, result);
    }
    // Rows decided on the host are counted there, on top of what the device counts.
    std::vector<cl_uint> counted(result.histograms.size());
    device_->download(std::span(counted), histograms);
    std::ranges::transform(counted, result.histograms, result.histograms.begin(), std::plus{});
    take_times();
    report_.rows += n;
    report_.wall_seconds +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
}

void DeviceAssigner::assign(const Rows &rows, const Buffer<cl_uint> &histograms) {
    reserve_rows(rows.count);
    descriptors_.rows = rows.count;
    device_->upload(descriptors_.values, rows.values);
    device_->upload(image_, rows.image);
    device_->fill<cl_uint>(unproven_, 0, 1);
    const Buffer<float> values = needs_.layout == Layout::dimension_major
                                     ? transpose(*device_, descriptors_, transposed_).values
                                     : descriptors_.values;
    for (const CentroidPass &pass : passes_)
        device_->launch(assign_, {rows.count, 1}, {group_, 1}, values, pass.values,
                        Pass{static_cast<cl_uint>(rows.count),
                             static_cast<cl_uint>(vocabulary_.size()), pass.first, pass.count,
                             bound_.relative, bound_.absolute},
                        carried_, image_, words_, histograms, unproven_);
}

void DeviceAssigner::decide_on_device(const Rows &rows, const Buffer<cl_uint> &histograms) {

    const std::size_t groups =
        std::min<std::size_t>(rows.count, 4UL * device_->info().compute_units);

    device_->launch(*decide_, {groups * decide_group, 1}, {decide_group, 1}, descriptors_.values,
                    centroids_, static_cast<cl_uint>(vocabulary_.dimensions),
                    static_cast<cl_uint>(vocabulary_.size()), image_, words_, histograms,
                    unproven_);
}

void DeviceAssigner::decide_on_host(const Rows &rows, Assignment &result) const {
    std::vector<cl_uint> unproven(rows.count + 1);
    device_->download(std::span(unproven), unproven_);
    for (std::size_t u = 1; u <= unproven[0]; ++u) {
        const std::size_t row = unproven[u];
        const std::int32_t word = nearest(
            rows.values.subspan(row * vocabulary_.dimensions, vocabulary_.dimensions), vocabulary_);
        result.words[rows.first + row] = word;
        ++result.histograms[rows.image[row] * vocabulary_.size() + static_cast<std::size_t>(word)];
    }
}

void DeviceAssigner::take_times() {
    for (const auto &[label, total] : device_->take_launches()) {
        KernelTime &time = report_.kernels[label];
        time.launches += total.launches;
        time.seconds += total.seconds;
    }
}

} // namespace bowhist
