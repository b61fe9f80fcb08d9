#pragma once

#include <bowhist/io/surrogate_escape.hpp>

#include <string>

namespace bowhist {

/// A member of `meta`'s JSON object with a comma behind it; nothing without a rule.
inline std::string rule_member(const std::string &rule) {
    return rule.empty() ? "" : "\"rule\": " + json_string(rule) + ", ";
}

} // namespace bowhist
