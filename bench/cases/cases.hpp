#pragma once

#include "bench/rounds.hpp"
#include "bench/scene.hpp"

#include <span>

namespace bowhist {

// The ways of each operation, ready to run. Bytes and operations are counted as docs/bench.md says;
// `k` is 0 where an operation has no words.

/// Assignment by every level asked for, and by every size of work-group where a level takes one.
std::vector<Case> assign_cases(const Scene &scene, std::size_t k);

/// Each start of k-means that chooses, on the host and on the device. Both are timed by the clock:
/// what lies on the host goes there and back.
std::vector<Case> train_start_cases(const Scene &scene, std::size_t k);

/// An iteration of k-means by each level asked for, else by those that are neither the reference
/// nor the book's; the update in it alone, a read of the descriptors, and the search for the one
/// that an empty word is put on.
std::vector<Case> train_iteration_cases(const Scene &scene, std::size_t k);

/// How many of `counts` differ from a recount of `words`, plus the words that it has no count for.
std::uint64_t wrong_counts(std::span<const std::int32_t> words,
                           std::span<const std::uint32_t> counts);

/// Every way of ops/transpose, on n rows of D floats.
std::vector<Case> transpose_cases(const Scene &scene, std::size_t k);

/// The same on square pictures of floats or bytes, as many elements as n descriptors have floats.
/// Each way twice: with rows as far apart as they are long, and ("+pad") a line more than that.
std::vector<Case> turn_float_cases(const Scene &scene, std::size_t k);
std::vector<Case> turn_byte_cases(const Scene &scene, std::size_t k);

/// The whole blur, by every shape of ops/gaussian: each pixel in once and out once, and the
/// 94 operations of our recursion. What its kernels ask of memory is 14 floats a pixel with
/// transposes, 10 without.
std::vector<Case> gaussian_cases(const Scene &scene, std::size_t k);

/// One pass along columns, by its five floats of traffic a pixel: the run down reads the picture
/// and keeps its half of the blur, the run up reads both and writes. "+cut": cut after 256
/// rows, with the reading that this takes.
std::vector<Case> gaussian_column_cases(const Scene &scene, std::size_t k);

/// Prefix sums of the rows of a batch of pictures of floats, by every method.
std::vector<Case> scan_row_cases(const Scene &scene, std::size_t k);

/// As many uint32 as one vector, by every method and in plain C++.
std::vector<Case> scan_vector_cases(const Scene &scene, std::size_t k);

/// The same vector, of which about half is kept.
std::vector<Case> compact_cases(const Scene &scene, std::size_t k);

/// Integral images of as many bytes as n descriptors have, by every method.
std::vector<Case> integral_cases(const Scene &scene, std::size_t k);

/// The greys of such pictures counted, by every method and in plain C++, on noise and, "+flat", on
/// pictures of one grey, where all count the same.
std::vector<Case> histogram256_cases(const Scene &scene, std::size_t k);

/// Histogram equalisation, for each way of counting that has a look-up of its own.
std::vector<Case> equalise_cases(const Scene &scene, std::size_t k);

/// Every way of ops/convolve with weights that are no product, 5×5 or 9×9. Beside what the textbook
/// predicts of loads stands what the launch asks for (ops/convolve_bytes.hpp has both).
std::vector<Case> convolve_5x5_cases(const Scene &scene, std::size_t k);
std::vector<Case> convolve_9x9_cases(const Scene &scene, std::size_t k);

/// A product of 15 and 15 weights: in one launch, and as rows, then columns through a picture
/// between.
std::vector<Case> convolve_separable_cases(const Scene &scene, std::size_t k);

/// Pictures to descriptors, by the extractor of that name with its defaults: the whole, and each
/// kernel's share of it; and on the host. Of as many pixels as n descriptors have floats, or as the
/// program extracts from at a time.
std::vector<Case> dense_cases(const Scene &scene, std::size_t k);
std::vector<Case> surf_cases(const Scene &scene, std::size_t k);

/// What a device's memory wants: each way reads as many floats as n descriptors have (rounded down
/// to a power of two), once each, in its own order, and adds them up; all sums are checked. The
/// ways through local and constant memory read a small table over and over: their bytes are that
/// memory's, and can come to more than any copy through global memory.
std::vector<Case> memory_cases(const Scene &scene, std::size_t k);

/// How many floats are read where `asked` were asked for: a power of two, no less than 4096, and
/// two such buffers' worth within an allocation. Never more than 2²⁷: those are what an image of
/// 4096 texels a row holds on every device, they pass any cache, their number is a uint, and
/// float32 adds up a work-item's share without rounding.
std::size_t memory_floats(std::size_t asked, std::uint64_t allocation_bytes);

} // namespace bowhist
