#include "app/options.hpp"

#include <bowhist/core/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

namespace bowhist::app {

void add_console_options(Command &command, ConsoleOptions &options) {
    static const std::map<std::string, ProgressMode> modes = {{"auto", ProgressMode::automatic},
                                                              {"always", ProgressMode::always},
                                                              {"never", ProgressMode::never}};
    command.add_flag("-q,--quiet", options.quiet, "Tell only errors and skipped inputs");
    command.add_flag("-v,--verbose", options.verbose,
                     "Tell which level ran where, and for how long");
    command
        .add_option("--progress", options.progress,
                    "Count on standard error: auto (on a terminal), always, never")
        ->transform(CLI::CheckedTransformer(modes).description(""))
        ->type_name("WHEN");
}

void add_level_options(Command &command, LevelRequest &request) {
    std::vector<std::string> ids;
    for (const Level &level : levels()) ids.emplace_back(level.id);
    command
        .add_option("--kernel", request.level,
                    fmt::format("Optimisation level: auto, {}", fmt::join(ids, ", ")))
        ->type_name("LEVEL")
        ->capture_default_str();
    command
        .add_option("--device", request.device,
                    "A number of `bowhist devices`, part of a name, cpu or gpu")
        ->type_name("DEVICE");
    command
        .add_option("--kernel-dir", request.kernel_dir,
                    "Folder whose .cl files stand in for the built-in ones")
        ->check(CLI::ExistingDirectory.description(""))
        ->type_name("DIR");
    command
        .add_option("--batch", request.options.batch,
                    "Descriptors a launch (default: by the device's memory)")
        ->check(CLI::PositiveNumber.description(""))
        ->type_name("N");
}

void add_normalization_option(Command &command, Normalization &normalization) {
    std::map<std::string, Normalization> names;
    for (const Normalization n :
         {Normalization::none, Normalization::l1, Normalization::l2, Normalization::hellinger})
        names.emplace(name_of(n), n);
    command
        .add_option(
            "--normalize", normalization,
            fmt::format("none (counts), l1, l2 or hellinger (default: {})", name_of(normalization)))
        ->transform(CLI::CheckedTransformer(names).description(""))
        ->type_name("HOW");
}

void add_input_options(Command &command, InputSource &source) {
    command
        .add_option("--files-from", source.list,
                    "More INPUTs, one a line of LIST; - is standard input")
        ->type_name("LIST");
    command.add_flag("-0,--null", source.null_separated, "LIST is separated by NUL bytes");
}

CLI::Validator ends_in(const std::string &ending) {
    return {[ending](const std::string &path) {
                return std::filesystem::path(path).extension() == ending
                           ? std::string()
                           : fmt::format("{} does not end in {}", path, ending);
            },
            ""};
}

void add_strict_option(Command &command, bool &strict) {
    command.add_flag("--strict", strict,
                     "Stop at an input that cannot be used (status 3), do not skip it");
}

void add_stream_options(Command &command, StreamOptions &options) {
    command
        .add_option("-j,--threads", options.threads,
                    "Threads that read and extract (default: all cores)")
        ->check(CLI::PositiveNumber.description(""))
        ->type_name("N");
    command
        .add_option("--max-pixels", options.picture.max_pixels,
                    "Refuse a picture whose header promises more")
        ->check(CLI::PositiveNumber.description(""))
        ->type_name("N")
        ->capture_default_str();
    add_strict_option(command, options.strict);
}

void add_extractor_options(Command &command, ExtractorChoice &choice) {
    ExtractorRecord &record = choice.record;
    choice.extractor = command
                           .add_option("--extractor", record.extractor,
                                       fmt::format("{} (default: the vocabulary's, else akaze)",
                                                   fmt::join(extractor_names(), ", ")))
                           ->type_name("NAME");
    choice.upright = command.add_flag("--upright", record.upright,
                                      "Do not rotate descriptors to the dominant gradient");
    choice.threshold = command
                           .add_option("--threshold", record.threshold,
                                       "Weakest response of a keypoint (default: the extractor's)")
                           ->check(CLI::PositiveNumber.description(""))
                           ->type_name("T");
    choice.max_descriptors =
        command
            .add_option("--max-descriptors", record.max_descriptors,
                        "Keep a picture's N strongest descriptors; 0 keeps all")
            ->check(CLI::NonNegativeNumber.description(""))
            ->type_name("N")
            ->capture_default_str();
    choice.max_side = command
                          .add_option("--max-side", record.max_side,
                                      "Shrink larger pictures to N pixels a side; 0 keeps the size")
                          ->check(CLI::NonNegativeNumber.description(""))
                          ->type_name("N")
                          ->capture_default_str();
}

ExtractorOptions extractor_options(const ExtractorRecord &record) {
    return {record.extractor, record.upright, record.threshold, record.max_descriptors};
}

ExtractorRecord reconcile(const ExtractorChoice &choice, const VocabularySidecar &sidecar) {
    ExtractorRecord record = sidecar.extractor;
    const bool other_name = given(choice.extractor) && choice.record.extractor != record.extractor;
    const bool other_rotation = given(choice.upright) && choice.record.upright != record.upright;
    if (other_name || other_rotation)
        throw Error(
            Fault::usage,
            fmt::format("the vocabulary was trained with --extractor {}, but --extractor {}{} "
                        "was asked for; leave it out, or train another vocabulary",
                        as_options(record), choice.record.extractor,
                        choice.record.upright ? " --upright" : ""));
    if (given(choice.threshold)) record.threshold = choice.record.threshold;
    if (given(choice.max_descriptors)) record.max_descriptors = choice.record.max_descriptors;
    if (given(choice.max_side)) record.max_side = choice.record.max_side;
    return record;
}

} // namespace bowhist::app
