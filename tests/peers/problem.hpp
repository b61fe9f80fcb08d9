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

/// The rows of a file, repeated up to n. @throws Error{Fault::input}
Descriptors read_repeated(const std::string &path, std::size_t n);

/// @throws Error{Fault::vocabulary} where its dimensions are not the rows'
Vocabulary read_fitting(const std::string &path, const Descriptors &rows);

} // namespace bowhist::peers
