#pragma once

#include <bowhist/group/agreement.hpp>

#include <string>

namespace bowhist {

/// Groups against labels, as an HTML section that opens.
std::string agreement_table(const Agreement &agreement);

/// "dress 83 of 100", as text: the most frequent label of a group; empty of one without labels.
std::string most_frequent_label(const Agreement &agreement, std::int32_t group);

} // namespace bowhist
