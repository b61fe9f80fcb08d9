#pragma once

#include <bowhist/assign/assigner.hpp>
#include <bowhist/core/vocabulary.hpp>

namespace bowhist {

/// Compares the assigner's words with the rule's, for rows on the line through two words, and rows
/// nearly as far from one as from the other. For levels with kernels of a user's own
/// (--kernel-dir). Takes a tenth of a second at most.
/// @throws Error{Fault::device} that counts the wrong words, if there are any
void require_words_of_the_rule(Assigner &assigner, const Vocabulary &vocabulary);

} // namespace bowhist
