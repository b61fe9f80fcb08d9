// bowhist index: images in, a library of them, made or brought up to date.
#include "app/options.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/library/update.hpp>

namespace bowhist::app {
namespace {

struct IndexCall {
    IndexRequest request;
    ConsoleOptions console;
};

/// "words", "code" or both, with a comma.
void set_describe(IndexRequest &request, const std::string &text) {
    request.words = text == "words" || text == "words,code" || text == "code,words";
    request.code = text != "words";
    if (text == "code" || request.words) return;
    throw CLI::ValidationError("--describe", "takes words, code, or words,code");
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
    IndexRequest &request = call.request;
    add_file(command, "-o,--output", request.library, "The library, one file")->required();
    command
        .add_option("--centroids", request.models,
                    "Take the models from a vocabulary, a model of codes or another library; may "
                    "be given more than once")
        ->type_name("FILE")
        ->expected(1)
        ->allow_extra_args(false)
        ->take_all();
    command
        .add_option_function<std::string>(
            "--describe", [&request](const std::string &text) { set_describe(request, text); },
            "What a new library holds of each picture: words, code (default: words,code)")
        ->type_name("WHAT");
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
    command.add_flag_function(
        "--no-positions", [&request](std::int64_t) { request.describe.positions = false; },
        "Leave out where words lie in their pictures");
    command.add_flag_function(
        "--no-thumbnails", [&request](std::int64_t) { request.describe.thumbnail_side = 0; },
        "Leave out thumbnails");
    command.add_flag("--mirrored", request.describe.mirrored,
                     "Also keep the words of mirrored descriptors");
    command.add_option("--wait", request.wait_seconds, "Time to wait for another run that writes the library")
        ->check(finite_from_zero())
        ->type_name("SECONDS");
    add_extractor_options(command, request.words_recipe, "words-");
    add_extractor_options(command, request.code_recipe, "code-");
    add_level_options(command, request.describe.level);
    add_input_options(command, request.inputs);
    add_stream_options(command, request.describe.stream);
    add_console_options(command, call.console);
    request.inputs.arguments = command.parse(arguments);
    return call;
}

} // namespace

int index_verb(const Arguments &arguments) {
    const IndexCall call = read_call(arguments);
    Console console(call.console);
    const IndexRun run = index_library(call.request, console);
    console.last_line(fmt::format("{} new, {} changed, {} moved, {} gone, {} back, {} unchanged; "
                                  "{} read and described, {} skipped",
                                  run.added, run.changed, run.moved, run.gone, run.back,
                                  run.unchanged, run.described, run.skipped));
    return run.skipped > 0 ? 1 : 0;
}

} // namespace bowhist::app
