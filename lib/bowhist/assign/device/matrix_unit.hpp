#pragma once

#include <bowhist/device/device.hpp>

namespace bowhist {

/// How far sums in the matrix unit may be off, relative to the largest product or sum in them.
///
/// A block of products and the sum so far are aligned to the largest term's nominal exponent, cut
/// off below it and added exactly; the result is cut off to float32 (Xie, Yang, Wang, Yang:
/// MMA-Sim, arXiv 2511.10909, bit-exact on NVIDIA's GPUs). This pays for blocks of four and 23 bits
/// below the exponent, Volta's: six cuts for four terms. Later ones have blocks of eight or sixteen
/// and keep a bit or two more. A few cuts more pay for |c|²/2.
double matrix_rounding(std::size_t dimensions);

/// Whether mma.sync keeps every score of the probes within its bound: probed once per device.
bool keeps_the_bound(Device &device);

/// The same of wgmma, on a device that has it.
bool wgmma_keeps_the_bound(Device &device);

} // namespace bowhist
