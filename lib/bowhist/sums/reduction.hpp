#pragma once

#include <bowhist/core/default_floats.hpp>
#include <bowhist/core/descriptor_rows.hpp>

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <cstddef>
#include <span>

namespace bowhist {

/// One value of all of this process's descriptors, by all threads: a sum, a maximum, the farthest
/// ones. Members of a team join theirs afterwards.
///
/// Value::join(const Value &) adds the value of other descriptors. Its result must not depend on
/// the order: then it does not depend on parts, threads, devices or machines, either.
///
/// @param nothing  the value of no descriptors
/// @param add  (Value &, number of a row, its floats): adds a descriptor
template <typename Value, typename Add>
Value reduce(const DescriptorRows &rows, const Value &nothing, const Add &add) {
    Value all = nothing;
    const std::size_t dimensions = rows.dimensions();
    rows.read([&](std::size_t first, std::span<const float> values) {
        all.join(tbb::parallel_reduce(
            tbb::blocked_range<std::size_t>(0, values.size() / dimensions, 1024), nothing,
            [&](const auto &range, Value value) {
                const DefaultFloats floats; // of this thread
                for (std::size_t row = range.begin(); row < range.end(); ++row)
                    add(value, first + row, values.subspan(row * dimensions, dimensions));
                return value;
            },
            [](Value a, const Value &b) {
                a.join(b);
                return a;
            }));
    });
    return all;
}

} // namespace bowhist
