#include <bowhist/learn/training_memory.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/encode/moments.hpp>
#include <bowhist/io/free_memory.hpp>
#include <bowhist/train/seeding.hpp>

#include <fmt/format.h>
#include <malloc.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstdint>
#include <ranges>
#include <string>

namespace bowhist {
namespace {

constexpr std::uint64_t mebibyte = 1 << 20;

/// A training's needs in bytes, a little more rather than less.
struct Needs {
    std::uint64_t fixed; ///< centroids, sums, start
    std::uint64_t row;   ///< a descriptor in memory
    std::uint64_t word;  ///< kept for each descriptor, wherever it lies
    std::uint64_t copy;  ///< of a descriptor that a level assigns
};

std::uint64_t threads_of(const MemoryRequest &request) {
    const int threads =
        request.threads > 0 ? request.threads : tbb::this_task_arena::max_concurrency();
    return static_cast<std::uint64_t>(threads);
}

Needs needs_of(const MemoryRequest &request, std::size_t dimensions) {
    const TrainOptions &training = *request.training;
    const std::uint64_t floats = sizeof(float) * dimensions;
    const std::uint64_t drawn = floats / 2 + 40; // QuantizedRows, and the state of the start
    const std::uint64_t threads = threads_of(request);
    // Each thread's heap keeps some of what it took.
    const std::size_t k = training.words_at_once();
    Needs needs{(8 + threads) * mebibyte + k * floats * (2 * threads + 10), floats,
                sizeof(std::int32_t) * (training.restarts > 1 ? 2U : 1U),
                sizeof(std::int32_t) + (request.on_device ? 3 * floats : 0)};
    if (training.start == Start::greedy) needs.row += drawn;
    if (!training.branches.empty()) // a node's rows are copied, and all are ordered
        needs.row += floats + 3 * sizeof(std::size_t);
    if (!training.branches.empty()) needs.fixed += 3 * training.k * floats;
    if (training.start == Start::sampled) needs.fixed += sampled_among(k) * (floats + drawn);
    return needs;
}

/// Bytes that a training in memory takes.
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

std::uint64_t training_bytes(const MemoryRequest &request, std::uint64_t rows,
                             std::size_t dimensions) {
    return needed(needs_of(request, dimensions), rows);
}

TrainingMemory::TrainingMemory(const MemoryRequest &request, const InputList &list)
    : request_(request), held_(held_memory()),
      room_(request.memory > 0 ? beyond(request.memory, held_) : free_memory() / 2) {
    collections_ = !list.inputs.empty() && std::ranges::all_of(list.inputs, [](const Input &input) {
        return input.collection != nullptr;
    });
    if (collections_) {
        plan(list);
    } else if (request.memory > 0) {
        expected_ = request.sample;
        in_flight_ = threads_of(request_);
    }
}

void TrainingMemory::plan(const InputList &list) {
    std::size_t dimensions = 1;
    std::uint64_t rows = 0;
    for (const Input &input : list.inputs) {
        const DescriptorCollection &collection = *input.collection;
        const std::uint64_t its = collection.images[input.place].rows;
        rows += its;
        largest_ = std::max(largest_, its * collection.dimensions * sizeof(float));
        dimensions = std::max(dimensions, collection.dimensions);
    }
    if (rows < request_.training->k) {
        request_.memory = 0; // train() reports it
        room_ = free_memory() / 2;
        return;
    }
    const bool all = request_.sample == 0 || rows <= request_.sample;
    expected_ = all ? rows : request_.sample;
    if (all && in_memory(expected_, dimensions) > room_ &&
        request_.training->start != Start::greedy && request_.training->branches.empty())
        plan_stream(rows, dimensions);
    else
        require_room(expected_, dimensions);
    if (request_.memory == 0 && part_ == 0) return;
    const std::uint64_t kept = part_ > 0 ? 0 : expected_ * dimensions * sizeof(float);
    const std::uint64_t most = 4 * threads_of(request_);
    in_flight_ =
        std::clamp<std::uint64_t>(beyond(room_, kept + largest_) / (2 * largest_), 1, most);
}

void TrainingMemory::plan_stream(std::uint64_t rows, std::size_t dimensions) {
    const Needs needs = needs_of(request_, dimensions);
    const std::uint64_t row_bytes = sizeof(float) * dimensions;
    // Four parts of them, and one in the cache of a system that reads no other way.
    const std::uint64_t of_each = 5 * row_bytes + needs.copy;
    const std::uint64_t fixed = needs.fixed + rows * needs.word;
    const std::uint64_t fewest = std::max<std::uint64_t>(1, mebibyte / row_bytes);
    const std::uint64_t least = std::max(fixed + fewest * of_each, 2 * largest_);
    if (least > room_ && request_.memory > 0)
        throw Error(Fault::usage,
                    fmt::format("--memory {} is too little to learn {} words from {} descriptors "
                                "in a file, which takes {}; raise it, or give --sample N",
                                mebibytes(request_.memory), request_.training->k, rows,
                                mebibytes(held_ + least)));
    constexpr std::uint64_t enough = 4 * mebibyte;
    part_ =
        std::clamp(beyond(room_, fixed) / of_each, fewest, std::max(fewest, enough / row_bytes));
    streaming_ = fixed + part_ * of_each;
    expected_ = 0;
}

std::uint64_t TrainingMemory::left_over() const {
    if (request_.on_device) return 0; // building kernels takes an unknown share
    ::malloc_trim(0);                 // what reading images left behind
    const std::uint64_t held = std::max(held_, held_memory());
    return beyond(held_ + room_, held + streaming_);
}

std::uint64_t projection_bytes(std::uint64_t images, std::uint64_t numbers,
                               std::uint64_t components) {
    constexpr std::uint64_t spare = 32; // vectors of the subspace
    const std::uint64_t rows = images * numbers * sizeof(std::int16_t);
    const std::uint64_t products = images * images * sizeof(double);
    const std::uint64_t vectors = 4 * images * (components + spare) * sizeof(double);
    return rows + products + vectors + components * numbers * sizeof(std::int16_t);
}

void require_projection_room(std::uint64_t memory, std::uint64_t images, std::uint64_t numbers,
                             std::uint64_t components) {
    if (memory == 0) return;
    const std::uint64_t needed = held_memory() + projection_bytes(images, numbers, components);
    if (needed <= memory) return;
    throw Error(
        Fault::usage,
        fmt::format("--memory {} is too little to learn a projection from {} pictures' rows "
                    "of {} numbers, which takes {}; raise it, lower -k, or give --reduce 0",
                    mebibytes(memory), images, numbers, mebibytes(needed)));
}

/// Bytes to prepare that many rows: beside them a copy without their places and the moments of
/// parts, or the prepared rows.
std::uint64_t TrainingMemory::preparing(std::uint64_t rows, std::size_t dimensions) const {
    const PreparationSteps &steps = *request_.steps;
    const std::uint64_t own = dimensions - appended_numbers(steps);
    constexpr std::uint64_t rows_a_part = 8192;
    const std::uint64_t parts =
        std::min<std::uint64_t>(parts_at_once(dimensions), (rows + rows_a_part - 1) / rows_a_part);
    const std::uint64_t in_parts =
        2 * threads_of(request_) * std::min(rows, rows_a_part) * rows_after(steps) * dimensions;
    const std::uint64_t moments = parts * own * own * sizeof(double);
    const std::uint64_t made = rows * rows_after(steps) * prepared_dimensions(dimensions);
    return (rows * dimensions + in_parts + std::max(rows * own, made)) * sizeof(float) + moments;
}

std::size_t TrainingMemory::prepared_dimensions(std::size_t dimensions) const {
    return dimensions_after(*request_.steps, dimensions - appended_numbers(*request_.steps));
}

/// Bytes to learn from that many descriptors in memory, or to get them there: an image may still be
/// there when the next one is read.
std::uint64_t TrainingMemory::in_memory(std::uint64_t rows, std::size_t dimensions) const {
    const std::uint64_t gathering = rows * dimensions * sizeof(float) + 2 * largest_;
    if (request_.steps == nullptr || request_.steps->empty())
        return std::max(needed(needs_of(request_, dimensions), rows), gathering);
    const Needs needs = needs_of(request_, prepared_dimensions(dimensions));
    return std::max({needed(needs, rows * rows_after(*request_.steps)), gathering,
                     preparing(rows, dimensions)});
}

/// The number of descriptors, up to `rows`, that have room.
std::uint64_t TrainingMemory::most_rows(std::uint64_t rows, std::size_t dimensions) const {
    const auto numbers = std::views::iota(std::uint64_t{0}, rows + 1);
    const auto no_room = std::ranges::partition_point(
        numbers, [&](std::uint64_t fewer) { return in_memory(fewer, dimensions) <= room_; });
    return static_cast<std::uint64_t>(std::max<std::int64_t>(0, no_room - numbers.begin() - 1));
}

std::size_t TrainingMemory::sample(std::size_t dimensions) const {
    if (request_.memory > 0 || part_ > 0) return request_.sample;
    const std::uint64_t all = room_ / (sizeof(float) * dimensions); // more have no room
    const std::uint64_t wanted = request_.sample > 0 ? request_.sample : all;
    std::uint64_t fit = most_rows(std::min(wanted, all), dimensions);
    if (fit < request_.training->k) fit = std::min(wanted, all); // see require_words()
    if (request_.sample > 0 && fit >= request_.sample) return request_.sample;
    return std::max<std::uint64_t>(1, fit); // 0 would be all
}

void TrainingMemory::require_words(std::uint64_t rows, std::size_t dimensions) const {
    const std::size_t k = request_.training->k;
    if (request_.memory > 0 || part_ > 0 || rows < k || most_rows(rows, dimensions) >= k) return;
    throw Error(Fault::device,
                fmt::format("to learn {} words takes {} of memory, and half of what is free is {}; "
                            "learn fewer, or give it more memory",
                            k, mebibytes(in_memory(k, dimensions)), mebibytes(room_)));
}

void TrainingMemory::require_room(std::uint64_t rows, std::size_t dimensions) const {
    if (request_.memory == 0 || rows == 0 || in_memory(rows, dimensions) <= room_) return;
    const char *next = request_.training->start == Start::greedy
                           ? ", lower --sample, or leave --init out: greedy keeps all of them there"
                       : !request_.training->branches.empty()
                           ? ", or give a smaller --sample: --tree keeps all of them there"
                       : !request_.takes_all ? " or lower --sample"
                       : collections_
                           ? ", lower --sample, or give --sample 0, which leaves them in their file"
                           : ", lower --sample, or extract all of them to one .fbin, which "
                             "--sample 0 leaves in its file";
    throw Error(Fault::usage,
                fmt::format("--memory {} has room for {} descriptors of {} dimensions, and there "
                            "are more; raise it{}",
                            mebibytes(request_.memory), most_rows(rows - 1, dimensions), dimensions,
                            next));
}

} // namespace bowhist
