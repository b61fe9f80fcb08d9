// bowhist index: images in, a library of them, made or brought up to date.
#include "app/command/options.hpp"
#include "app/command/summary.hpp"
#include "app/command/team.hpp"
#include "app/command/team_parts.hpp"
#include "app/command/tree_option.hpp"
#include "app/descriptor_folder.hpp"
#include "app/library_summary.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/index/merge_libraries.hpp>
#include <bowhist/index/update.hpp>
#include <bowhist/io/temporary_file.hpp>
#include <bowhist/team/team.hpp>

#include <charconv>
#include <utility>

namespace bowhist::app {
namespace {

struct IndexCall {
    IndexRequest request;
    ConsoleOptions console;
};

/// "words", "code" or both, with a comma.
void set_describe(IndexRequest &request, const std::string &text) {
    request.settings_given.insert({"words", "code"});
    request.words = text == "words" || text == "words,code" || text == "code,words";
    request.code = text != "words";
    if (text == "code" || request.words) return;
    throw CLI::ValidationError("--describe", "takes words, code, or words,code");
}

/// "50" or "50%".
double percent_in(const std::string &text) {
    const std::string digits = text.substr(0, text.size() - (text.ends_with('%') ? 1 : 0));
    double percent = -1;
    const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), percent);
    if (end.ec != std::errc() || end.ptr != digits.data() + digits.size() ||
        !(percent >= 0 && percent <= 100))
        throw CLI::ValidationError("--verify", "takes a share from 0% to 100%");
    return percent;
}

std::pair<std::string, std::string> folders_in(const std::string &text) {
    const auto sign = text.find('=');
    if (sign == 0 || sign == std::string::npos || sign + 1 == text.size())
        throw CLI::ValidationError("--root", "takes OLD=NEW");
    return {text.substr(0, sign), text.substr(sign + 1)};
}

/// Options for bringing a library up to date beyond new and changed images.
void add_upkeep_options(Command &command, IndexRequest &request) {
    command.add_flag("--dry-run", request.dry_run,
                     "Only list what is new, changed, moved, back and gone, one a line; a "
                     "library that cannot be written will do");
    command
        .add_option_function<std::string>(
            "--verify",
            [&request](const std::string &text) { request.verify_percent = percent_in(text); },
            "Also hash a sample of the unchanged pictures")
        ->type_name("N%");
    command.add_flag("--forget", request.forget,
                     "At the end delete what is gone, unless its disk may not be mounted");
    command.add_flag("--yes", request.yes,
                     "With --forget or --relearn: delete it also where a folder holds none of its "
                     "pictures, or more than half of all are gone");
    command.add_flag("--retry", request.retry,
                     "Try all again that is skipped; without it only what failed for another "
                     "reason than its bytes");
    command
        .add_option("--remove", request.removed,
                    "Take out pictures: a path, a folder or a glob of whole paths, until a run "
                    "finds them again (--exclude keeps them out); without INPUT nothing else "
                    "happens")
        ->type_name("PATH|GLOB")
        ->expected(1)
        ->allow_extra_args(false)
        ->take_all();
    command
        .add_option_function<std::vector<std::string>>(
            "--root",
            [&request](const std::vector<std::string> &texts) {
                for (const std::string &text : texts) request.roots.push_back(folders_in(text));
            },
            "What lay in the folder OLD lies in NEW now")
        ->type_name("OLD=NEW")
        ->expected(1)
        ->allow_extra_args(false)
        ->take_all();
    command.add_flag("--reindex", request.reindex,
                     "Make the index of search again, from the stored descriptions; without INPUT "
                     "nothing else happens");
    command.add_flag("--relearn", request.relearn,
                     "Learn again from the library's pictures, or take --centroids, and replace "
                     "all descriptions at once");
}

