#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/duplicates/candidates.hpp>
#include <bowhist/duplicates/duplicates.hpp>
#include <bowhist/duplicates/kept_pairs.hpp>
#include <bowhist/duplicates/pixels/pixel_comparison.hpp>
#include <bowhist/duplicates/shared_geometry.hpp>

#include <functional>
#include <string>
#include <vector>

namespace bowhist {

/// A pair of images that share words and places, and what their pixels say.
struct CheckedPair {
    CandidatePair pair = {};
    SharedGeometry geometry = {};
    PixelComparison pixels = {};
};

/// Checks candidates. Pairs of fewer than 8 agreeing places are left out; the side of a pair that
/// has more places remains. The same result for any number of threads. Earlier results are taken
/// from `kept`, and new ones go there.
/// @param recipe      of the words
/// @param candidates in their order
std::vector<CheckedPair> check_pairs(const NumberedImages &images, const Recipe &recipe,
                                     const std::vector<CandidatePair> &candidates, KeptPairs &kept,
                                     Observer &observer);

/// The thumbnail that a library holds, or one that is made of the image's file.
/// @return of no pixels where there is neither
SizedThumbnail thumbnail_of(const LibraryImage &image, const std::string &stored);

/// Gets each pair that was compared, with both paths, in a fixed order.
using ReportPair =
    std::function<void(const std::string &, const std::string &, const CheckedPair &)>;

/// As find_duplicates(), and reports what was measured of pairs.
Duplicates find_duplicates(const DuplicatesRequest &request, const ReportPair &report,
                           Observer &observer);

} // namespace bowhist
