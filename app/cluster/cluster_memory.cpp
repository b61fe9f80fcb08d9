#include "app/cluster/cluster_memory.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/io/free_memory.hpp>
#include <bowhist/learn/training_memory.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <thread>

namespace bowhist::app {
namespace {

constexpr std::uint64_t mebibyte = 1 << 20;

/// A path, its place in a vector, group and distance.
constexpr std::uint64_t bytes_of_name = 200;

std::uint64_t words_of(const TableSize &size) {
    return size.values / std::max<std::uint64_t>(1, size.rows);
}

std::uint64_t kmeans_bytes(const ClusterPlan &plan, const TableSize &size, std::size_t k) {
    TrainOptions training;
    training.k = k;
    training.start = Start::random;
    MemoryRequest request;
    request.training = &training;
    request.on_device = plan.on_device;
    return 2 * size.values * sizeof(float) + training_bytes(request, size.rows, words_of(size));
}

/// The table of pairs, or what stands in for one of many rows.
std::uint64_t linkage_bytes_of(const ClusterPlan &plan, const TableSize &size) {
    if (size.rows <= plan.grouping->most_linked) return linkage_bytes(size.rows);
    const std::size_t k = std::max<std::size_t>(plan.grouping->groups, most_gathered_points);
    return linkage_bytes(most_gathered_points) + kmeans_bytes(plan, size, k);
}

/// Bytes beside the rows. leiden: lists of neighbors, the graph, and communities on each thread.
std::uint64_t method_bytes(const ClusterPlan &plan, const TableSize &size) {
    switch (plan.grouping->method) {
    case GroupMethod::leiden:
        return size.values * sizeof(std::int16_t) +
               size.rows *
                   (400 + 300 * std::min<std::uint64_t>(10, std::thread::hardware_concurrency()));
    case GroupMethod::kmeans:
        return kmeans_bytes(plan, size, plan.grouping->groups);
    default:
        return linkage_bytes_of(plan, size);
    }
}

/// Histograms become integers, and lose their copies.
std::uint64_t grouping_bytes(const ClusterPlan &plan, const TableSize &size) {
    const std::uint64_t means = plan.grouping->groups * words_of(size) * sizeof(double);
    const std::uint64_t shown_words = size.values / 8 + size.rows;
    return size.values * 2 * sizeof(std::int16_t) + shown_words + means + method_bytes(plan, size);
}

} // namespace

std::uint64_t cluster_bytes(const ClusterPlan &plan, const TableSize &size) {
    const std::uint64_t rounding = size.values * (sizeof(float) + sizeof(std::int16_t));
    const std::uint64_t at_once = std::max({size.peak, rounding, grouping_bytes(plan, size)});
    return at_once + size.rows * bytes_of_name + (plan.page ? 64 : 8) * mebibyte;
}

void require_memory(const ClusterPlan &plan, const std::string &file, const TableSize &size) {
    const std::uint64_t needed = cluster_bytes(plan, size);
    const std::uint64_t room = obtainable_memory();
    if (needed <= room) return;
    throw Error(Fault::input,
                fmt::format("{}: to group {} histograms of {} words takes about {} bytes of "
                            "memory, and {} bytes are free; give fewer histograms, or ones of a "
                            "smaller vocabulary",
                            file, size.rows, words_of(size), needed, room));
}

} // namespace bowhist::app
