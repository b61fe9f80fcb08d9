#include "app/cluster_memory.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/io/free_memory.hpp>
#include <bowhist/learn/training_memory.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace bowhist::app {
namespace {

constexpr std::uint64_t mebibyte = 1 << 20;

/// A path, its place in a vector, group and distance.
constexpr std::uint64_t bytes_of_name = 200;

std::uint64_t words_of(const TableSize &size) {
    return size.values / std::max<std::uint64_t>(1, size.rows);
}

/// What grouping takes beside the features: a copy of them, and more.
std::uint64_t grouping_bytes(const ClusterPlan &plan, const TableSize &size) {
    const std::uint64_t points = std::min<std::uint64_t>(size.rows, most_ward_points);
    const std::uint64_t means = plan.clustering->groups * words_of(size) * sizeof(double);
    const std::uint64_t ward = points * points * sizeof(double) + means;
    if (size.rows <= most_ward_points) return size.values * sizeof(float) + ward;
    TrainOptions training;
    training.k = std::max<std::size_t>(plan.clustering->groups, most_ward_points);
    training.start = Start::random;
    MemoryRequest request;
    request.training = &training;
    request.on_device = plan.on_device;
    return ward + training_bytes(request, size.rows, words_of(size));
}

} // namespace

std::uint64_t cluster_bytes(const ClusterPlan &plan, const TableSize &size) {
    const std::uint64_t features = size.values * sizeof(float);
    const std::uint64_t at_once = std::max(size.peak, features + grouping_bytes(plan, size));
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
