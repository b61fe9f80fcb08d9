#pragma once

#include <bowhist/core/descriptors.hpp>
#include <bowhist/core/integer_rows.hpp>
#include <bowhist/core/observer.hpp>

#include <cstddef>
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

/// The cost by which two groups are chosen to merge.
enum class Linkage {
    ward,   ///< what their union adds to the weighted sum of squared distances to the centers
            ///< (Ward, "Hierarchical grouping to optimize an objective function", 1963)
    average ///< the mean squared distance between their rows
};

/// Two groups become one. Each is named by one of its rows.
struct Merge {
    std::uint32_t kept = 0;
    std::uint32_t gone = 0;
    float cost = 0;
};

/// The squared distance of two rows.
using SquaredDistance = std::function<double(std::size_t a, std::size_t b)>;

/// Merges rows, two groups at a time, until one is left: always the two of the least cost, of equal
/// ones any, but the same on every machine. Takes 4 bytes for each pair of rows, twice, and time in
/// proportion to them; distances on all threads. Reports progress as "distances" and "merges".
/// @param rows      how many, fewer than 2³²
/// @param distance  finite, at least 0; 0 of equal rows; called by several threads at once
/// @param weights   how many images each row stands for, above 0
/// @return rows − 1 merges, by their costs, which ascend
/// @throws Error{Fault::interrupted}
std::vector<Merge> merge_rows(std::size_t rows, const SquaredDistance &distance,
                              std::span<const double> weights, Linkage linkage, Observer &observer);

/// The same of rows as they are. @param rows  finite
std::vector<Merge> merge_rows(const Descriptors &rows, std::span<const double> weights,
                              Linkage linkage, Observer &observer);

/// The same of rows brought to unit length. Rows of zeros stay zeros.
std::vector<Merge> merge_rows(const IntegerRows &rows, std::span<const double> weights,
                              Linkage linkage, Observer &observer);

/// Carries out the first merges until `groups` are left, and then those that cost 0.
/// @return each row's group: 0, 1 …, in the order of their first rows
std::vector<std::uint32_t> cut(const std::vector<Merge> &merges, std::size_t groups);

} // namespace bowhist
