#pragma once

#include <bowhist/duplicates/pixels/alignment.hpp>

#include <limits>

namespace bowhist {

/// The weight of a pixel whose levels differ by `difference`: things laid over an image count
/// little.

inline double weight_of(double difference, double usual = usual_level_difference) {
    const double square = usual * usual;
    return square / (square + difference * difference);
}

/// A line through all levels: what a tone curve starts from.
ToneCurve fitted_line(const Overlay &overlay);

/// The line again, where pixels that differ much from the one before count less.
ToneCurve fitted_line(const Overlay &overlay, const ToneCurve &before);

/// The mean lower level of each upper level, where pixels that differ much count less. Levels that
/// few pixels have keep their distance to their neighbors'.
/// @param farthest  from the curve before: pixels that differ more do not count
ToneCurve fitted_tone(const Overlay &overlay, const ToneCurve &before,
                      double farthest = std::numeric_limits<double>::infinity());

/// The lower image's levels as they would be in the upper one, as `upper` of the result.
Overlay turned_over(const Overlay &overlay);

} // namespace bowhist
