#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bowhist {

/// Groups within groups. The first nodes are images; each other node comes after those below it,
/// and the last is the root.
struct Tree {
    std::vector<std::uint32_t> parents; ///< of each node; the root's is itself
    std::vector<double> heights; ///< of each node; images' are 0, and none is above its parent's

    /// Adds a node above all others that have none. @return its number
    std::uint32_t add(double height);
};

/// Writes a tree as Newick (Olsen 1990), a line: `('a.jpg':1,'b.jpg':1):2;` The number behind a
/// node is the height from it to its parent.
/// @param names  of the images, path bytes; quoted, a quote in them doubled
void write_newick(const Tree &tree, std::span<const std::string> names,
                  const std::function<void(std::string_view)> &write);

} // namespace bowhist
