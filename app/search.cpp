// bowhist search: a library and pictures in, the pictures of the library that are like them out.
#include "app/command/options.hpp"
#include "app/command/team.hpp"
#include "app/search/search_answers.hpp"
#include "app/search/search_rows.hpp"
#include "app/shared_inputs.hpp"

#include <bowhist/core/as_number.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/duplicates/duplicates.hpp>
#include <bowhist/io/ending.hpp>
#include <bowhist/library/library.hpp>
#include <bowhist/pipeline/few_descriptors.hpp>
#include <bowhist/report/results_page.hpp>

#include <algorithm>
#include <map>
#include <optional>

namespace bowhist::app {
namespace {

constexpr int found_status = 4;

struct SearchCall {
    std::filesystem::path library;
    InputSource queries;
    bool all = false;
    bool distinct = false;
    std::vector<std::string> also;
    SearchOptions options;
    bool exit_code = false;
    SearchOutput output;
    std::filesystem::path page;
    bool table = true; ///< rows are written
    ConsoleOptions console;
};

/// "X,Y,W,H"
ImageRegion region_of(const std::string &text) {
    std::vector<int> numbers;
    for (std::size_t first = 0; first <= text.size();) {
        const std::size_t end = std::min(text.find(',', first), text.size());
        const auto number = as_number<int>(std::string_view(text).substr(first, end - first));
        if (!number || *number < 0) break;
        numbers.push_back(*number);
        first = end + 1;
    }
    if (numbers.size() != 4 || std::ranges::count(text, ',') != 3 || numbers[2] == 0 ||
        numbers[3] == 0)
        throw CLI::ValidationError(
            "--region", fmt::format("takes X,Y,W,H: four whole numbers, W and H above 0, not {}",
                                    printable(text)));
    return {numbers[0], numbers[1], numbers[2], numbers[3]};
}

void add_also_option(Command &command, std::vector<std::string> &also) {
    command.refuse_empty_word(
        command
            .add_option("--also", also,
                        "Another library of the same models, searched as if it were one with the "
                        "first; more .bow files may follow")
            ->type_name("OTHER.bow")
            ->expected(1)
            ->allow_extra_args(false)
            ->take_all());
}

/// Options for what is searched, and how.
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
    command.add_flag("--distinct", call.distinct,
                     "Only the first picture of each group of copies, as bowhist duplicates finds "
                     "them; the first such search takes as long");
    command.add_flag("--check", options.check,
                     "Order the first 100 by geometry: pictures with at least 12 keypoints that "
                     "agree come first");
}

/// How words are compared, and which part of a query is.
void add_view_options(Command &command, SearchOptions &options) {
    add_choice<Normalization>(
        command, "--normalize", options.normalization,
        {{"none", Normalization::none},
         {"hellinger", Normalization::hellinger},
         {"tfidf", Normalization::tfidf},
         {"bm25", Normalization::bm25}},
        fmt::format("Compare words by counts (none), their roots (hellinger), or weighted by how "
                    "rare they are in the library, tfidf or bm25 (default: {})",
                    name_of(options.normalization)))
        ->type_name("HOW");
    command
        .add_option_function<std::string>(
            "--region", [&options](const std::string &text) { options.region = region_of(text); },
            "Only this part of each QUERY, in pixels of the upright original")
        ->type_name("X,Y,W,H");
    command.add_flag("--mirror", options.mirror,
                     "Also what a mirror shows of each QUERY: a score is the better one");
}

void add_result_options(Command &command, SearchCall &call) {
    add_file(command, "-o,--output", call.output.path,
             "The ending is the format: .csv .jsonl, .npz (numbers and scores), .txt (COLMAP's "
             "pairs) (without it, or for -, CSV to standard output)")
        ->check(dash_or_ends_in({".csv", ".jsonl", ".npz", ".txt"}));
    add_file(command, "--html", call.page,
             "Write a page with the results: FILE.html, or DIR/ for a folder with a page")
        ->check(page_place());
    command.add_flag_function(
        "--print0", [&call](std::int64_t) { call.output.format = SearchFormat::paths; },
        "Print only the paths of results, a NUL behind each");
    command.add_flag("--exit-code", call.exit_code,
                     "Exit with status 4 if a result reaches --min-score");
}

void settle_output(SearchCall &call) {
    SearchOutput &output = call.output;
    call.table = call.page.empty() || !output.path.empty() || output.format == SearchFormat::paths;
    if (output.format == SearchFormat::paths && !output.path.empty())
        throw Error(Fault::usage, "--print0 prints paths; leave -o out");
    const std::string ending = ending_of(output.path);
    if (ending == ".jsonl") output.format = SearchFormat::jsonl;
    if (ending == ".npz") output.format = SearchFormat::npz;
    if (ending == ".txt") output.format = SearchFormat::pairs;
    if (output.path == "-") output.path.clear();
    output.checks = call.options.check;
    output.most = call.options.top;
    output.strict = call.options.stream.strict;
}

/// `search a.bow b.bow q.jpg` means both.
void refuse_library_as_query(const SearchCall &call) {
    const auto library = std::ranges::find_if(call.queries.arguments, [](const std::string &word) {
        return word.ends_with(".bow") && is_library(word);
    });
    if (library == call.queries.arguments.end()) return;
    throw Error(
        Fault::usage,
        fmt::format("{} is a library, too; to search both, give bowhist search {} --also {}",
                    printable(*library), call.library, printable(*library)));
}

void settle(SearchCall &call, const CLI::App &command) {
    refuse_library_as_query(call);
    const bool names_queries = !call.queries.arguments.empty() || !call.queries.list.empty();
    if (call.all && names_queries)
        throw Error(Fault::usage, "--all takes the library's own pictures; leave QUERY out");
    if (!call.all && !names_queries)
        throw Error(Fault::usage, "there is no QUERY; name pictures or folders, or give --all");
    if (call.exit_code && command.count("--min-score") == 0)
        throw Error(Fault::usage, "--exit-code asks for results of --min-score; give both");
    if (call.options.by == SearchBy::code && command.count("--normalize") > 0)
        throw Error(Fault::usage, "--normalize is about words; leave it out with --by code");
    settle_output(call);
}

/// The library, which comes first; it is taken out of the words.
std::filesystem::path take_library(std::vector<std::string> &words) {
    if (words.empty())
        throw Error(Fault::usage, "search takes a library: bowhist search photos.bow QUERY...");
    std::filesystem::path library = words.front();
    words.erase(words.begin());
    if (is_library(library)) return library;
    const auto later = std::ranges::find_if(words, is_library);
    if (later == words.end()) return library; // what it is instead is said when it is opened
    throw Error(Fault::usage, fmt::format("the library comes first: bowhist search {} {}",
                                          printable(*later), library));
}

/// With --also, libraries among the words are further ones, as in `--also *.bow`.
void take_further_libraries(SearchCall &call) {
    if (call.also.empty()) return;
    std::vector<std::string> &words = call.queries.arguments;
    const auto end = std::ranges::stable_partition(words, [](const std::string &word) {
        return !word.ends_with(".bow") && !is_library(word);
    });
    call.also.insert(call.also.end(), end.begin(), end.end());
    words.erase(end.begin(), end.end());
    call.options.also.assign(call.also.begin(), call.also.end());
}

SearchCall read_call(Arguments arguments) {
    // before -- a - is standard input, after it a file
    std::ranges::replace(std::ranges::find(arguments, "--"), arguments.end(), "-", "./-");
    SearchCall call;
    Command command(
        "search", "Finds the pictures of a library that are most like others.",
        "photos.bow QUERY...",
        "  bowhist search photos.bow query.jpg\n"
        "  bowhist search photos.bow --check --top 5 new/ > like_new.csv\n"
        "  bowhist search photos.bow --all --min-score 0.5 -o pairs.txt\n"
        "  bowhist search photos.bow --check --html results.html query.jpg\n"
        "  bowhist search photos.bow --region 120,80,300,200 query.jpg\n"
        "  bowhist search photos.bow --distinct query.jpg\n"
        "  bowhist search photos.bow --also 2023.bow 2024.bow query.jpg\n"
        "  curl -s https://example.org/a.jpg | bowhist search photos.bow -\n"
        "\n"
        "QUERY: pictures and folders of them, or - for a picture on standard input. Of\n"
        "a path that the library has, nothing is decoded, but for --region and\n"
        "--mirror.\n"
        "Exit status: as of bowhist --help; 4 with --exit-code.");
    add_also_option(command, call.also);
    add_search_options(command, call);
    add_view_options(command, call.options);
    add_result_options(command, call);
    add_level_options(command, call.options.level);
    add_input_options(command, call.queries);
    add_stream_options(command, call.options.stream);
    add_console_options(command, call.console);
    call.queries.arguments = command.parse(arguments);
    call.library = take_library(call.queries.arguments);
    take_further_libraries(call);
    settle(call, command);
    share_inputs(call.queries);
    call.options.share = {team().rank() + 1, team().size()};
    return call;
}

/// Gives copies, of all libraries, the hash of one of them.
std::map<std::string, std::string> find_copies(const SearchCall &call, Console &console) {
    std::map<std::string, std::string> copies;
    const auto one_of = [&](std::string hash) {
        for (auto next = copies.find(hash); next != copies.end() && next->second != hash;
             next = copies.find(hash))
            hash = next->second;
        return hash;
    };
    const auto add = [&](const std::filesystem::path &library) {
        const DuplicatesRequest request{.library = library, .keep_checks = team().rank() == 0};
        for (const DuplicateGroup &group : find_duplicates(request, console).groups)
            for (const Duplicate &copy : group.images) {
                const std::string one = one_of(group.images.front().image.hash);
                const std::string other = one_of(copy.image.hash);
                copies[std::max(one, other)] = std::min(one, other);
            }
    };
    add(call.library);
    for (const std::filesystem::path &library : call.options.also) add(library);
    for (auto &[hash, one] : copies) one = one_of(one);
    return copies;
}

/// The page of a call.
struct SearchPage {
    SearchPage(const SearchCall &call, Observer &observer)
        : options{call.library, call.options.region, call.options.also}, files(call.page),
          results(files, options, observer) {}

