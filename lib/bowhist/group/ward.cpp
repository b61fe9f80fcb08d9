#include <bowhist/assign/rule.hpp>
#include <bowhist/group/linkage.hpp>
#include <bowhist/group/ward.hpp>

namespace bowhist {

std::vector<std::uint32_t> ward(const Descriptors &rows, std::span<const double> weights,
                                std::size_t groups, Observer &observer) {
    const auto distance = [&](std::size_t a, std::size_t b) {
        return squared_distance(rows.row(a), rows.row(b));
    };
    return cut(merge_rows(rows.size(), distance, weights, Linkage::ward, observer), groups);
}

} // namespace bowhist
