#pragma once

#include <bowhist/bench/rounds.hpp>
#include <bowhist/bench/scene.hpp>

#include <functional>
#include <string_view>
#include <vector>

namespace bowhist {

/// One operation that bench knows: a row of the table in operations().
///
/// To add one, write a function that makes its cases, in a file of its own, and add its row.
struct Operation {
    std::string_view id;    ///< what the command line takes
    std::string_view idea;  ///< in a sentence
    bool has_words = false; ///< measured once for each k; else once, with k = 0

    /// Every way of doing it, ready to run: kernels built, data where it belongs. A way that
    /// cannot run here is a case with its obstacle.
    std::function<std::vector<Case>(const Scene &scene, std::size_t k)> cases;
};

/// Every operation, in the order in which they are measured.
const std::vector<Operation> &operations();

/// @throws Error{Fault::usage} for an unknown id, naming those there are
const Operation &find_operation(std::string_view id);

} // namespace bowhist
