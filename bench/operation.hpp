#pragma once

#include "bench/rounds.hpp"
#include "bench/scene.hpp"

#include <functional>
#include <string_view>
#include <vector>

namespace bowhist {

/// One operation that bench knows: a row of the table in operations().
///
/// To add one, write a function that makes its cases, in a file of its own, and add its row.
struct Operation {
    /// What it is done to, and so the sizes that can be asked for.
    enum class Data {
        words,    ///< measured once for each k; else once, k = 0
        groups,   ///< words, with groups of the sizes asked for
        pictures, ///< of the side asked for
        tiles,    ///< pictures, in tiles of the sides asked for
        other
    };

    std::string_view id;   ///< what the command line takes
    std::string_view idea; ///< in a sentence
    Data data = Data::other;

    /// Every way of doing it, ready to run: kernels built, data where it belongs. A way that
    /// cannot run here is a case with its obstacle.
    std::function<std::vector<Case>(const Scene &scene, std::size_t k)> cases;

    bool has_words() const { return data == Data::words || has_groups(); }
    bool has_groups() const { return data == Data::groups; }
    bool has_pictures() const { return data == Data::pictures || has_tiles(); }
    bool has_tiles() const { return data == Data::tiles; }
};

/// Every operation, in the order in which they are measured.
const std::vector<Operation> &operations();

/// @throws Error{Fault::usage} for an unknown id, naming those there are
const Operation &find_operation(std::string_view id);

} // namespace bowhist