    void close() {
        results.finish();
        files.close();
    }

    ResultsPageOptions options;
    PageFiles files;
    ResultsPage results;
};

} // namespace

int search_verb(const Arguments &arguments) {
    SearchCall call = read_call(arguments);
    Console console(call.console);
    if (call.distinct) call.options.copies = find_copies(call, console);
    Search search(call.library, call.options, console);
    require_same_library(search);
    const bool writes = team().rank() == 0;
    std::optional<SearchPage> page;
    if (writes && !call.page.empty()) page.emplace(call, console);
    const auto rows =
        writes && call.table ? write_search_rows(call.output, search, console) : nullptr;
    std::size_t results = 0;
    const Search::Use write = [&](const std::string &query, const std::vector<FoundImage> &found) {
        if (rows) rows->write(query, found);
        if (page) page->results.write(query, found);
        results += found.size();
    };
    SharedAnswers shared;
    SearchRun run = call.all ? search.find_all(shared.use(write))
                             : search.find_each(call.queries, shared.use(write));
    shared.join(run, write);
    console.gather_lines();
    require_read(run.queries, run.skipped);
    if (page) page->close();
    if (rows) rows->finish();
    if (page) page->files.commit();
    const std::size_t skipped = run.skipped + (rows ? rows->refused() : 0);
    console.last_line(
        fmt::format("{} of {} among {}, {} skipped", counted(results, "result"),
                    run.queries == 1 ? "1 query" : fmt::format("{} queries", run.queries),
                    counted(search.size(), "picture"), skipped));
    if (call.exit_code && results > 0) return found_status;
    return skipped > 0 ? 1 : 0;
}

} // namespace bowhist::app
