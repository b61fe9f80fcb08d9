#include <bowhist/assign/bound.hpp>
#include <bowhist/assign/device/assign_launch.hpp>
#include <bowhist/assign/device/ladder_screen.hpp>
#include <bowhist/assign/level.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/ops/transpose.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace bowhist {
namespace {

constexpr std::size_t default_group = 64; // the listings' own; a multiple of every GPU's width
constexpr std::size_t smallest_group = 8;

/// The largest group, from the default down, whose descriptors fit into local memory; else 0.
std::size_t group_size(const KernelNeeds &needs, const DeviceLimits &limits,
                       std::size_t dimensions) {
    std::size_t group = std::min(default_group, limits.work_group_size);
    if (!needs.descriptors_in_local_memory) return group;
    while (group * dimensions * sizeof(float) > limits.local_bytes) group /= 2;
    return group < smallest_group ? 0 : group;
}

/// Words of a pass where the device ends loops early: by half of the steps that were measured,
/// since a kernel has other loops and drivers count differently.
std::size_t words_by_loops(const Device &device, std::size_t dimensions) {
    constexpr std::size_t around = 2; // steps a word, beside those of its dimensions
    return device.limits().loop_steps / 2 / (dimensions + around);
}

std::string too_many_for_local_memory(std::size_t group, const Device &device,
                                      std::size_t dimensions) {
    return fmt::format(
        "{} descriptors of {} dimensions take {} bytes of local memory and {} has {}", group,
        dimensions, group * dimensions * sizeof(float), device.info().name,
        device.limits().local_bytes);
}

/// The requested group size, if it fits.
std::size_t checked_group(std::size_t group, const KernelNeeds &needs, const Device &device,
                          std::size_t dimensions) {
    const DeviceLimits &limits = device.limits();
    if (group > limits.work_group_size)
        throw Error(Fault::device, fmt::format("{} allows groups of {} work-items, not {}",
                                               device.info().name, limits.work_group_size, group));
    if (needs.descriptors_in_local_memory &&
        group * dimensions * sizeof(float) > limits.local_bytes)
        throw Error(Fault::device, too_many_for_local_memory(group, device, dimensions));
    return group;
}

/// The book's kernels, gpu1 … gpu5: one work-item a descriptor, squared distances in float32
/// (screen.cl), transposed first where the kernel needs it, in as many passes over the centroids as
/// constant memory and the device's loops require.
class LadderScreen : public DeviceScreen {
  public:
    LadderScreen(std::shared_ptr<Device> device, std::string_view source, const KernelNeeds &needs,
                 const Vocabulary &vocabulary, const Buffer<float> &centroids,
                 const AssignOptions &options)
        : device_(std::move(device)), source_(source), needs_(needs), words_(vocabulary.size()),
          dimensions_(vocabulary.dimensions),
          bound_(float32_bound(dimensions_, options.bound_scale)),
          group_(options.group > 0 ? checked_group(options.group, needs_, *device_, dimensions_)
                                   : group_size(needs_, device_->limits(), dimensions_)),
          group_is_forced_(options.group > 0), assign_(built()) {
        if (needs_.centroids_in_constant_memory || words_ > words_by_loops(*device_, dimensions_))
            passes_ = passes_of(vocabulary);
        else
            passes_ = {{centroids, 0, static_cast<cl_uint>(words_)}};
    }

    bool pack(const DeviceCentroids &) override {
        return passes_.size() == 1 && !needs_.centroids_in_constant_memory;
    }
    void resume(const DeviceCentroids &centroids, std::span<const cl_uint>) override {
        passes_.front().values = centroids.values;
    }
    void reserve(std::size_t rows) override {
        if (needs_.transposed) transposed_ = device_->allocate<float>(rows * dimensions_);
        carried_ = device_->allocate<Candidate>(passes_.size() > 1 ? rows : 1);
    }
    std::string_view source() const override { return source_; }
    void run(const DeviceDescriptors &x, const DeviceWords &found) override {
        const std::size_t rows = x.capacity;
        if (needs_.transposed)
            transpose(*device_, DeviceImages<float>{x.values, dimensions_, rows, dimensions_},
                      {transposed_, rows, dimensions_, rows});
        for (const CentroidPass &pass : passes_) launch(pass, x, found);
    }

  private:
    /// The centroids of one launch.
    struct CentroidPass {
        Buffer<float> values;
        cl_uint first = 0;
        cl_uint count = 0;
    };

