// bowhist search: a library and pictures in, the pictures of the library that are like them out.
#include "app/options.hpp"
#include "app/search_rows.hpp"

#include <bowhist/core/counted.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/io/ending.hpp>

namespace bowhist::app {
namespace {

constexpr int found_status = 4;

struct SearchCall {
    std::filesystem::path library;
    InputSource queries;
    bool all = false;
    SearchOptions options;
    bool exit_code = false;
    SearchFormat format = SearchFormat::csv;
    std::filesystem::path output;
    ConsoleOptions console;
};

/// What is searched, and how.
void add_search_options(Command &command, SearchCall &call) {
    SearchOptions &options = call.options;
    command.add_flag("--all", call.all,
                     "Search for every picture of the library, among the others");
    add_number(command, "--top", options.top, 1, "Results of a query");
    command
        .add_option("--min-score", options.least_score,
                    "Only results of this score, from 0 to 1, and more")
        ->check(none_or_within(0, 1))
        ->type_name("SCORE");
    add_choice<SearchBy>(
        command, "--by", options.by,
        {{"words", SearchBy::words}, {"code", SearchBy::code}, {"both", SearchBy::both}},
        "Compare words, code, or both (default: what the library has)")
        ->type_name("WHAT");
    command.add_flag("--check", options.check,
                     "Order the first 100 by geometry: pictures with at least 12 keypoints that "
                     "agree come first");
}

void add_result_options(Command &command, SearchCall &call) {
    add_file(command, "-o,--output", call.output,
             "The ending is the format: .csv .jsonl (without it, or for -, CSV to standard "
             "output)")
        ->check(dash_or_ends_in({".csv", ".jsonl"}));
    command.add_flag_function(
        "--print0", [&call](std::int64_t) { call.format = SearchFormat::paths; },
        "Print only the paths of results, a NUL behind each");
    command.add_flag("--exit-code", call.exit_code,
                     "Exit with status 4 if a result reaches --min-score");
}

void settle(SearchCall &call, const CLI::App &command) {
    const bool names_queries = !call.queries.arguments.empty() || !call.queries.list.empty();
    if (call.all && names_queries)
        throw Error(Fault::usage, "--all takes the library's own pictures; leave QUERY out");
    if (!call.all && !names_queries)
        throw Error(Fault::usage, "there is no QUERY; name pictures or folders, or give --all");
    if (call.exit_code && command.count("--min-score") == 0)
        throw Error(Fault::usage, "--exit-code asks for results of --min-score; give both");
    if (call.format == SearchFormat::paths && !call.output.empty())
        throw Error(Fault::usage, "--print0 prints paths; leave -o out");
    if (ending_of(call.output) == ".jsonl") call.format = SearchFormat::jsonl;
    if (call.output == "-") call.output.clear();
}

SearchCall read_call(const Arguments &arguments) {
    SearchCall call;
    Command command("search", "Finds the pictures of a library that are most like others.",
                    "photos.bow QUERY...",
                    "  bowhist search photos.bow query.jpg\n"
                    "  bowhist search photos.bow --check --top 5 new/ > like_new.csv\n"
                    "  bowhist search photos.bow --all --min-score 0.5 -o pairs.csv\n"
                    "\n"
                    "QUERY: pictures and folders of them; of a path that the library has, nothing\n"
                    "is decoded.\n"
                    "Exit status: as of bowhist --help; 4 with --exit-code.");
    add_search_options(command, call);
    add_result_options(command, call);
    add_level_options(command, call.options.level);
    add_input_options(command, call.queries);
    add_stream_options(command, call.options.stream);
    add_console_options(command, call.console);
    call.queries.arguments = command.parse(arguments);
    if (call.queries.arguments.empty())
        throw Error(Fault::usage, "search takes a library: bowhist search photos.bow QUERY...");
    call.library = call.queries.arguments.front();
    call.queries.arguments.erase(call.queries.arguments.begin());
    settle(call, command);
    return call;
}

} // namespace

int search_verb(const Arguments &arguments) {
    const SearchCall call = read_call(arguments);
    Console console(call.console);
    Search search(call.library, call.options, console);
    SearchRows rows(call.output, call.format, call.options.check);
    std::size_t results = 0;
    const auto write = [&](const std::string &query, const std::vector<FoundImage> &found) {
        rows.write(query, found);
        results += found.size();
    };
    const SearchRun run = call.all ? search.find_all(write) : search.find_each(call.queries, write);
    rows.finish();
    console.last_line(
        fmt::format("{} of {} among {}, {} skipped", counted(results, "result"),
                    run.queries == 1 ? "1 query" : fmt::format("{} queries", run.queries),
                    counted(search.size(), "picture"), run.skipped));
    if (call.exit_code && results > 0) return found_status;
    return run.skipped > 0 ? 1 : 0;
}

} // namespace bowhist::app
