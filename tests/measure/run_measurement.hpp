#pragma once

#include <bowhist/core/error.hpp>

#include <iostream>

namespace bowhist {

/// @return its status; after an Error, which becomes a line, 3
inline int run_measurement(int (*measure)(int count, char **arguments), int count,
                           char **arguments) try {
    return measure(count, arguments);
} catch (const Error &error) {
    std::cerr << error.what() << '\n';
    return 3;
}

} // namespace bowhist
