// auto.json, the newest entry first:
//     {"choices": [{"for": {"version", "host", "device", "driver", "candidates", "dimensions",
//     "k"},
//                   "level", "gigaflops", "measured": "2026-11-20"}, ...]}

#include <bowhist/assign/choice_cache.hpp>
#include <bowhist/core/printable.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <system_error>
#include <unistd.h>

namespace bowhist {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t most_entries = 256; // old versions' and drivers' go at some time

json as_json(const ChoiceKey &key) {
    return {{"version", key.version},
            {"host", key.host},
            {"device", key.device},
            {"driver", key.driver},
            {"candidates", key.candidates},
            {"dimensions", key.dimensions},
            {"k", key.k}};
}

/// The entries of a file; none when it is not what we would have written.
json read_entries(const fs::path &file) {
    std::error_code error;
    if (!fs::is_regular_file(file, error)) return json::array(); // a pipe would hold us
    std::ifstream stream(file, std::ios::binary);
    const json all = json::parse(stream, nullptr, false);
    if (!all.is_object() || !all.contains("choices") || !all.at("choices").is_array())
        return json::array();
    return all.at("choices");
}

bool is_for(const json &entry, const json &key) {
    return entry.is_object() && entry.contains("for") && entry.at("for") == key;
}

/// Whole or not at all: written beside its place, then renamed.
std::error_code replace_file(const fs::path &file, const std::string &text) {
    std::error_code error;
    fs::create_directories(file.parent_path(), error);
    if (error) return error;
    std::string temporary = file.native() + ".XXXXXX";
    const int handle = ::mkstemp(temporary.data());
    if (handle < 0) return {errno, std::generic_category()};
    ::close(handle);
    std::ofstream stream(temporary, std::ios::binary);
    stream << text;
    stream.close();
    if (!stream) error = {errno, std::generic_category()};
    if (!error) fs::rename(temporary, file, error);
    std::error_code ignored; // the first reason is the one to tell
    if (error) fs::remove(temporary, ignored);
    return error;
}

} // namespace

ChoiceCache::ChoiceCache(const fs::path &folder)
    : file_(folder.empty() ? fs::path() : folder / "auto.json") {}

std::optional<RememberedChoice> ChoiceCache::find(const ChoiceKey &key) const {
    const json wanted = as_json(key);
    try {
        for (const json &entry : read_entries(file_))
            if (is_for(entry, wanted))
                return RememberedChoice{entry.at("level").get<std::string>(),
                                        entry.at("gigaflops").get<double>(),
                                        entry.at("measured").get<std::string>()};
    } catch (const json::exception &) {
        return std::nullopt;
    }
    return std::nullopt;
}

std::optional<std::string> ChoiceCache::remember(const ChoiceKey &key,
                                                 const RememberedChoice &choice) const {
    if (file_.empty()) return "neither XDG_CACHE_HOME nor HOME names a folder";
    const json wanted = as_json(key);
    json entries = json::array({{{"for", wanted},
                                 {"level", choice.level},
                                 {"gigaflops", choice.gigaflops},
                                 {"measured", choice.date}}});
    for (const json &entry : read_entries(file_))
        if (!is_for(entry, wanted) && entries.size() < most_entries) entries.push_back(entry);
    const json all = {{"choices", std::move(entries)}};
    const auto error =
        replace_file(file_, all.dump(1, ' ', false, json::error_handler_t::replace) + '\n');
    if (!error) return std::nullopt;
    return fmt::format("{}: cannot be written: {}", printable(file_), error.message());
}

fs::path user_cache_folder() {
    const auto folder = [](const char *variable) {
        const char *value = std::getenv(variable);
        const fs::path path = value == nullptr ? "" : value;
        return path.is_absolute() ? path : fs::path(); // relative ones are void, says XDG
    };
    if (const fs::path cache = folder("XDG_CACHE_HOME"); !cache.empty()) return cache / "bowhist";
    if (const fs::path home = folder("HOME"); !home.empty()) return home / ".cache" / "bowhist";
    return {};
}

} // namespace bowhist
