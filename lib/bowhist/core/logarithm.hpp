#pragma once

namespace bowhist {

/// The logarithm of x to the base of 2, the same bits everywhere: the exponent plus a series of
/// additions, multiplications and one division in float64. The error is below 10^-12. x is first
/// brought into [2^-64, 2^64]; NaN counts as 2^64.
double logarithm_of_2(double x);

} // namespace bowhist
