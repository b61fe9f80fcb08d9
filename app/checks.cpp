#include "app/checks.hpp"

#include <bowhist/core/printable.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <filesystem>

namespace bowhist::app {

CLI::Validator ends_in(const std::vector<std::string> &endings) {
    return {[endings](const std::string &path) {
                std::string found = std::filesystem::path(path).extension().string();
                std::ranges::transform(found, found.begin(),
                                       [](unsigned char c) { return std::tolower(c); });
                if (std::ranges::find(endings, found) != endings.end()) return std::string();
                return fmt::format("{} does not end in {}", printable(path),
                                   fmt::join(endings, " or "));
            },
            ""};
}

CLI::Validator dash_or_ends_in(const std::vector<std::string> &endings) {
    return {[named = ends_in(endings)](const std::string &path) {
                return path == "-" ? std::string() : named(path);
            },
            ""};
}

CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
    return {[least, most](const std::string &text) {
                std::uint64_t number = 0;
                const auto [end, error] =
                    std::from_chars(text.data(), text.data() + text.size(), number);
                const bool whole = error == std::errc{} && end == text.data() + text.size();
                if (whole && number >= least && number <= most) return std::string();
                return most == std::numeric_limits<std::uint64_t>::max()
                           ? fmt::format("takes a whole number from {} on, not {}", least,
                                         printable(text))
                           : fmt::format("takes a whole number from {} to {}, not {}", least, most,
                                         printable(text));
            },
            ""};
}

CLI::Validator none_or_within(double least, double most) {
    return {[least, most](const std::string &text) {
                double number = 0;
                const auto [end, error] =
                    std::from_chars(text.data(), text.data() + text.size(), number);
                const bool sound = error == std::errc{} && end == text.data() + text.size() &&
                                   (number == 0 || (number >= least && number <= most));
                return sound ? std::string()
                             : fmt::format("takes a number from {} to {}, or 0 for none, not {}",
                                           least, most, printable(text));
            },
            ""};
}

CLI::Validator finite_from_zero() {
    return {[](const std::string &text) {
                double threshold = -1;
                const auto [end, error] =
                    std::from_chars(text.data(), text.data() + text.size(), threshold);
                const bool sound = error == std::errc{} && end == text.data() + text.size() &&
                                   std::isfinite(threshold) && threshold >= 0;
                return sound ? std::string()
                             : fmt::format("takes a number from 0 (the extractor's own) on, not {}",
                                           printable(text));
            },
            ""};
}

} // namespace bowhist::app