/// Options for the models that a new library learns or takes.
void add_model_options(Command &command, IndexRequest &request) {
    command
        .add_option("--centroids", request.models,
                    "Take the models from a vocabulary, a model of codes or another library; may "
                    "be given more than once")
        ->type_name("FILE")
        ->expected(1)
        ->allow_extra_args(false)
        ->take_all();
    add_descend_option(command, request.descends);
    add_number(command, "--words-k", request.words_k, 1,
               "Words to learn (default: 10000, or fewer where there are few keypoints)",
               most_words)
        ->default_str("");
    add_number(command, "--code-k", request.code_k, 1, "Words that codes are made by", most_words)
        ->default_str("512");
    add_number(command, "--seed", request.seed, 0, "Of the random draws of learning");
    command
        .add_option("--memory", request.memory,
                    "Learn within so much, such as 512M or 4G (default: half of what is free)")
        ->transform(size_in_bytes())
        ->type_name("SIZE");
}

/// Options for what a new library holds of each image.
void add_setting_options(Command &command, IndexRequest &request) {
    command
        .add_option_function<std::string>(
            "--describe", [&request](const std::string &text) { set_describe(request, text); },
            "What a new library holds of each picture: words, code (default: words,code)")
        ->type_name("WHAT");
    const auto add = [&](const char *flag, const char *name, auto set, const char *help) {
        command.add_flag_function(
            flag,
            [&request, set, name](std::int64_t) {
                set(request.describe);
                request.settings_given.insert(name);
            },
            help);
    };
    add(
        "--no-positions", "positions", [](DescribeOptions &options) { options.positions = false; },
        "Of a new library: leave out where words lie in their pictures");
    add(
        "--no-thumbnails", "thumbnails",
        [](DescribeOptions &options) { options.thumbnail_side = 0; },
        "Of a new library: leave out thumbnails");
    add(
        "--mirrored", "mirrored", [](DescribeOptions &options) { options.mirrored = true; },
        "Of a new library: also keep the words of mirrored descriptors");
}

void add_options(Command &command, IndexCall &call) {
    IndexRequest &request = call.request;
    add_file(command, "-o,--output", request.library, "The library, one file")->required();
    add_shard_option(command, request.shard)
        ->description("Take only part I of N of the INPUTs, into a library of its own; bowhist "
                      "merge puts all parts together. Needs --centroids");
    add_model_options(command, request);
    add_setting_options(command, request);
    add_upkeep_options(command, request);
    command
        .add_option("--wait", request.wait_seconds,
                    "Time to wait for another run that writes the library (default: none)")
        ->check(finite_from_zero())
        ->type_name("SECONDS");
    add_extractor_options(command, request.words_recipe, "words-");
    add_extractor_options(command, request.code_recipe, "code-");
    add_level_options(command, request.describe.level);
    add_input_options(command, request.inputs);
    add_stream_options(command, request.describe.stream);
    add_console_options(command, call.console);
}

bool names_inputs(const IndexRequest &request) {
    return !request.inputs.arguments.empty() || !request.inputs.list.empty();
}

void require_sense_of_shard(const IndexRequest &request) {
    if (request.models.empty())
        throw Error(Fault::usage, "--shard needs --centroids, since each shard would learn words "
                                  "of its own; learn them first: bowhist train, or index a sample "
                                  "and give that library");
    if (!names_inputs(request))
        throw Error(Fault::usage, "--shard takes a part of the INPUTs; name all of them");
    const bool updates = request.relearn || request.reindex || request.forget || request.dry_run ||
                         request.retry || request.verify_percent > 0 || !request.removed.empty() ||
                         !request.roots.empty();
    if (updates)
        throw Error(Fault::usage, "--shard makes a part of a new library; update the library once "
                                  "all parts are merged");
}

void require_sense(const IndexRequest &request) {
    if (request.descends && request.models.empty())
        throw Error(Fault::usage, "--descend is about the tree of a vocabulary; give it, "
                                  "--centroids c.bin, or leave it out: a library keeps its rule");
    if (request.shard) require_sense_of_shard(request);
    if (request.yes && !request.forget && !request.relearn)
        throw Error(Fault::usage, "--yes is for --forget and --relearn; leave it out");
    if (request.relearn && names_inputs(request))
        throw Error(Fault::usage,
                    "--relearn takes the library's own pictures; leave INPUT out, and "
                    "add pictures in a run of their own");
    if (request.retry && request.dry_run)
        throw Error(Fault::usage, "--retry reads pictures; leave --dry-run out");
    if (!names_inputs(request) && (!request.inputs.excluded.empty() || request.inputs.hidden))
        throw Error(Fault::usage, "--exclude and --hidden are for folders that are named; name "
                                  "them, too");
}