    /// For groups of group_.
    Kernel built() const {
        Kernel kernel = device_->kernel(
            source_, "assign", fmt::format("-DDIMENSIONS={} -DGROUP={}", dimensions_, group_));
        kernel.any_group = kernel.any_group && !group_is_forced_;
        return kernel;
    }

    std::vector<CentroidPass> passes_of(const Vocabulary &vocabulary) const {
        std::vector<CentroidPass> passes;
        std::size_t fit = words_by_loops(*device_, dimensions_);
        if (needs_.centroids_in_constant_memory)
            fit = std::min(fit, device_->limits().constant_bytes / (dimensions_ * sizeof(float)));
        for (std::size_t first = 0; first < words_; first += fit) {
            const std::size_t count = std::min(fit, words_ - first);
            const auto values =
                std::span(vocabulary.values).subspan(first * dimensions_, count * dimensions_);
            passes.push_back({uploaded(*device_, values), static_cast<cl_uint>(first),
                              static_cast<cl_uint>(count)});
        }
        return passes;
    }

    /// This launch and all later ones take smaller groups if the driver refuses theirs.
    void launch(const CentroidPass &pass, const DeviceDescriptors &x, const DeviceWords &found) {
        const std::size_t rows = x.capacity;
        const LadderPass launched{.capacity = static_cast<cl_uint>(rows),
                                  .k = static_cast<cl_uint>(words_),
                                  .first = pass.first,
                                  .count = pass.count,
                                  .relative = bound_.relative,
                                  .absolute = bound_.absolute};
        try {
            device_->launch(assign_, {rows, 1}, {group_, 1},
                            needs_.transposed ? transposed_ : x.values, x.count, pass.values,
                            launched, carried_, x.bag, found.words, found.histograms,
                            found.unproven);
        } catch (const RefusedGroup &) {
            if (group_is_forced_ || group_ / 2 < smallest_group) throw;
            group_ /= 2;
            assign_ = built();
            launch(pass, x, found);
        }
    }

    std::shared_ptr<Device> device_;
    std::string source_;
    KernelNeeds needs_;
    std::size_t words_;
    std::size_t dimensions_;
    Bound bound_;
    std::size_t group_; ///< work-items a group
    bool group_is_forced_;
    Kernel assign_;
    std::vector<CentroidPass> passes_;
    Buffer<float> transposed_;  ///< descriptors
    Buffer<Candidate> carried_; ///< between passes
};

} // namespace

std::optional<std::string> ladder_obstacle(const KernelNeeds &needs, const Device &device,
                                           std::size_t dimensions) {
    if (dimensions % needs.dimension_multiple != 0)
        return fmt::format("it takes dimensions that are multiples of {}, not {}",
                           needs.dimension_multiple, dimensions);
    if (words_by_loops(device, dimensions) == 0)
        return fmt::format("{} ends loops after {} steps, and a word of {} dimensions takes more",
                           device.info().name, device.limits().loop_steps, dimensions);
    const std::size_t row_bytes = dimensions * sizeof(float);
    if (needs.descriptors_in_local_memory && device.limits().work_group_size < smallest_group)
        return fmt::format("it takes groups of {} work-items, and {} allows {}", smallest_group,
                           device.info().name, device.limits().work_group_size);
    if (group_size(needs, device.limits(), dimensions) == 0)
        return too_many_for_local_memory(smallest_group, device, dimensions);
    if (needs.centroids_in_constant_memory && row_bytes > device.limits().constant_bytes)
        return fmt::format(
            "a centroid of {} dimensions takes {} bytes and the constant buffer of {} has {}",
            dimensions, row_bytes, device.info().name, device.limits().constant_bytes);
    return std::nullopt;
}

double ladder_bytes(const KernelNeeds &needs, std::size_t n, std::size_t dimensions,
                    std::size_t k) {
    const double floats = static_cast<double>(n) * static_cast<double>(dimensions);
    const double words = static_cast<double>(k);
    const double transposed = needs.transposed ? 2 * floats : 0;
    const double descriptors = needs.descriptors_in_local_memory ? floats : floats * words;
    const double centroids = floats * words;
    const double word_and_count = 3 * static_cast<double>(n); // a count is read and written
    return sizeof(float) * (transposed + descriptors + centroids + word_and_count);
}

MakeScreen ladder_screen(std::string_view source, const KernelNeeds &needs) {
    return [source, needs](const std::shared_ptr<Device> &device, const Vocabulary &vocabulary,
                           const Buffer<float> &centroids, const AssignOptions &options) {
        return std::make_unique<LadderScreen>(device, source, needs, vocabulary, centroids,
                                              options);
    };
}

} // namespace bowhist
