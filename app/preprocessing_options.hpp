#pragma once

#include "app/command.hpp"

#include <bowhist/core/border.hpp>
#include <bowhist/core/preprocessing.hpp>
#include <bowhist/pipeline/inputs.hpp>
#include <bowhist/pipeline/preprocessing.hpp>

namespace bowhist::app {

/// Which steps were said outright.
struct PreprocessingGiven {
    bool equalize = false;
    bool blur = false;
    bool filter = false;

    bool any() const { return equalize || blur || filter; }
};

/// --equalize, --blur, --filter
void add_preprocessing_options(Command &command, Preprocessing &steps, PreprocessingGiven &given);

/// --border
void add_border_option(Command &command, Border &border);

/// `others`, but the steps that were said outright as they were said.
Preprocessing overlaid(Preprocessing others, const Preprocessing &steps,
                       const PreprocessingGiven &given);

/// The steps as on the command line, the blank in front; " --blur 0" as well where that was said.
std::string as_asked(const Preprocessing &steps, const PreprocessingGiven &given);

/// What preprocesses the pictures among the inputs. Null when there is nothing to do to them, or
/// none of them: descriptor files need no device. Warns where steps said outright leave some inputs
/// out. @throws as make_preprocessor
std::shared_ptr<Preprocessor> preprocessor_for(const InputList &list, const Preprocessing &steps,
                                               const PreprocessingGiven &given,
                                               const PreprocessorOptions &options,
                                               Observer &observer);

} // namespace bowhist::app
