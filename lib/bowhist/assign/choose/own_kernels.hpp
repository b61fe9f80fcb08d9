#pragma once

#include <bowhist/assign/assigner.hpp>
#include <bowhist/core/vocabulary.hpp>

namespace bowhist {

/// Compares the assigner's words of a sample with the rule's: of rows on the line
/// through two words, and of rows nearly as far from one as from the other. For levels whose
/// kernels are a user's own (--kernel-dir). Takes a tenth of a second at most.
/// @throws Error{Fault::device} that counts the wrong words, when there is one
void require_words_of_the_rule(Assigner &assigner, const Vocabulary &vocabulary);

} // namespace bowhist
