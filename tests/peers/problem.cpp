#include "tests/peers/problem.hpp"

#include <bowhist/assign/choose/synthetic.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/tables/descriptors/descriptor_file.hpp>
#include <bowhist/tables/vocabulary/vocabulary_file.hpp>

#include <fmt/format.h>

namespace bowhist::peers {

Descriptors read_repeated(const std::string &path, std::size_t n) {
    const Descriptors rows = read_descriptors(path);
    if (rows.size() == 0) throw Error(Fault::input, path + ": there are no rows in it");
    return repeated(rows, n);
}

Vocabulary read_fitting(const std::string &path, const Descriptors &rows) {
    Vocabulary vocabulary = read_vocabulary(path);
    if (vocabulary.dimensions != rows.dimensions)
        throw Error(Fault::vocabulary, fmt::format("{} has {} dimensions, the descriptors have {}",
                                                   path, vocabulary.dimensions, rows.dimensions));
    return vocabulary;
}

} // namespace bowhist::peers
