#pragma once

#include "app/command.hpp"

#include <bowhist/core/border.hpp>
#include <bowhist/core/preprocessing.hpp>

namespace bowhist::app {

/// Which steps were said outright.
struct PreprocessingGiven {
    bool equalize = false;
    bool blur = false;
    bool filter = false;
};

/// --equalize, --blur, --filter
void add_preprocessing_options(Command &command, Preprocessing &steps, PreprocessingGiven &given);

/// --border
void add_border_option(Command &command, Border &border);

/// `others`, but the steps that were said outright as they were said.
Preprocessing overlaid(Preprocessing others, const Preprocessing &steps,
                       const PreprocessingGiven &given);

} // namespace bowhist::app
