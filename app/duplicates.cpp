// bowhist duplicates: a library in, groups of copies of the same picture out.
#include "app/command/not_same_options.hpp"
#include "app/command/options.hpp"
#include "app/search/library_of_inputs.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/duplicates/moves/move_script.hpp>
#include <bowhist/duplicates/moves/on_disk.hpp>
#include <bowhist/duplicates/moves/script_text.hpp>
#include <bowhist/duplicates/output/duplicate_rows.hpp>
#include <bowhist/duplicates/output/groups_npz.hpp>
#include <bowhist/io/ending.hpp>
#include <bowhist/io/near_names.hpp>
#include <bowhist/library/library.hpp>
#include <bowhist/pipeline/output_check.hpp>
#include <bowhist/report/copies_page.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <ranges>
#include <string_view>
#include <utility>
#include <vector>

namespace bowhist::app {
namespace {

constexpr int found_status = 4;

struct DuplicatesCall {
    DuplicatesRequest request;
    DuplicatesFormat format = DuplicatesFormat::csv;
    std::filesystem::path output;
    std::filesystem::path pairs;
    bool rows = true;           ///< whether groups are written
    std::filesystem::path page; ///< of pairs side by side
    MoveScriptRequest moves;
    ListedCopies listed;
    NotSameOptions not_same;
    bool exit_code = false;
    InputSource inputs;            ///< folders and images instead of a library
    std::filesystem::path library; ///< that is made of them, and kept
    StreamOptions stream;
    ConsoleOptions console;
};

/// The names that --prefer takes, the usual order first.
constexpr std::array<std::pair<std::string_view, Preference>, 11> preference_names{
    {{"whole", Preference::whole},
     {"color", Preference::color},
     {"upright", Preference::upright},
     {"detail", Preference::detail},
     {"metadata", Preference::metadata},
     {"oldest", Preference::oldest},
     {"newest", Preference::newest},
     {"bytes", Preference::bytes},
     {"path", Preference::path},
     {"pixels", Preference::pixels},
     {"format", Preference::format}}};

std::vector<std::string> divided(const std::string &list, char by) {
    std::vector<std::string> parts;
    for (std::size_t at = 0; at <= list.size();) {
        const std::size_t end = std::min(list.find(by, at), list.size());
        parts.push_back(list.substr(at, end - at));
        at = end + 1;
    }
    return parts;
}

template <class Names>
[[noreturn]] void fail_unknown(const char *option, std::string_view name, const Names &choices) {
    throw CLI::ValidationError(
        option, fmt::format("there is no \"{}\"; choose of: {}", name, fmt::join(choices, ", ")));
}

/// "whole,format:png+jpg,path"
Preferences read_preferences(const std::string &list) {
    constexpr std::string_view format_front = "format:";
    Preferences preferences;
    for (std::string name : divided(list, ',')) {
        if (name.starts_with(format_front)) {
            for (const std::string &ending : divided(name.substr(format_front.size()), '+')) {
                const std::string_view format = format_of(ending);
                if (format.empty()) fail_unknown("--prefer", ending, known_formats());
                preferences.formats.emplace_back(format);
            }
            name = "format";
        }
        const auto found =
            std::ranges::find(preference_names, name, [](const auto &one) { return one.first; });
        if (found == preference_names.end())
            fail_unknown("--prefer", name, preference_names | std::views::keys);
        preferences.order.push_back(found->second);
    }
    return preferences;
}

void add_search_options(Command &command, DuplicatesCall &call) {
    DuplicatesRequest &request = call.request;
    command.add_option("--within", request.within, "Only pictures below this folder")
        ->type_name("DIR");
    add_file(command, "--against", request.against,
             "Only groups with pictures of this other library, which are kept; both have the same "
             "models");
    command
        .add_option("--keep", request.keep,
                    "Copies below this folder are kept; may be given more than once, the best "
                    "folder first")
        ->type_name("DIR")
        ->allow_extra_args(false)
        ->take_all();
    command.add_flag("--scene", request.scene,
                     "Also other photographs of the same thing, in groups of their own");
    add_choice<Match>(
        command, "--match", request.match,
        {{"strict", Match::strict}, {"normal", Match::normal}, {"loose", Match::loose}},
        "How readily two pictures count as copies: strict, normal, loose (default: "
        "normal)")
        ->type_name("HOW");
    command
        .add_option_function<std::string>(
            "--prefer",
            [&request](const std::string &list) { request.prefer = read_preferences(list); },
            "What the best copy is chosen by, in order, with commas between: whole, color, "
            "upright, "
            "detail, metadata, oldest, bytes, path (these by default), newest, pixels, format (or "
            "format:png+jpg: PNG, then JPEG)")
        ->type_name("LIST");
    add_number(command, "--max-candidates", request.max_candidates, 1,
               "Pictures that each one is compared with, by its words", 1'000'000'000);
}

void add_result_options(Command &command, DuplicatesCall &call) {
    add_file(command, "-o,--output", call.output,
             "The ending is the format: .csv .jsonl .npz (without it, or for -, CSV to standard "
             "output)")
        ->check(dash_or_ends_in({".csv", ".jsonl", ".npz"}));
    CLI::Option *blocks = command.add_flag_function(
        "--blocks", [&call](std::int64_t) { call.format = DuplicatesFormat::blocks; },
        "Print the paths of each group, the best first, and an empty line");
    CLI::Option *print0 = command.add_flag_function(
        "--print0", [&call](std::int64_t) { call.format = DuplicatesFormat::paths; },
        "Print only the paths of copies that could go, a NUL behind each");
    print0->excludes(blocks);
    add_file(command, "--pairs", call.pairs,
             "Also write all pairs that were compared, with what was measured, as CSV");
    add_file(command, "--html", call.page,
             "Write a page that shows each copy beside what it is held against: FILE.html, or DIR/ "
             "for a folder with a page; no rows then, unless -o, --blocks or --print0 is given")
        ->check(page_place());
    add_not_same_options(command, call.not_same);
    command.add_flag("--exit-code", call.exit_code, "Exit with status 4 if there are copies");
}

/// "bytes,resized"
void read_kinds(const std::string &list, ListedCopies &listed) {
    for (const std::string &name : divided(list, ',')) {
        if (std::ranges::find(kind_names(), name) == kind_names().end())
            fail_unknown("--only", name, kind_names());
        listed.kinds.insert(name);
    }
}

void add_script_options(Command &command, DuplicatesCall &call) {
    command
        .add_option_function<std::string>(
            "--only", [&call](const std::string &list) { read_kinds(list, call.listed); },
            "Leave out copies unless all of their kinds are in this list: bytes,pixels,resized ...")
        ->type_name("KINDS");
    add_number(command, "--skip-below", call.listed.least_side, 0,
               "Leave out copies whose shorter side has fewer than N pixels", 1'000'000'000);
    add_file(
        command, "--script", call.moves.script,
        "Also write a shell script for the copies that could go, and FILE.undo, which takes back "
        "what it did; needs --to or --action");
    add_file(command, "--to", call.moves.to, "Where the script moves them")->type_name("DIR");
    add_choice<MoveAction>(command, "--action", call.moves.action,
                           {{"move", MoveAction::move},
                            {"trash", MoveAction::trash},
                            {"hardlink", MoveAction::hardlink},
                            {"symlink", MoveAction::symlink},
                            {"reflink", MoveAction::reflink}},
                           "What the script does: move (into --to), trash, or hardlink, symlink, "
                           "reflink where all bytes "
                           "are equal (default: move)")
        ->type_name("WHAT");
}

void check_script(const Command &command, const MoveScriptRequest &moves) {
    const bool has_action = given(command.get_option("--action"));
    if (moves.script.empty()) {
        if (has_action || !moves.to.empty())
            throw Error(Fault::usage, fmt::format("{} needs --script FILE, which does the moves",
                                                  has_action ? "--action" : "--to"));
    } else if (moves.action == MoveAction::move && moves.to.empty()) {
        throw Error(Fault::usage,
                    "--script needs --to DIR, or --action trash, hardlink, symlink or reflink");
    } else if (moves.action != MoveAction::move && !moves.to.empty()) {
        throw Error(Fault::usage, "--to belongs to --action move; leave one of them out");
    }
}

/// A library, or what one is made of.
void settle_inputs(DuplicatesCall &call) {
    std::vector<std::string> &operands = call.inputs.arguments;
    const auto is_one = [](const std::string &operand) { return is_library(operand); };
    std::error_code unknown;
    for (const std::filesystem::path operand : operands)
        if (std::filesystem::status(operand, unknown).type() ==
            std::filesystem::file_type::not_found)
            throw Error(Fault::input,
                        fmt::format("{}: there is no such library, folder or picture{}", operand,
                                    did_you_mean_on_disk(operand)));
    if (std::ranges::none_of(operands, is_one)) {
        if (operands.empty() && call.inputs.list.empty())
            throw Error(Fault::usage, "duplicates takes a library, or folders: bowhist duplicates "
                                      "photos.bow");
        return;
    }
    if (operands.size() > 1 || !call.inputs.list.empty())
        throw Error(Fault::usage, "duplicates takes one library, or folders; index the folders "
                                  "into it first");
    if (!call.library.empty())
        throw Error(Fault::usage, "--library is for folders; there is a library already");
    call.request.library = operands.front();
    operands.clear();
}

/// The request for the library that is made of the named folders.
IndexRequest index_request(const DuplicatesCall &call) {
    IndexRequest request{.library = call.library, .inputs = call.inputs};
    request.describe.stream = call.stream;
    request.describe.mirrored = true;
    if (!call.request.against.empty()) request.models = {call.request.against};
    return request;
}

Paths outputs_of(const DuplicatesCall &call) {
    const auto &script = call.moves.script;
    return {call.output, call.pairs, call.page, script, undo_of(script), record_of(script)};
}

/// No output replaces what the run reads, and no two are one file.
void check_outputs_of(const DuplicatesCall &call) {
    for (const auto &file : {call.pairs, call.page, call.moves.script})
        if (file == "-")
            throw Error(Fault::usage, "-: groups are printed to standard output; name a file for "
                                      "--pairs, --html or --script");
    std::error_code unknown;
    if (!call.request.against.empty() &&
        std::filesystem::equivalent(call.request.library, call.request.against, unknown))
        throw Error(Fault::usage, fmt::format("--against {}: is the library itself; leave it out",
                                              call.request.against));
    const Paths outputs = outputs_of(call);
    check_outputs(outputs,
                  {call.request.library, call.request.against, call.library, call.not_same.list});
    if (!call.moves.script.empty()) require_new_script(call.moves.script);
}

/// No output replaces one of the images either.
void check_images(const DuplicatesCall &call) {
    const Paths outputs = outputs_of(call);
    InputList images;
    if (std::ranges::any_of(outputs,
                            [](const auto &file) { return std::filesystem::exists(file); }))
        Library(call.request.library).for_each_image([&](const LibraryImage &image) {
            images.inputs.push_back({.path = image.file(), .below = {}});
        });
    check_outputs(outputs, {}, images);
}

/// The next index would find there what the script moves.
void warn_of_indexed_folder(const DuplicatesCall &call, Observer &observer) {
    if (call.moves.to.empty()) return;
    for (const std::filesystem::path &library : {call.request.library, call.request.against}) {
        if (library.empty()) continue;
        const std::string root = indexed_root_around(library, call.moves.to);
        if (!root.empty())
            observer.warning(fmt::format("--to {}: lies in {}, where the next index finds the "
                                         "moved files again; choose another folder",
                                         call.moves.to, std::filesystem::path(root)));
    }
}

DuplicatesCall read_call(const Arguments &arguments) {
    DuplicatesCall call;
    Command command("duplicates", "Finds copies of the same picture, however they were edited.",
                    "photos.bow|INPUT...",
                    "  bowhist duplicates photos/\n"
                    "  bowhist duplicates photos.bow\n"
                    "  bowhist duplicates photos.bow --scene -o groups.jsonl\n"
                    "  bowhist duplicates photos.bow --script moves.sh --to copies/");
    add_search_options(command, call);
    add_result_options(command, call);
    add_script_options(command, call);
    add_file(command, "--library", call.library,
             "Keep the library of INPUTs here; it is made, or brought up to date");
    add_input_options(command, call.inputs);
    add_stream_options(command, call.stream);
    add_console_options(command, call.console);
    call.inputs.arguments = command.parse(arguments);
    check_script(command, call.moves);
    settle_inputs(call);
    call.rows = call.page.empty() || !call.output.empty() || call.format != DuplicatesFormat::csv;
    if (call.format != DuplicatesFormat::csv && !call.output.empty())
        throw Error(Fault::usage, "--blocks and --print0 print to standard output; leave -o out");
    if (ending_of(call.output) == ".jsonl") call.format = DuplicatesFormat::jsonl;
    if (ending_of(call.output) == ".npz") call.format = DuplicatesFormat::npz;
    if (call.output == "-") call.output.clear();
    check_outputs_of(call);
    return call;
}

void write_rows(const DuplicatesCall &call, const Duplicates &found) {
    if (call.format == DuplicatesFormat::npz) {
        write_groups_npz(call.output, found);
        return;
    }
    AtomicFile file = file_or_standard_output(call.output);
    write_groups(file, call.format, found);
    file.commit();
}

/// Lists of what could go, and pages, hold what the files say that stay. A script reads all files
/// itself.
FileLook look_for(const DuplicatesCall &call) {
    const bool lists_copies =
        call.format == DuplicatesFormat::paths || call.format == DuplicatesFormat::blocks;
    return lists_copies || !call.page.empty() ? FileLook::bytes_of_kept : FileLook::listing;
}

/// Prints what is remembered in place of groups.
int list_not_same(const DuplicatesCall &call) {
    if (call.request.library.empty())
        throw Error(Fault::usage, "--list-not-same takes a library: bowhist duplicates photos.bow "
                                  "--list-not-same");
    if (call.format != DuplicatesFormat::csv || !call.pairs.empty() || !call.page.empty() ||
        !call.moves.script.empty())
        throw Error(Fault::usage, "--list-not-same prints remembered pairs as CSV, and no groups; "
                                  "leave the options of groups out");
    apply_not_same(call.request.library, call.not_same);
    write_not_same(call.request.library, call.output);
    return 0;
}

} // namespace

int duplicates_verb(const Arguments &arguments) {
    DuplicatesCall call = read_call(arguments);
    if (call.not_same.list_pairs) return list_not_same(call);
    Console console(call.console);
    std::optional<AtomicFile> pairs;
    ReportPair report;
    if (!call.pairs.empty()) {
        pairs.emplace(call.pairs);
        pairs->write(pairs_header());
        report = [&pairs](const std::string &first, const std::string &second,
                          const CheckedPair &pair) {
            pairs->write(pairs_row(first, second, pair));
        };
    }
    std::optional<PageFiles> page;
    if (!call.page.empty()) page.emplace(call.page);
    std::optional<LibraryOfInputs> made;
    if (call.request.library.empty()) {
        made.emplace(index_request(call), console);
        call.request.library = made->path();
        call.request.keep_checks = made->is_kept();
    }
    check_images(call);
    apply_not_same(call.request.library, call.not_same);
    warn_of_indexed_folder(call, console);
    const Duplicates found =
        on_disk(listed(find_duplicates(call.request, report, console), call.listed), look_for(call),
                console);
    if (page) {
        write_copies_page(*page, found, console);
        page->close();
    }
    if (call.rows) write_rows(call, found);
    if (pairs) pairs->commit();
    if (page) page->commit();
    if (!call.moves.script.empty()) write_move_script(call.moves, found, console);
    console.last_line(fmt::format(
        "{} with {} that take {} bytes, among {}", counted(found.groups.size(), "group"),
        found.copies() == 1 ? "1 copy" : fmt::format("{} copies", found.copies()), found.bytes(),
        counted(found.images, "picture")));
    if (call.exit_code && !found.groups.empty()) return found_status;
    return made && made->skipped() > 0 ? 1 : 0;
}

} // namespace bowhist::app
