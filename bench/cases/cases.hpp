#pragma once

#include "bench/rounds.hpp"
#include "bench/scene.hpp"

#include <cstdint>
#include <span>

namespace bowhist {

// The ways of each operation, ready to run, for the table in operations(). Bytes and operations are
// counted as docs/bench.md defines them.

/// Assignment by every requested level, and by every size of work-group where a level takes one.
std::vector<Case> assign_cases(const Scene &scene);

/// Assignment by gpu6 in every shape of its table that suits the device.
std::vector<Case> tile_cases(const Scene &scene);

/// Each start of k-means that chooses, on the host and on the device. Both are timed by the clock,
/// from descriptors on the host to centroids on the host.
std::vector<Case> train_start_cases(const Scene &scene);

/// An iteration of k-means by each requested level, else by all but the reference and the book's;
/// the update in it alone, a read of the descriptors, and the search for the descriptor that an
/// empty word is moved to.
std::vector<Case> train_iteration_cases(const Scene &scene);

/// How many of `counts` differ from a recount of `words`, plus the words without a count.
std::uint64_t wrong_counts(std::span<const std::int32_t> words,
                           std::span<const std::uint32_t> counts);

/// Every way of ops/transpose, on n rows of D floats.
std::vector<Case> transpose_cases(const Scene &scene);

/// The same on square images of floats or bytes, with as many elements as n descriptors have
/// floats. Each way runs twice: on rows without padding, and ("+pad") with a line of padding.
std::vector<Case> transpose_float_cases(const Scene &scene);
std::vector<Case> transpose_byte_cases(const Scene &scene);

/// The whole blur, by every shape of ops/gaussian: each pixel in once and out once, and the
/// 94 operations of our recursion. Its kernels ask for 14 floats a pixel with transposes, 10
/// without.
std::vector<Case> gaussian_cases(const Scene &scene);

/// One pass along columns, by its five floats of traffic a pixel: the run down reads the picture
/// and keeps its half of the blur, the run up reads both and writes. "+cut": cut after 256
/// rows, with the additional reads.
std::vector<Case> gaussian_column_cases(const Scene &scene);

/// Prefix sums of the rows of a batch of images of floats, by every method.
std::vector<Case> scan_row_cases(const Scene &scene);

/// Prefix sums of one vector of as many uint32, by every method and in plain C++.
std::vector<Case> scan_vector_cases(const Scene &scene);

/// The same vector, of which about half is kept.
std::vector<Case> compact_cases(const Scene &scene);

/// Integral images of as many bytes as n descriptors have, by every method.
std::vector<Case> integral_cases(const Scene &scene);

/// The grey values of such images counted, by every method and in plain C++: of noise, and
/// ("+flat") of one grey, where every work-item increments the same counter.
std::vector<Case> histogram256_cases(const Scene &scene);

/// Histogram equalization, for each way of counting that has a look-up of its own.
std::vector<Case> equalize_cases(const Scene &scene);

/// Every way of ops/convolve with weights that are no product, 5×5 or 9×9. The textbook predicts
/// the loads; what the launch asks for stands beside (ops/convolve_bytes.hpp has both).
std::vector<Case> convolve_5x5_cases(const Scene &scene);
std::vector<Case> convolve_9x9_cases(const Scene &scene);

/// A product of 15 and 15 weights: in one launch, and as rows, then columns through an image
/// between.
std::vector<Case> convolve_separable_cases(const Scene &scene);

/// Images to descriptors with an extractor's defaults: the whole, each kernel's share of it, and
/// the host. Of as many pixels as n descriptors have floats, but at most as many as the program
/// extracts from at a time.
std::vector<Case> dense_cases(const Scene &scene);
std::vector<Case> surf_cases(const Scene &scene);

/// Reads of a device's memory: each way reads as many floats as n descriptors have (rounded down
/// to a power of two), once each, in its own order, and adds them up; all sums are checked. The
/// ways through local and constant memory read a small table over and over: they count that
/// memory's bytes, which may exceed any copy through global memory.
std::vector<Case> memory_cases(const Scene &scene);

/// The number of floats read if `requested` were requested: a power of two, at least 4096, so that
/// two such buffers fit an allocation. At most 2²⁷: an image of 4096 texels a row holds them on
/// every device, they exceed any cache, their number is a uint, and float32 adds up a work-item's
/// share without rounding.
std::size_t memory_floats(std::size_t requested, std::uint64_t allocation_bytes);

} // namespace bowhist
