#pragma once

#include <bowhist/assign/assigner.hpp>
#include <bowhist/core/observer.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bowhist {

class Device;

/// How a level wants its descriptors.
enum class Layout {
    point_major,    ///< one descriptor after another, as they come
    dimension_major ///< transposed: one dimension after another
};

/// Options of assignment that do not depend on the level.
struct AssignOptions {
    std::size_t batch = 0; ///< descriptors a launch; 0: by the device's memory
    int threads = 0;       ///< of the host levels; 0: all cores
    const Observer *observer =
        nullptr;            ///< asked between launches whether to stop; outlives the assigner
    double bound_scale = 1; ///< tests only: plants a bound that is too small
};

/// One way to assign descriptors to words: a row of the table in levels().
struct Level {
    std::string_view id;   ///< what --kernel takes
    std::string_view idea; ///< in a sentence
    bool on_device = false;
    Layout layout = Layout::point_major;
    std::string_view source; ///< the file of cl/ with its kernel; empty on the host

    /// Why this level cannot assign D-dimensional descriptors to k words here; nothing when it can.
    /// `device` is null when there is none.
    std::function<std::optional<std::string>(const Device *device, std::size_t dimensions,
                                             std::size_t k)>
        obstacle;

    /// Makes the assigner. Call only where there is no obstacle.
    std::function<std::unique_ptr<Assigner>(const std::shared_ptr<Device> &device,
                                            const Vocabulary &vocabulary,
                                            const AssignOptions &options)>
        prepare;
};

/// Every level, in the order of the ladder.
const std::vector<Level> &levels();

/// @throws Error{Fault::usage} for an unknown id, naming those there are
const Level &find_level(std::string_view id);

} // namespace bowhist
