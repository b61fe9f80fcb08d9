#pragma once

#include <bowhist/assign/device/assign_launch.hpp>
#include <bowhist/core/descriptors.hpp>
#include <bowhist/core/vocabulary.hpp>
#include <bowhist/device/device.hpp>

namespace bowhist {

/// Rows whose words differ between the rule and arithmetic close to it: fused multiply-adds,
/// another order of the sum, a sum in less than float64.
///
/// A row holds one value and every word the same values in another order, at up to 16 of the D
/// places; all others are zero. So all exact distances of a row are equal, and only the rounding of
/// each operation decides. The rule's words do not depend on the places; a sum in lanes shows at
/// neighboring places or at scattered ones.
///
/// Squares of subnormal values are exact. So rows and words hold any values, and a device that
/// flushes subnormals finds all distances 0.
struct RuleProbe {
    enum class Places { together, scattered };
    enum class Values { normal, subnormal };

    RuleProbe(std::size_t dimensions, Places places, Values values = Values::normal);

    Vocabulary words;
    Descriptors rows; ///< 64 up to D = 64, then fewer, down to 16
};

/// Whether decide.cl keeps the rule on a device that has fp64, probed once for each D.
/// @param decide the kernel of decide.cl, built for D dimensions
bool keeps_the_rule(Device &device, Kernel &decide, std::size_t dimensions);

} // namespace bowhist
