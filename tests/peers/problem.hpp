#pragma once

#include <bowhist/core/descriptors.hpp>
#include <bowhist/core/vocabulary.hpp>

#include <string>
#include <vector>

namespace bowhist::peers {

/// What everyone solves. Outlives the contenders made from it.
struct Problem {
    Descriptors descriptors;
    Vocabulary vocabulary;
    int threads = 1;
};

/// n rows around 1000 centres: clusters that overlap, as descriptors do.
Descriptors draw_descriptors(std::size_t n, std::size_t dimensions);

/// The rows of a file, repeated up to n. @throws Error{Fault::input}
Descriptors read_repeated(const std::string &path, std::size_t n);

/// k of the rows; fewer where there are fewer.
Vocabulary draw_vocabulary(const Descriptors &rows, std::size_t k);

/// @throws Error{Fault::vocabulary} where its dimensions are not the rows'
Vocabulary read_fitting(const std::string &path, const Descriptors &rows);

} // namespace bowhist::peers
