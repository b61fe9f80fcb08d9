#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/pipeline/inputs.hpp>
#include <bowhist/search/search_query.hpp>

#include <functional>
#include <string>
#include <vector>

namespace bowhist {

/// The queries that are named, in order, without their places in the library. The argument "-" is
/// an image on standard input, which is read here.
/// @param skip  gets a line for each input that is no image
/// @param skipped  counts what list_given_inputs() skips
/// @throws as list_given_inputs; Error{Fault::usage} where standard input is named twice
std::vector<SearchQuery> list_queries(const InputSource &source, bool strict, Observer &observer,
                                      const std::function<void(const std::string &)> &skip,
                                      std::size_t &skipped);

} // namespace bowhist
