#include "app/command/checks.hpp"

#include <bowhist/core/as_number.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/ending.hpp>
#include <bowhist/report/page_files.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <system_error>

namespace bowhist::app {
namespace {

/// A number that is `sound`; `what` says which these are.
template <typename Number, typename Sound>
CLI::Validator number(const std::string &what, Sound sound) {
    return {[what, sound](const std::string &text) {
                const auto value = as_number<Number>(text);
                return value && sound(*value)
                           ? std::string()
                           : fmt::format("takes {}, not {}", what, printable(text));
            },
            ""};
}

} // namespace

CLI::Validator ends_in(const std::vector<std::string> &endings) {
    return {[endings](const std::string &path) {
                if (std::ranges::find(endings, ending_of(path)) != endings.end())
                    return std::string();
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

CLI::Validator page_place() {
    return {[named = ends_in({".html"})](const std::string &path) {
                const std::string complaint = named(path);
                if (complaint.empty() || page_of(path) != path) return std::string();
                return complaint + ", and a folder ends in /";
            },
            ""};
}

CLI::Validator existing_folder() {
    return {[](const std::string &path) {
                std::error_code unknown;
                const auto status = std::filesystem::status(path, unknown);
                if (std::filesystem::is_directory(status)) return std::string();
                return fmt::format("takes a folder, and {} {}", printable(path),
                                   std::filesystem::exists(status) ? "is no folder"
                                                                   : "is not there");
            },
            ""};
}

CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
    const bool limited = most != std::numeric_limits<std::uint64_t>::max();
    return number<std::uint64_t>(
        fmt::format("a whole number from {} {}", least,
                    limited ? fmt::format("to {}", most) : "on"),
        [least, most](std::uint64_t value) { return value >= least && value <= most; });
}

CLI::Validator none_or_within(double least, double most) {
    return number<double>(
        fmt::format("a number from {} to {}{}", least, most, least > 0 ? ", or 0 for none" : ""),
        [least, most](double value) { return value == 0 || (value >= least && value <= most); });
}

CLI::Validator size_in_bytes() {
    return {[](std::string &text) {
                const std::string given = text;
                try {
                    constexpr bool k_is_1000 = false;
                    const bool begins = !text.empty() && text[0] >= '1' && text[0] <= '9';
                    if (begins && CLI::AsSizeValue(k_is_1000)(text).empty()) return std::string();
                } catch (const CLI::Error &) {
                    // no number, no unit, or too many bytes
                }
                return fmt::format("takes a size, such as 512M or 4G, not {}", printable(given));
            },
            ""};
}

CLI::Validator finite_from_zero(const std::string &zero) {
    return number<double>(
        fmt::format("a number from 0{} on", zero.empty() ? "" : " (" + zero + ")"),
        [](double value) { return std::isfinite(value) && value >= 0; });
}

} // namespace bowhist::app
