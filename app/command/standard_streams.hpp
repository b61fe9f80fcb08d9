#pragma once

#include <cstdio>
#include <string>

namespace bowhist::app {

/// The stream of the program's own lines: standard error, also after silence_libraries().
std::FILE *messages();

/// Opens what is closed of the three standard streams on nothing, so that no output file can take
/// their numbers. A closed standard output stays one that cannot be written, a closed standard
/// input one that cannot be read.
void open_standard_streams();

/// From now on only messages() reaches standard error. Decoders and compilers chat there about what
/// they meet, and a skipped input gets one line, ours. The libraries' lines are kept, in case they
/// are their last ones (last_words.hpp).
void silence_libraries();

/// Writes to messages(); that it cannot be written is no reason to stop the work.
void print_message(const std::string &text);

/// Writes what standard output still holds. @throws Error{Fault::output} when any of it was lost
void finish_standard_output();

} // namespace bowhist::app
