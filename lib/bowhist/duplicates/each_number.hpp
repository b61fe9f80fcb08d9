#pragma once

#include <bowhist/core/default_floats.hpp>
#include <bowhist/core/observer.hpp>

#include <tbb/parallel_for.h>

#include <cstddef>

namespace bowhist {

/// Runs `work` for each number below count, on all threads.
template <typename Work>
void for_each_number(std::size_t count, Observer &observer, const Work &work) {
    tbb::parallel_for(std::size_t{0}, count, [&](std::size_t i) {
        const DefaultFloats floats;
        observer.stop_if_interrupted();
        work(i);
    });
}

} // namespace bowhist
