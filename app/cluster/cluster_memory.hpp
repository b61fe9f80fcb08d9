#pragma once

#include <bowhist/group/grouping.hpp>
#include <bowhist/tables/histograms/histogram_reader.hpp>

#include <string>

namespace bowhist::app {

/// The parts of a call of `cluster` on histograms that decide how much memory it takes.
struct ClusterPlan {
    const GroupRequest *grouping = nullptr;
    bool page = false;      ///< with thumbnails
    bool on_device = false; ///< k-means, if it runs
};

/// Bytes that it takes to read and group that many histograms, beside what the program holds now: a
/// little more rather than less.
std::uint64_t cluster_bytes(const ClusterPlan &plan, const TableSize &size);

/// @param file  the last of those that are to be read, for the message
/// @throws Error{Fault::input} when there is less memory than that
void require_memory(const ClusterPlan &plan, const std::string &file, const TableSize &size);

} // namespace bowhist::app
