#include <bowhist/group/tree.hpp>

#include <fmt/format.h>

namespace bowhist {
namespace {

std::string quoted(const std::string &name) {
    std::string result = "'";
    for (const char c : name) {
        result += c;
        if (c == '\'') result += c;
    }
    return result + "'";
}

/// A node on the way from the root, and which of its children comes next.
struct Step {
    std::uint32_t node;
    std::size_t next = 0;
};

} // namespace

std::uint32_t Tree::add(double height) {
    const auto node = static_cast<std::uint32_t>(parents.size());
    parents.push_back(node);
    heights.push_back(height);
    return node;
}

void write_newick(const Tree &tree, std::span<const std::string> names,
                  const std::function<void(std::string_view)> &write) {
    std::vector<std::vector<std::uint32_t>> children(tree.parents.size());
    for (std::uint32_t node = 0; node < tree.parents.size(); ++node)
        if (tree.parents[node] != node) children[tree.parents[node]].push_back(node);
    const auto root = static_cast<std::uint32_t>(tree.parents.size() - 1);
    std::vector<Step> way = {{root}}; // no recursion: trees may be as deep as there are images
    while (!way.empty()) {
        Step &step = way.back();
        const auto &below = children[step.node];
        if (step.next < below.size()) {
            write(step.next == 0 ? "(" : ",");
            way.push_back({below[step.next++]});
            continue;
        }
        if (!below.empty()) write(")");
        if (step.node < names.size()) write(quoted(names[step.node]));
        if (step.node != root)
            write(fmt::format(":{}",
                              tree.heights[tree.parents[step.node]] - tree.heights[step.node]));
        way.pop_back();
    }
    write(";\n");
}

} // namespace bowhist
