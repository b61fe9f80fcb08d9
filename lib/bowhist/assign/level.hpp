#pragma once

#include <bowhist/assign/assigner.hpp>
#include <bowhist/core/observer.hpp>
#include <bowhist/core/vocabulary.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bowhist {

class Device;

/// Ignores everything.
inline Observer silent_observer;

/// Options of assignment that do not depend on the level.
struct AssignOptions {
    std::size_t batch = 0;                 ///< descriptors a launch; 0: by the device's memory
    int threads = 0;                       ///< of the host levels; 0: all cores
    Observer *observer = &silent_observer; ///< also asked whether to stop; outlives the assigner
    double bound_scale = 1;                ///< tests only: plants a bound that is too small
    std::size_t group = 0; ///< work-items a group, where Level::takes_group; 0: the level's own
    /// The tree whose leaves are the words: descending it, on the host, finds them
    /// (assign/host/descend_search.hpp). null: the rule in docs/words.md does.
    std::shared_ptr<const VocabularyTree> tree = {};
};

/// One way to assign descriptors to words: a row of the table in levels().
struct Level {
    std::string_view id;   ///< what --kernel takes
    std::string_view idea; ///< in a sentence
    bool on_device = false;
    std::string_view source; ///< its file of cl/; empty on the host. Some devices take another
                             ///< one: AssignmentReport::source
    bool is_reference =
        false; ///< what the others are compared with, not fast: auto does not choose it
    bool takes_group = false;          ///< AssignOptions::group may choose its work-groups
    bool local_descriptors = false;    ///< a group keeps its descriptors in local memory
    bool matrix_units = false;         ///< it computes on matrix units
    std::string_view passes_roof = {}; ///< why it may exceed its roof; empty where it may not

    /// Bytes that the kernels' loops read and write in global and constant memory, as docs/bench.md
    /// counts them; empty where they are not counted.
    std::function<double(std::size_t n, std::size_t dimensions, std::size_t k)> kernel_bytes = {};

    /// Why this level cannot assign D-dimensional descriptors to k words here; nothing when it can.
    /// @param device  null where there is no device
    std::function<std::optional<std::string>(const Device *device, std::size_t dimensions,
                                             std::size_t k)>
        obstacle;

    /// Makes the assigner. REQUIRES: no obstacle.
    std::function<std::unique_ptr<Assigner>(const std::shared_ptr<Device> &device,
                                            const Vocabulary &vocabulary,
                                            const AssignOptions &options)>
        prepare;
};

/// Every level, in the order of the ladder.
const std::vector<Level> &levels();

/// @throws Error{Fault::usage} for an unknown id, naming the known ones
const Level &find_level(std::string_view id);

} // namespace bowhist
