#pragma once

#include <bowhist/core/descriptors.hpp>
#include <bowhist/core/vocabulary.hpp>
#include <bowhist/device/device.hpp>

#include <vector>

namespace bowhist {

/// How far sums in the matrix unit may be off, relative to the largest product or sum in them.
///
/// A block of products and the sum so far are aligned to the largest term's nominal exponent, cut
/// off below it and added exactly; the result is cut off to float32 (Xie, Yang, Wang, Yang:
/// MMA-Sim, arXiv 2511.10909, bit-exact on NVIDIA's GPUs). This pays for blocks of four and 23 bits
/// below the exponent, Volta's: six cuts for four terms. Later ones have blocks of eight or sixteen
/// and keep a bit or two more. A few cuts more pay for |c|²/2.
double matrix_rounding(std::size_t dimensions);

/// Rows and words whose scores a matrix unit gets wrong when it does not behave as gpu7's bound
/// takes it to (docs/words.md): when it cuts its sums shorter, or takes subnormal fp16 for zero.
struct MatrixProbe {
    Vocabulary words; ///< 64 of 64 dimensions
    Descriptors rows; ///< 64
};

/// One probe of sums that lose much beside a large term; one of words that are subnormal in fp16.
std::vector<MatrixProbe> matrix_probes();

/// Whether mma.sync keeps every score of the probes within its bound: asked once per device.
bool keeps_the_bound(Device &device);

/// The same of wgmma, on a device that has it.
bool wgmma_keeps_the_bound(Device &device);

} // namespace bowhist
