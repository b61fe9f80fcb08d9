// The lines that bench prints for scripts.
#include "bench/report/bench_text.hpp"
#include "bench/report/columns.hpp"

#include <nlohmann/json.hpp>

namespace bowhist {

std::string as_json_lines(const Group &group) {
    std::string lines;
    for (const Measurement &row : group.measurements) {
        nlohmann::ordered_json object;
        for (const Column &column : columns()) object[std::string(column.key)] = column.value(row);
        lines += object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    }
    return lines;
}

} // namespace bowhist
