#pragma once

#include <bowhist/group/likeness.hpp>
#include <bowhist/group/neighbors.hpp>

#include <span>

namespace bowhist {

/// Whether a is nearer than b to the row that sees both; of equal ones the lower index is.
/// @param squared_norms  of all rows
template <class Norm>
bool is_nearer(const Neighbor &a, const Neighbor &b, std::span<const Norm> squared_norms) {
    const Seen seen_a{a.product, squared_norms[a.row]};
    const Seen seen_b{b.product, squared_norms[b.row]};
    if (more_alike(seen_a, seen_b)) return true;
    return a.row < b.row && !more_alike(seen_b, seen_a);
}

/// Adds a row to a list of the nearest, if it belongs there.
/// @param list    places for the longest list that there may be
/// @param length  of the list so far
template <class Norm>
void offer(std::span<Neighbor> list, std::uint32_t &length, const Neighbor &one,
           std::span<const Norm> squared_norms) {
    if (length == list.size() && !is_nearer(one, list.back(), squared_norms)) return;
    std::size_t place = length < list.size() ? length++ : list.size() - 1;
    for (; place > 0 && is_nearer(one, list[place - 1], squared_norms); --place)
        list[place] = list[place - 1];
    list[place] = one;
}

} // namespace bowhist
