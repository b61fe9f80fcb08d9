#pragma once

#include <bowhist/duplicates/duplicates.hpp>
#include <bowhist/duplicates/pair_check.hpp>

#include <functional>
#include <string>

namespace bowhist {

/// Gets each pair that was compared, with both paths, in a fixed order.
using ReportPair =
    std::function<void(const std::string &, const std::string &, const CheckedPair &)>;

/// As find_duplicates(), and reports what was measured of pairs.
Duplicates find_duplicates(const DuplicatesRequest &request, const ReportPair &report,
                           Observer &observer);

} // namespace bowhist
