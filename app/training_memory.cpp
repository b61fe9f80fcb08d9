#include "app/training_memory.hpp"
#include "app/free_memory.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/train/seeding.hpp>

#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <string>

namespace bowhist::app {
namespace {

constexpr std::uint64_t mebibyte = 1 << 20;

/// What a training takes in bytes, a little more rather than less.
struct Needs {
    std::uint64_t fixed; ///< centroids, sums, start
    std::uint64_t row;   ///< a descriptor in memory
    std::uint64_t word;  ///< what is kept of each descriptor, wherever it lies
    std::uint64_t copy;  ///< of a descriptor on its way through a level
};

Needs needs_of(const MemoryRequest &request, std::size_t dimensions) {
    const TrainOptions &training = *request.training;
    const std::uint64_t floats = sizeof(float) * dimensions;
    const std::uint64_t drawn = floats / 2 + 40; // WholeRows, and what the start knows of each
    const auto threads = static_cast<std::uint64_t>(tbb::this_task_arena::max_concurrency());
    Needs needs{8 * mebibyte + training.k * floats * (2 * threads + 10), floats,
                sizeof(std::int32_t) * (training.restarts > 1 ? 2U : 1U),
                sizeof(std::int32_t) + (request.on_device ? 3 * floats : 0)};
    if (training.start == Start::greedy) needs.row += drawn;
    if (training.start == Start::sampled)
        needs.fixed += sampled_among(training.k) * (floats + drawn);
    return needs;
}

/// What a training in memory takes.
std::uint64_t needed(const Needs &needs, std::uint64_t rows) {
    constexpr std::uint64_t launch = 1 << 18;
    const std::uint64_t copies = needs.copy > sizeof(std::int32_t) ? std::min(rows, launch) : rows;
    return needs.fixed + rows * (needs.row + needs.word) + copies * needs.copy;
}

std::uint64_t beyond(std::uint64_t all, std::uint64_t part) {
    return all > part ? all - part : 0;
}

std::string mebibytes(std::uint64_t bytes) {
    return fmt::format("{}M", (bytes + mebibyte - 1) / mebibyte);
}

} // namespace

TrainingMemory::TrainingMemory(const MemoryRequest &request, const InputList &list)
    : request_(request), held_(held_memory()),
      room_(request.memory > 0 ? beyond(request.memory, held_) : free_memory() / 2) {
    const bool collections =
        !list.inputs.empty() && std::ranges::all_of(list.inputs, [](const Input &input) {
            return input.collection != nullptr;
        });
    if (collections) plan(list);
}

void TrainingMemory::plan(const InputList &list) {
    const std::size_t dimensions = list.inputs.front().collection->dimensions;
    const std::uint64_t row_bytes = sizeof(float) * std::max<std::size_t>(1, dimensions);
    std::uint64_t rows = 0;
    std::uint64_t largest = 1;
    for (const Input &input : list.inputs) {
        const std::uint64_t its = input.collection->pictures[input.place].rows;
        rows += its;
        largest = std::max(largest, its * row_bytes);
    }
    const bool all = request_.sample == 0 || rows <= request_.sample;
    expected_ = all ? rows : request_.sample;
    const std::uint64_t whole = needed(needs_of(request_, dimensions), expected_);
    if (all && whole > room_ && request_.training->start != Start::greedy)
        plan_stream(rows, dimensions, largest);
    else
        require_room(expected_, dimensions);
    if (request_.memory == 0 && part_ == 0) return;
    const std::uint64_t kept = part_ > 0 ? 0 : expected_ * row_bytes;
    const std::uint64_t most =
        4 * static_cast<std::uint64_t>(tbb::this_task_arena::max_concurrency());
    in_flight_ = std::clamp<std::uint64_t>(beyond(room_, kept) / largest, 1, most);
}

void TrainingMemory::plan_stream(std::uint64_t rows, std::size_t dimensions,
                                 std::uint64_t largest) {
    const Needs needs = needs_of(request_, dimensions);
    const std::uint64_t row_bytes = sizeof(float) * dimensions;
    // Two parts of them, and in the system's cache one that was read and one that will be.
    const std::uint64_t of_each = 4 * row_bytes + needs.copy;
    const std::uint64_t fixed = needs.fixed + rows * needs.word;
    const std::uint64_t fewest = std::max<std::uint64_t>(1, mebibyte / row_bytes);
    const std::uint64_t least = std::max(fixed + fewest * of_each, largest);
    if (least > room_)
        throw Error(Fault::usage,
                    fmt::format("--memory {} is too little to learn {} words from {} descriptors "
                                "in a file, which takes {}; raise it, or give --sample N",
                                mebibytes(request_.memory), request_.training->k, rows,
                                mebibytes(held_ + least)));
    constexpr std::uint64_t enough = 8 * mebibyte;
    part_ = std::clamp((room_ - fixed) / of_each, fewest, std::max(fewest, enough / row_bytes));
    expected_ = 0;
}

void TrainingMemory::require_room(std::uint64_t rows, std::size_t dimensions) const {
    if (request_.memory == 0) return;
    const Needs needs = needs_of(request_, dimensions);
    if (needed(needs, rows) <= room_) return;
    const char *next =
        request_.training->start == Start::greedy
            ? "--init greedy keeps all of them there; leave it out"
            : "extract all of them to one .fbin, which --sample 0 leaves in its file";
    throw Error(Fault::usage,
                fmt::format("--memory {} has room for {} descriptors of {} dimensions, and there "
                            "are more; raise it, lower --sample, or {}",
                            mebibytes(request_.memory),
                            beyond(room_, needs.fixed) / (needs.row + needs.word + needs.copy),
                            dimensions, next));
}

} // namespace bowhist::app
