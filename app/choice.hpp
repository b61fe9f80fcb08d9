#pragma once

#include "app/command.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

namespace bowhist::app {

/// An option that takes one of a few words.
template <typename Value>
CLI::Option *add_choice(Command &command, const std::string &names, Value &value,
                        const std::vector<std::pair<std::string, Value>> &choices,
                        const std::string &description) {
    const auto choose = [names, &value, choices](const std::string &word) {
        std::string known;
        for (const auto &[name, meant] : choices) {
            if (name == word) {
                value = meant;
                return;
            }
            known += (known.empty() ? "" : ", ") + name;
        }
        throw CLI::ValidationError(
            names, fmt::format("there is no \"{}\"; choose one of: {}", word, known));
    };
    return command.add_option_function<std::string>(names, choose, description);
}

} // namespace bowhist::app
