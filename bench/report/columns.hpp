#pragma once

#include "bench/measurement.hpp"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace bowhist {

/// One property of a row, in the JSON lines and, if it has a heading, in the table.
struct Column {
    std::string_view key;                                             ///< in JSON
    std::function<nlohmann::ordered_json(const Measurement &)> value; ///< null: not measured

    std::string_view heading = {}; ///< in the table; a rate's is its unit
    int width = 0;                 ///< there, in characters; 0: a line of its own below the rows
    std::string_view meaning = {}; ///< for --help
    /// The value as people read it; by default as in JSON.
    std::function<std::string(const nlohmann::ordered_json &value, const Measurement &row)> show =
        {};

    /// The table's cell; empty if the value was not measured.
    std::string cell(const Measurement &row) const;
};

/// Every column, in the order of the JSON keys.
const std::vector<Column> &columns();

/// The columns of the table, from the left.
std::vector<const Column *> table_columns();

/// The column with that JSON key.
const Column &column(std::string_view key);

} // namespace bowhist
