#pragma once

#include <bowhist/core/preparation.hpp>
#include <bowhist/inputs/inputs.hpp>
#include <bowhist/train/kmeans.hpp>

#include <cstddef>
#include <cstdint>

namespace bowhist {

/// The size of a training, and the memory that it may take.
struct MemoryRequest {
    std::uint64_t memory = 0; ///< bytes of the whole program; 0: half of what is free
    std::size_t sample = 0;   ///< descriptors to draw; 0: all
    const TrainOptions *training = nullptr;
    bool on_device = false; ///< a level on a device finds the words
    int threads = 0;        ///< 0: one a core
    const PreparationSteps *steps =
        nullptr;           ///< that rows in memory get before; null or empty: none
    bool takes_all = true; ///< a sample of 0 can be asked for
};

/// Bytes to learn from that many descriptors in memory, with the descriptors: a little more rather
/// than less.
std::uint64_t training_bytes(const MemoryRequest &request, std::uint64_t rows,
                             std::size_t dimensions);

/// Bytes to learn a projection to `components` from that many images' rows, of 16-bit numbers.
std::uint64_t projection_bytes(std::uint64_t images, std::uint64_t numbers,
                               std::uint64_t components);

/// @throws Error{Fault::usage} when --memory has no room for a projection beside what is held
void require_projection_room(std::uint64_t memory, std::uint64_t images, std::uint64_t numbers,
                             std::uint64_t components);

/// The place of descriptors while a training learns from them: in memory where they have room
/// there; else those of collections, if all are learned from, stay in their files.
class TrainingMemory {
  public:
    /// @throws Error{Fault::usage} when the requested memory cannot suffice
    TrainingMemory(const MemoryRequest &request, const InputList &list);

    /// How many descriptors are read at a time where they stay in their files; else 0.
    std::size_t part() const { return part_; }
    /// Bytes left, after all images were read, to keep some of these in memory.
    std::uint64_t left_over() const;
    /// As StreamOptions has it.
    std::size_t in_flight() const { return in_flight_; }
    /// How many descriptors are to be kept in memory; 0: unknown.
    std::size_t expected() const { return expected_; }

    /// Descriptors to draw at most: those that were asked for, or fewer where no --memory says how
    /// much may be taken and the free memory has no room for them; 0: all.
    std::size_t sample(std::size_t dimensions) const;
    /// @throws Error{Fault::device} where the descriptors that all words need have no room
    void require_words(std::uint64_t rows, std::size_t dimensions) const;

    /// @throws Error{Fault::usage} when that many descriptors do not fit into the requested
    ///         memory
    void require_room(std::uint64_t rows, std::size_t dimensions) const;

  private:
    void plan(const InputList &list);
    void plan_stream(std::uint64_t rows, std::size_t dimensions);
    std::uint64_t most_rows(std::uint64_t rows, std::size_t dimensions) const;
    std::uint64_t in_memory(std::uint64_t rows, std::size_t dimensions) const;
    std::uint64_t preparing(std::uint64_t rows, std::size_t dimensions) const;
    std::size_t prepared_dimensions(std::size_t dimensions) const;

    MemoryRequest request_;
    std::uint64_t held_;        ///< bytes that the program held when it began
    std::uint64_t room_;        ///< bytes beside them
    bool collections_ = false;  ///< all inputs are theirs
    std::uint64_t largest_ = 1; ///< bytes of the image with the most descriptors, where known
    std::size_t part_ = 0;
    std::uint64_t streaming_ = 0; ///< bytes that training from files takes, once images were read
    std::size_t in_flight_ = 0;
    std::size_t expected_ = 0;
};

} // namespace bowhist
