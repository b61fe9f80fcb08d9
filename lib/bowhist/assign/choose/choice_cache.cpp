// auto.json, the newest entry first:
//     {"choices": [{"for": {"version", "host", "device", "driver", "candidates", "dimensions",
//     "k"},
//                   "level", "gigaflops", "measured": "2026-11-20", "busy": false}, ...]}
//
// Entries are read one by one. An entry that bowhist would not have written is ignored, and lost.

#include <bowhist/assign/choose/choice_cache.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/atomic_file.hpp>
#include <bowhist/io/input_file.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <string_view>
#include <vector>

namespace bowhist {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::size_t most_entries = 256; // those of old versions and drivers are dropped some day
constexpr std::size_t most_bytes = 1 << 20; // all entries take less than a quarter

struct Entry {
    ChoiceKey key;
    RememberedChoice choice;
};

ordered_json as_json(const Entry &entry) {
    return {{"for",
             {{"version", entry.key.version},
              {"host", entry.key.host},
              {"device", entry.key.device},
              {"driver", entry.key.driver},
              {"candidates", entry.key.candidates},
              {"dimensions", entry.key.dimensions},
              {"k", entry.key.k}}},
            {"level", entry.choice.level},
            {"gigaflops", entry.choice.gigaflops},
            {"measured", entry.choice.date},
            {"busy", entry.choice.was_busy}};
}

/// Digits and hyphens: "2026-11-20", or empty.
bool is_date(std::string_view text) {
    return text.size() <= 10 && text.find_first_not_of("0123456789-") == std::string_view::npos;
}

/// Nothing for what bowhist would not have written.
std::optional<Entry> entry_of(const json &value) {
    try {
        const json &key = value.at("for");
        const auto text = [](const json &from, const char *name) {
            return from.at(name).get_ref<const std::string &>();
        };
        const auto whole = [&key](const char *name) {
            return std::size_t{key.at(name).get_ref<const std::uint64_t &>()};
        };
        Entry entry{.key = {.version = text(key, "version"),
                            .host = text(key, "host"),
                            .device = text(key, "device"),
                            .driver = text(key, "driver"),
                            .candidates = text(key, "candidates"),
                            .dimensions = whole("dimensions"),
                            .k = whole("k")},
                    .choice = {text(value, "level"), value.at("gigaflops").get<double>(),
                               text(value, "measured"), value.at("busy").get<bool>()}};
        return is_date(entry.choice.date) ? std::optional(entry) : std::nullopt;
    } catch (const json::exception &) {
        return std::nullopt;
    }
}

/// Empty for a file that is too large, or anything but a file.
std::string text_of(const fs::path &path) {
    try {
        InputFile file(path, Fault::input);
        return file.size() > most_bytes ? std::string() : file.read_text();
    } catch (const Error &) {
        return {};
    }
}

std::vector<Entry> read_entries(const fs::path &file) {
    std::vector<Entry> entries;
    const json all = json::parse(text_of(file), nullptr, false);
    const auto choices = all.is_object() ? all.find("choices") : all.end();
    if (choices == all.end() || !choices->is_array()) return entries;
    for (const json &value : *choices)
        if (auto entry = entry_of(value)) entries.push_back(std::move(*entry));
    return entries;
}

} // namespace

ChoiceCache::ChoiceCache(const fs::path &folder)
    : file_(folder.empty() ? fs::path() : folder / "auto.json") {}

std::optional<RememberedChoice> ChoiceCache::find(const ChoiceKey &key) const {
    for (const Entry &entry : read_entries(file_))
        if (entry.key == key) return entry.choice;
    return std::nullopt;
}

std::optional<std::string> ChoiceCache::remember(const ChoiceKey &key,
                                                 const RememberedChoice &choice) const {
    if (file_.empty()) return "neither XDG_CACHE_HOME nor HOME names a folder";
    ordered_json entries = ordered_json::array({as_json({key, choice})});
    for (const Entry &entry : read_entries(file_))
        if (entry.key != key && entries.size() < most_entries) entries.push_back(as_json(entry));
    const ordered_json all = {{"choices", std::move(entries)}};
    std::error_code ignored; // writing the file reports the reason
    fs::create_directories(file_.parent_path(), ignored);
    if (const fs::file_status status = fs::status(file_, ignored);
        fs::exists(status) && !fs::is_regular_file(status)) // a pipe would wait for a reader
        return fmt::format("{} is no file", file_);
    try {
        AtomicFile file(file_);
        file.write(all.dump(1, ' ', false, json::error_handler_t::replace) + '\n');
        file.commit();
        return std::nullopt;
    } catch (const Error &error) {
        return error.what();
    }
}

} // namespace bowhist
