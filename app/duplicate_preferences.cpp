#include "app/duplicate_preferences.hpp"

#include "app/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

namespace bowhist::app {
namespace {

constexpr std::string_view format_front = "format:";

std::vector<std::string> divided(const std::string &list, char by) {
    std::vector<std::string> parts;
    for (std::size_t at = 0; at <= list.size();) {
        const std::size_t end = std::min(list.find(by, at), list.size());
        parts.push_back(list.substr(at, end - at));
        at = end + 1;
    }
    return parts;
}

[[noreturn]] void fail(const std::string &name, const std::string &choices) {
    throw CLI::ValidationError("--prefer",
                               fmt::format("there is no \"{}\"; choose of: {}", name, choices));
}

/// "png+jpg"
std::vector<std::string> read_formats(const std::string &list) {
    std::vector<std::string> formats;
    for (const std::string &name : divided(list, '+')) {
        const std::string_view format = format_of(name);
        if (format.empty()) fail(name, fmt::format("{}", fmt::join(known_formats(), ", ")));
        formats.emplace_back(format);
    }
    return formats;
}

} // namespace

Preferences read_preferences(const std::string &list) {
    static const std::map<std::string, Preference> names{
        {"whole", Preference::whole}, {"pixels", Preference::pixels},
        {"bytes", Preference::bytes}, {"format", Preference::format},
        {"path", Preference::path},   {"oldest", Preference::oldest}};
    Preferences preferences;
    for (std::string name : divided(list, ',')) {
        if (name.starts_with(format_front)) {
            preferences.formats = read_formats(name.substr(format_front.size()));
            name = "format";
        }
        if (!names.contains(name)) fail(name, "whole, pixels, bytes, format, path, oldest");
        preferences.order.push_back(names.at(name));
    }
    return preferences;
}

} // namespace bowhist::app
