#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace bowhist {

/// "1 image", "2 images".
inline std::string counted(std::size_t count, std::string_view thing) {
    return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

} // namespace bowhist