IndexCall read_call(const Arguments &arguments) {
    IndexCall call;
    Command command("index", "Makes a library of pictures, or brings it up to date.",
                    "-o photos.bow [INPUT...]",
                    "  bowhist index -o photos.bow photos/\n"
                    "  bowhist index -o photos.bow            all its folders again\n"
                    "  bowhist index -o other.bow --centroids photos.bow other/\n"
                    "\n"
                    "A new library first learns its models from the pictures, unless --centroids\n"
                    "gives them. Later runs read only what is new or changed.");
    add_options(command, call);
    call.request.inputs.arguments = command.parse(arguments);
    require_sense(call.request);
    if (call.request.dry_run)
        call.request.report = [](std::string_view what, const std::string &path) {
            fmt::print("{:<8}{}\n", what, std::filesystem::path(path));
        };
    return call;
}

/// ", 3 removed, 1 forgotten"
std::string upkeep_of(const IndexRequest &request, const IndexRun &run) {
    std::string text;
    if (request.verify_percent > 0) text += fmt::format(", {} verified", run.verified);
    if (!request.removed.empty()) text += fmt::format(", {} removed", run.removed);
    if (request.forget) text += fmt::format(", {} forgotten", run.forgotten);
    if (request.reindex && !request.dry_run) text += ", the index of search made again";
    return text;
}

std::string summary_of(const IndexRequest &request, const IndexRun &run) {
    const std::string upkeep = upkeep_of(request, run);
    const bool is_upkeep_alone = !names_inputs(request) && !request.relearn && !request.retry &&
                                 (!request.removed.empty() || request.reindex);
    if (is_upkeep_alone) return upkeep.empty() ? "nothing to list" : upkeep.substr(2);
    if (run.was_complete)
        return fmt::format("{}; {} unchanged, {} skipped", already_complete, run.unchanged,
                           run.skipped);
    return library_summary(run, upkeep);
}

/// Ranks make a new library by given models.
void require_sense_of_ranks(const IndexRequest &request) {
    std::error_code unknown;
    if (team().rank() == 0 && std::filesystem::exists(request.library, unknown))
        throw Error(Fault::usage, fmt::format("{} is there, and one process updates a library; "
                                              "start it without the launcher",
                                              request.library));
    if (request.models.empty())
        throw Error(Fault::usage, "ranks index by given models; learn them first, for example by "
                                  "mpirun bowhist train, and give --centroids");
    require_sense_of_shard(request);
}

/// Refused before hours of work.
void require_place(const std::filesystem::path &library) {
    make_folder_of(library);
    const TemporaryFile writable(library);
}

/// Each rank makes a shard of the library, which rank 0 puts together.
int share_index(IndexRequest &request, Console &console) {
    require_sense_of_ranks(request);
    if (team().rank() == 0) require_place(request.library);
    for (const std::filesystem::path &model : request.models) require_same_model(model);
    team().describe([](std::size_t rank) {
        return fmt::format("it had part {} of {} of the inputs", rank + 1, team().size());
    });
    const TeamParts parts(".bow");
    const std::filesystem::path output = std::exchange(request.library, parts.own());
    request.shard = parts.shard();
    request.listed = [](std::string_view list) { require_same(team(), "other inputs", list); };
    index_library(request, console);
    const std::vector<std::filesystem::path> files = parts.gather();
    console.gather_lines();
    if (team().rank() > 0) return 0;
    const IndexRun run = merge_libraries(files, output, console);
    console.last_line(library_summary(run));
    return run.skipped > 0 ? 1 : 0;
}

} // namespace

int index_verb(const Arguments &arguments) {
    IndexCall call = read_call(arguments);
    Console console(call.console);
    if (team().size() > 1) return share_index(call.request, console);
    const IndexRun run = index_library(call.request, console);
    console.last_line(summary_of(call.request, run));
    return run.skipped > 0 ? 1 : 0;
}

} // namespace bowhist::app
