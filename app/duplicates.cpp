// bowhist duplicates: a library in, groups of copies of the same picture out.
#include "app/duplicate_rows.hpp"
#include "app/options.hpp"

#include <bowhist/core/counted.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/io/ending.hpp>

#include <optional>

namespace bowhist::app {
namespace {

constexpr int found_status = 4;

struct DuplicatesCall {
    DuplicatesRequest request;
    DuplicatesFormat format = DuplicatesFormat::csv;
    std::filesystem::path output;
    std::filesystem::path pairs;
    bool exit_code = false;
    int threads = 0;
    ConsoleOptions console;
};

void add_search_options(Command &command, DuplicatesCall &call) {
    DuplicatesRequest &request = call.request;
    command.add_option("--within", request.within, "Only pictures below this folder")
        ->type_name("DIR");
    command.add_flag("--scene", request.scene,
                     "Also other photographs of the same thing, in groups of their own");
    add_choice<Match>(
        command, "--match", request.match,
        {{"strict", Match::strict}, {"normal", Match::normal}, {"loose", Match::loose}},
        "How readily two pictures count as copies: strict, normal, loose (default: "
        "normal)")
        ->type_name("HOW");
    add_number(command, "--max-candidates", request.max_candidates, 1,
               "Pictures that each one is held against, by its words");
}

void add_result_options(Command &command, DuplicatesCall &call) {
    add_file(command, "-o,--output", call.output,
             "The ending is the format: .csv .jsonl (without it, or for -, CSV to standard "
             "output)")
        ->check(dash_or_ends_in({".csv", ".jsonl"}));
    command.add_flag_function(
        "--blocks", [&call](std::int64_t) { call.format = DuplicatesFormat::blocks; },
        "Print the paths of each group, the best first, and an empty line");
    command.add_flag_function(
        "--print0", [&call](std::int64_t) { call.format = DuplicatesFormat::paths; },
        "Print only the paths of copies that are not the best, a NUL behind each");
    add_file(command, "--pairs", call.pairs,
             "Also write all pairs that were compared, with what was measured, as CSV");
    command.add_flag("--exit-code", call.exit_code, "Exit with status 4 if there are copies");
}

DuplicatesCall read_call(const Arguments &arguments) {
    DuplicatesCall call;
    Command command("duplicates", "Finds copies of the same picture, however they were edited.",
                    "photos.bow",
                    "  bowhist duplicates photos.bow\n"
                    "  bowhist duplicates photos.bow --scene -o groups.jsonl\n");
    add_search_options(command, call);
    add_result_options(command, call);
    add_thread_option(command, call.threads);
    add_console_options(command, call.console);
    const std::vector<std::string> operands = command.parse(arguments);
    if (operands.size() != 1)
        throw Error(Fault::usage, "duplicates takes a library: bowhist duplicates photos.bow");
    call.request.library = operands.front();
    if (call.format != DuplicatesFormat::csv && !call.output.empty())
        throw Error(Fault::usage, "--blocks and --print0 print to standard output; leave -o out");
    if (ending_of(call.output) == ".jsonl") call.format = DuplicatesFormat::jsonl;
    if (call.output == "-") call.output.clear();
    return call;
}

} // namespace

int duplicates_verb(const Arguments &arguments) {
    DuplicatesCall call = read_call(arguments);
    Console console(call.console);
    std::optional<AtomicFile> pairs;
    if (!call.pairs.empty()) {
        pairs.emplace(call.pairs);
        pairs->write(pairs_header());
        call.request.report = [&pairs](const std::string &first, const std::string &second,
                                       const CheckedPair &pair) {
            pairs->write(pairs_row(first, second, pair));
        };
    }
    const Duplicates found = find_duplicates(call.request, console);
    AtomicFile file = file_or_standard_output(call.output);
    write_groups(file, call.format, found);
    file.commit();
    if (pairs) pairs->commit();
    console.last_line(fmt::format(
        "{} with {} that take {} bytes, among {}", counted(found.groups.size(), "group"),
        found.copies() == 1 ? "1 copy" : fmt::format("{} copies", found.copies()), found.bytes(),
        counted(found.images, "picture")));
    return call.exit_code && !found.groups.empty() ? found_status : 0;
}

} // namespace bowhist::app
