#include <bowhist/assign/bound.hpp>
#include <bowhist/assign/device/assign_launch.hpp>
#include <bowhist/assign/device/device_assigner.hpp>
#include <bowhist/assign/device/device_screen.hpp>
#include <bowhist/assign/device/matrix_screen.hpp>
#include <bowhist/assign/device/tile_screen.hpp>
#include <bowhist/assign/host/host_assigner.hpp>
#include <bowhist/assign/level.hpp>
#include <bowhist/core/default_floats.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/ops/transpose.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <ranges>
#include <string>

namespace bowhist {
namespace {

/// The demands of a ladder kernel on the device and the data.
struct KernelNeeds {
    bool transposed = false;            ///< one dimension of all descriptors after another
    std::size_t dimension_multiple = 1; ///< D must be a multiple of this
    bool descriptors_in_local_memory = false;
    bool centroids_in_constant_memory = false; ///< k is then done in passes
};

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

/// Why a kernel with such needs cannot run there; nothing when it can.
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

/// Bytes that such a kernel's loops, and its transpose, move in global and constant memory.
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

/// Makes the screen of a kernel of the ladder.
/// @param source  its file of cl/
/// @throws Error{Fault::device} when AssignOptions::group asks for groups that do not fit
MakeScreen ladder_screen(std::string_view source, const KernelNeeds &needs) {
    return [source, needs](const std::shared_ptr<Device> &device, const Vocabulary &vocabulary,
                           const Buffer<float> &centroids, const AssignOptions &options) {
        return std::make_unique<LadderScreen>(device, source, needs, vocabulary, centroids,
                                              options);
    };
}

using DevicePointer = std::shared_ptr<Device>;

Level host_level(std::string_view id, std::string_view idea,
                 HostSearch (*make)(const Vocabulary &, int, double),
                 std::string_view passes_roof = {}) {
    Level level;
    level.id = id;
    level.idea = idea;
    level.is_reference = make == make_serial_search;
    level.passes_roof = passes_roof;
    level.obstacle = [](const Device *, std::size_t, std::size_t) { return std::nullopt; };
    level.prepare = [make](const DevicePointer &, const Vocabulary &vocabulary,
                           const AssignOptions &options) {
        const DefaultFloats floats; // for bounds and packed words
        return std::make_unique<HostAssigner>(make, vocabulary, options);
    };
    return level;
}

/// Why one device level cannot do D and k where others can.
using Obstacle = std::function<std::optional<std::string>(const Device &device,
                                                          std::size_t dimensions, std::size_t k)>;

Level device_level(std::string_view id, std::string_view idea, std::string_view source,
                   const Obstacle &obstacle, const MakeScreen &make_screen,
                   std::string_view passes_roof = {}) {
    Level level;
    level.id = id;
    level.idea = idea;
    level.on_device = true;
    level.source = source;
    level.passes_roof = passes_roof;
    level.obstacle = [obstacle](const Device *device, std::size_t dimensions, std::size_t k) {
        const auto common = device_obstacle(device, dimensions, k);
        return common ? common : obstacle(*device, dimensions, k);
    };
    level.prepare = [make_screen](const DevicePointer &device, const Vocabulary &vocabulary,
                                  const AssignOptions &options) {
        const DefaultFloats floats;
        return std::make_unique<DeviceAssigner>(device, make_screen, vocabulary, options);
    };
    return level;
}

Level ladder_level(std::string_view id, std::string_view idea, std::string_view source,
                   const KernelNeeds &needs) {
    Level level = device_level(
        id, idea, source,
        [needs](const Device &device, std::size_t dimensions, std::size_t) {
            return ladder_obstacle(needs, device, dimensions);
        },
        ladder_screen(source, needs));
    level.takes_group = true;
    level.local_descriptors = needs.descriptors_in_local_memory;
    if (!needs.centroids_in_constant_memory) // then the device decides how often rows are read
        level.kernel_bytes = [needs](std::size_t n, std::size_t dimensions, std::size_t k) {
            return ladder_bytes(needs, n, dimensions, k);
        };
    return level;
}

Level matrix_level(std::string_view id, std::string_view idea, std::string_view source,
                   std::string_view passes_roof) {
    Level level = device_level(
        id, idea, source,
        [](const Device &device, std::size_t dimensions, std::size_t k) {
            return matrix_obstacle(device.info(), device.limits(), dimensions, k);
        },
        make_matrix_screen, passes_roof);
    level.matrix_units = true;
    return level;
}

} // namespace

const std::vector<Level> &levels() {
    constexpr KernelNeeds plain{};
    constexpr KernelNeeds transposed{.transposed = true};
    constexpr KernelNeeds vectors{.transposed = true, .dimension_multiple = 4};
    constexpr KernelNeeds local{.transposed = true, .descriptors_in_local_memory = true};
    constexpr KernelNeeds constant{.transposed = true,
                                   .descriptors_in_local_memory = true,
                                   .centroids_in_constant_memory = true};
    constexpr std::string_view sixteen_bits =
        "16-bit integers, two products a lane where the roof's multiply-add has one";
    static const std::vector<Level> table = {
        host_level("serial", "the float64 rule, one thread: the reference", make_serial_search),
        host_level("openmp", "a float32 screen with proof, vectorized, on all cores",
                   make_openmp_search),
        host_level("simd",
                   "tiles in vector registers, by what the CPU has: 16-bit integers, then float32",
                   make_simd_search, sixteen_bits),
        ladder_level("gpu1", "one work-item a descriptor, rows as they come", "gpu1.cl", plain),
        ladder_level("gpu2",
                     "transposed descriptors: neighboring work-items read neighboring floats",
                     "gpu2.cl", transposed),
        ladder_level("gpu3", "four dimensions a step in a float4", "gpu3.cl", vectors),
        ladder_level("gpu4", "a group's descriptors in local memory", "gpu4.cl", local),
        ladder_level("gpu5", "centroids in constant memory, in as many passes as it takes",
                     "gpu5.cl", constant),
        device_level("gpu6", "tiles of scores in registers, in a shape for each kind of device",
                     "gpu6.cl", tile_obstacle, make_tile_screen, sixteen_bits),
        matrix_level("gpu7", "fp16 scores on matrix units, the winner proven", "gpu7.cl",
                     "instructions for a whole group of warps; the roof's are for one warp"),
    };
    return table;
}

const Level &find_level(std::string_view id) {
    const auto &table = levels();
    const auto found = std::ranges::find(table, id, &Level::id);
    if (found != table.end()) return *found;
    const auto ids = table | std::views::transform(&Level::id);
    throw Error(Fault::usage, fmt::format("there is no level \"{}\"; choose one of: auto, {}",
                                          excerpt(id), fmt::join(ids, ", ")));
}

} // namespace bowhist
