#pragma once

#include "bench/rounds.hpp"
#include "bench/scene.hpp"

#include <cstdint>
#include <span>

namespace bowhist {

// The makers of each operation's cases, for the table in operations(). docs/bench.md describes the
// rows, and how their bytes and operations are counted.

std::vector<Case> assign_cases(const Scene &scene);
std::vector<Case> tile_cases(const Scene &scene);
std::vector<Case> train_start_cases(const Scene &scene);
std::vector<Case> train_iteration_cases(const Scene &scene);
std::vector<Case> transpose_cases(const Scene &scene);
template <typename T> // float, std::uint8_t
std::vector<Case> transpose_image_cases(const Scene &scene);
std::vector<Case> gaussian_cases(const Scene &scene);
std::vector<Case> gaussian_column_cases(const Scene &scene);
std::vector<Case> scan_row_cases(const Scene &scene);
std::vector<Case> scan_vector_cases(const Scene &scene);
std::vector<Case> compact_cases(const Scene &scene);
std::vector<Case> integral_cases(const Scene &scene);
std::vector<Case> histogram256_cases(const Scene &scene);
std::vector<Case> equalize_cases(const Scene &scene);
std::vector<Case> convolve_cases(const Scene &scene, std::size_t filter_side);
std::vector<Case> convolve_separable_cases(const Scene &scene);
std::vector<Case> extract_cases(const Scene &scene, const std::string &extractor);
std::vector<Case> search_word_cases(const Scene &scene);
std::vector<Case> search_code_cases(const Scene &scene);
std::vector<Case> memory_cases(const Scene &scene);

/// How many of `counts` differ from a recount of `words`, plus the words without a count.
std::uint64_t wrong_counts(std::span<const std::int32_t> words,
                           std::span<const std::uint32_t> counts);

/// The number of floats that memory_cases() reads if `requested` were requested: a power of two, at
/// least 4096, so that two such buffers fit an allocation. At most 2²⁷: an image of 4096 texels a
/// row holds them on every device, they exceed any cache, their number is a uint, and float32 adds
/// up a work-item's share without rounding.
std::size_t memory_floats(std::size_t requested, std::uint64_t allocation_bytes);

} // namespace bowhist
