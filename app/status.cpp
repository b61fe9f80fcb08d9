// bowhist status: what a library holds.
#include "app/command/options.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/surrogate_escape.hpp>
#include <bowhist/library/library.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <ctime>
#include <limits>
#include <string_view>
#include <vector>

namespace bowhist::app {
namespace {

struct StatusCall {
    std::filesystem::path library;
    bool integrity = false;
    bool json = false;
    ConsoleOptions console;
};

StatusCall read_call(const Arguments &arguments) {
    StatusCall call;
    Command command("status", "Says what a library holds.", "photos.bow",
                    "  bowhist status photos.bow\n"
                    "  bowhist status --integrity --json photos.bow");
    command.add_flag("--integrity", call.integrity,
                     "Verify the file and the checksum of every row; status 3 where it is damaged");
    command.add_flag("--json", call.json, "One JSON object");
    add_console_options(command, call.console);
    const auto operands = command.parse(arguments);
    if (operands.size() != 1)
        throw Error(Fault::usage, "status takes one library: bowhist status photos.bow");
    call.library = operands.front();
    return call;
}

/// "2026-11-26 07:10:54 UTC".
std::string time_text(std::int64_t seconds) {
    if (seconds == 0) return "never";
    const std::time_t time = seconds;
    std::tm parts{};
    ::gmtime_r(&time, &parts);
    std::string text(32, '\0');
    text.resize(std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S UTC", &parts));
    return text;
}

/// " (/home/me/photos)" of a root that was given by a relative path.
std::string place_of(const LibraryStatus::Root &root) {
    const bool is_plain = root.path.empty() || root.path.starts_with('/') || root.place.empty();
    return is_plain ? "" : fmt::format(" ({})", std::filesystem::path(root.place));
}

/// "photos/broken.jpg: no picture ..." of each.
std::string lines_of(const std::vector<SkippedFile> &skips) {
    std::string text;
    for (const SkippedFile &skip : skips)
        text += fmt::format("    {}: {}\n", printable(skip.path), excerpt(skip.reason));
    return text;
}

std::string table_of(const LibraryStatus &status, const std::vector<SkippedFile> &skips) {
    std::string text = fmt::format("images    {:>12}\n", status.images);
    text += fmt::format("paths     {:>12}\n", status.files);
    text += fmt::format("gone      {:>12}\n", status.gone);
    text += fmt::format("skipped   {:>12}\n", status.skipped);
    for (const auto &[reason, files] : status.reasons)
        text += fmt::format("  {:>10}  {}\n", files, excerpt(reason));
    text += lines_of(skips);
    text += fmt::format("updated   {}\nholds     {}\n\nroots\n", time_text(status.updated),
                        status.holds);
    for (const LibraryStatus::Root &root : status.roots)
        text += fmt::format("  {:>10}  {}{}\n", root.files,
                            root.path.empty() ? "(files that were named)" : printable(root.path),
                            place_of(root));
    text += "\nmodels\n";
    for (const auto &[kind, model] : status.models)
        text += fmt::format("  {:<6} {:>6}  {}  {}\n", kind, model.size,
                            model.fingerprint.substr(0, 8), model.recipe);
    if (!status.groups.empty()) text += "\ngroups\n";
    for (const LibraryStatus::Group &group : status.groups)
        text += fmt::format("  {:>10}  {}{}\n", group.images,
                            group.number < 0 ? "-1: fit nowhere" : std::to_string(group.number),
                            group.name.empty() ? "" : " " + printable(group.name));
    text += fmt::format("\nbytes     {:>12}\n", status.file_bytes);
    for (const auto &[table, bytes] : status.bytes)
        text += fmt::format("  {:>12}  {}\n", bytes, table);
    return text;
}

std::string json_of(const LibraryStatus &status, const std::vector<SkippedFile> &skips) {
    nlohmann::ordered_json json = {{"images", status.images},
                                   {"paths", status.files},
                                   {"gone", status.gone},
                                   {"skipped", status.skipped}};
    json["reasons"] = nlohmann::ordered_json::object();
    for (const auto &[reason, files] : status.reasons)
        json["reasons"][protect_bytes(reason)] = files;
    json["skips"] = nlohmann::ordered_json::array();
    for (const SkippedFile &skip : skips)
        json["skips"].push_back(
            {{"path", protect_bytes(skip.path)}, {"reason", protect_bytes(skip.reason)}});
    json["holds"] = status.holds;
    json["updated"] = status.updated;
    json["roots"] = nlohmann::ordered_json::array();
    for (const LibraryStatus::Root &root : status.roots)
        json["roots"].push_back({{"path", protect_bytes(root.path)},
                                 {"paths", root.files},
                                 {"place", protect_bytes(root.place)}});
    json["models"] = nlohmann::ordered_json::object();
    for (const auto &[kind, model] : status.models)
        json["models"][kind] = {{"size", model.size},
                                {"fingerprint", model.fingerprint},
                                {"recipe", protect_bytes(model.recipe)}};
    json["groups"] = nlohmann::ordered_json::array();
    for (const LibraryStatus::Group &group : status.groups)
        json["groups"].push_back({{"number", group.number},
                                  {"name", protect_bytes(group.name)},
                                  {"images", group.images}});
    json["bytes"] = status.file_bytes;
    json["tables"] = status.bytes;
    json["damages"] = status.damages;
    return json.dump(2) + "\n";
}

/// Whether nothing is lost: all of the index can be made of the other tables.
bool is_only_of_index(const std::vector<std::string> &damages) {
    return std::ranges::all_of(damages, [](std::string_view damage) {
        constexpr std::array tables{"segments", "postings", "code_blocks", "unindexed"};
        return damage.starts_with("the index of search") ||
               std::ranges::any_of(tables, [&](const char *table) {
                   return damage.starts_with("row ") &&
                          damage.ends_with(fmt::format("of the table {}", table));
               });
    });
}

} // namespace

int status_verb(const Arguments &arguments) {
    constexpr std::size_t all = std::numeric_limits<std::int64_t>::max();
    const StatusCall call = read_call(arguments);
    Console console(call.console);
    const LibraryStatus status = status_of_library(call.library, call.integrity, console);
    std::vector<SkippedFile> skips;
    if (status.damages.empty() && (call.json || call.console.verbose))
        skips = skips_of_library(call.library, all);
    if (call.json || status.damages.empty())
        fmt::print("{}", call.json ? json_of(status, skips) : table_of(status, skips));
    for (const std::string &damage : status.damages) console.warning(damage);
    if (status.damages.empty()) return 0;
    throw Error(Fault::input,
                fmt::format("{}: damaged in {}, the first: {}; make {}", call.library,
                            counted(status.damages.size(), "place"), status.damages.front(),
                            is_only_of_index(status.damages)
                                ? fmt::format("the index again: bowhist index -o {} --reindex",
                                              call.library)
                                : "it again: bowhist index -o NEW.bow INPUT..."));
}

} // namespace bowhist::app
