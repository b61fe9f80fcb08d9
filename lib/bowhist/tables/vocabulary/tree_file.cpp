// c.bin.tree, beside c.bin: the inner nodes of a tree whose leaves are the words of c.bin. All is
// little-endian:
//
//     "bowtree1"   8 bytes
//     c.bin's      its fingerprint, 32 hexadecimal digits
//     D, L         uint32 each: dimensions, levels below the root
//     children     of each level from the root (one node) to L - 1: uint32 of each node. Their sum
//                  is how many nodes the next level has; the last sum is k
//     centroids    of each level from 1 to L - 1: D float32 of each node
//
// The children of a node lie side by side, in the order of their parents.

#include <bowhist/tables/vocabulary/tree_file.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/input_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <string_view>

namespace bowhist {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view magic = "bowtree1";
constexpr std::size_t digits = 32;

template <typename Number>
void append(std::string &bytes, std::span<const Number> numbers) {
    bytes.append(reinterpret_cast<const char *>(numbers.data()), numbers.size_bytes());
}

template <typename Number>
std::vector<Number> take(InputFile &file, std::uint64_t count) {
    if (file.remaining() / sizeof(Number) < count)
        file.fail("is shorter than a tree of its levels; copy it again, or train again");
    std::vector<Number> numbers(count);
    file.read(std::as_writable_bytes(std::span(numbers)));
    return numbers;
}

std::string take_text(InputFile &file, std::size_t size) {
    const std::vector<char> text = take<char>(file, size);
    return {text.begin(), text.end()};
}

/// Numbers of children, level by level. @throws Error where they do not lead to k words
std::vector<std::vector<std::uint32_t>> take_children(InputFile &file, std::size_t levels,
                                                      std::size_t k) {
    std::vector<std::vector<std::uint32_t>> all;
    std::uint64_t nodes = 1;
    for (std::size_t level = 0; level < levels; ++level) {
        all.push_back(take<std::uint32_t>(file, nodes));
        nodes = 0;
        for (const std::uint32_t children : all.back()) {
            nodes += children;
            if (children == 0 || nodes > k)
                file.fail("does not lead to the {} words of its vocabulary; copy it again, or "
                          "train again",
                          k);
        }
    }
    if (nodes != k)
        file.fail("leads to {} words, its vocabulary has {}; copy both again, or train again",
                  nodes, k);
    return all;
}

Vocabulary take_nodes(InputFile &file, std::size_t nodes, std::size_t dimensions) {
    Vocabulary centroids{dimensions, take<float>(file, nodes * dimensions)};
    if (!std::ranges::all_of(centroids.values, [](float value) { return std::isfinite(value); }))
        file.fail("holds NaN or infinity; copy it again, or train again");
    return centroids;
}

VocabularyTree parse(InputFile &file, const VocabularyPair &pair) {
    if (take_text(file, magic.size()) != magic)
        file.fail("is no tree of bowhist; train again with --tree");
    if (take_text(file, digits) != pair.fingerprint)
        file.fail("is the tree of another vocabulary than {}; copy both again, or train again",
                  pair.path);
    const auto header = take<std::uint32_t>(file, 2);
    if (header[0] != pair.vocabulary.dimensions || header[1] < 1 ||
        header[1] > VocabularyTree::most_levels)
        file.fail("has {} levels of {} dimensions; expected 1 to {} of {}", header[1], header[0],
                  VocabularyTree::most_levels, pair.vocabulary.dimensions);
    VocabularyTree tree{take_children(file, header[1], pair.vocabulary.size()), {}, {}};
    for (std::size_t level = 0; level + 1 < tree.depth(); ++level)
        tree.inner.push_back(take_nodes(file, tree.children_of(level), header[0]));
    if (file.remaining() > 0)
        file.fail("is {} bytes longer than its tree; copy it again, or train again",
                  file.remaining());
    return tree;
}

} // namespace

fs::path tree_path(const fs::path &vocabulary) {
    return vocabulary.native() + ".tree";
}

std::string tree_bytes(const VocabularyTree &tree, const std::string &fingerprint) {
    std::string bytes = std::string(magic) + fingerprint;
    const std::size_t dimensions = tree.inner.empty() ? 0 : tree.inner.front().dimensions;
    const std::uint32_t header[] = {static_cast<std::uint32_t>(dimensions),
                                    static_cast<std::uint32_t>(tree.depth())};
    append<std::uint32_t>(bytes, header);
    for (const auto &children : tree.children) append<std::uint32_t>(bytes, children);
    for (const Vocabulary &level : tree.inner) append<float>(bytes, level.values);
    return bytes;
}

VocabularyTree read_tree(const VocabularyPair &pair) {
    const fs::path path = tree_path(pair.path);
    if (is_missing(path))
        throw Error(Fault::vocabulary,
                    fmt::format("{}: there is no tree to descend, {}; leave --descend out, or "
                                "train one: bowhist train --tree 32x32 -o c.bin INPUT...",
                                pair.path, path));
    InputFile file(path, Fault::vocabulary);
    VocabularyTree tree = parse(file, pair);
    tree.fingerprint = fingerprint_of_bytes(tree_bytes(tree, pair.fingerprint));
    const auto &sidecar = pair.recorded.sidecar;
    if (sidecar && !sidecar->tree.empty() && sidecar->tree != tree.fingerprint)
        file.fail("is another tree than {} names; copy all three files again, or train again",
                  sidecar_path(pair.path));
    return tree;
}

VocabularyPair read_vocabulary_pair(const fs::path &vocabulary, bool descends) {
    VocabularyPair pair = read_vocabulary_pair(vocabulary);
    if (descends) pair.tree = std::make_shared<const VocabularyTree>(read_tree(pair));
    return pair;
}

} // namespace bowhist
