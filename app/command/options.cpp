#include "app/command/options.hpp"
#include "app/command/thread_limit.hpp"

#include <bowhist/core/as_number.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/ending.hpp>
#include <bowhist/pipeline/part_of_run.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace bowhist::app {
namespace {

/// --max-pixels, --max-bytes, --keep-damaged, --isolate
void add_limit_options(Command &command, ImageLimits &limits) {
    const Heading under(command, heading::images);
    add_number(command, "--max-pixels", limits.max_pixels, 1,
               "Refuse a picture whose header promises more");
    command
        .add_option("--max-bytes", limits.max_bytes,
                    "Hold at most N bytes of decoded pixels in all threads together; refuse a "
                    "picture that needs more (default: 512 MiB; a picture that needs more, up to "
                    "768 MiB, is decoded alone)")
        ->check(whole_number(1, std::numeric_limits<std::uint64_t>::max()))
        ->type_name("N");
    command.add_flag("--keep-damaged", limits.keep_damaged,
                     "Take damaged or truncated JPEGs as far as they go, with a line for each");
    add_choice<Isolation>(
        command, "--isolate", limits.isolation,
        {{"auto", Isolation::automatic},
         {"always", Isolation::always},
         {"never", Isolation::never}},
        "Decode pictures in processes of their own: auto (all but JPEGs), always, "
        "never")
        ->type_name("WHEN");
}

} // namespace

CLI::Option *add_file(Command &command, const std::string &names, std::filesystem::path &path,
                      const std::string &help) {
    CLI::Option *option = command.add_option(names, path, help)->type_name("FILE");
    command.refuse_empty_word(option);
    return option;
}

void add_console_options(Command &command, ConsoleOptions &options) {
    const Heading under(command, heading::output);
    const auto *quiet =
        command.add_flag("-q,--quiet", options.quiet, "Say only errors and skipped inputs");
    const auto *verbose = command.add_flag("-v,--verbose", options.verbose,
                                           "Say more: what ran where, and for how long");
    command.contradict(quiet, verbose);
    add_choice<ProgressMode>(command, "--progress", options.progress,
                             {{"auto", ProgressMode::automatic},
                              {"always", ProgressMode::always},
                              {"never", ProgressMode::never}},
                             "Count on standard error: auto (on a terminal), always, never")
        ->type_name("WHEN");
}

void add_device_option(Command &command, std::string &device) {
    const Heading under(command, heading::device);
    command
        .add_option(
            "--device", device,
            "Number of `bowhist devices`, part of a name, cpu or gpu; all, or a list such as "
            "0,2: they share the work (default: the first GPU, else the first device)")
        ->type_name("DEVICE");
}

void add_device_options(Command &command, std::string &device, std::filesystem::path &kernel_dir) {
    const Heading under(command, heading::device);
    add_device_option(command, device);
    command
        .add_option("--kernel-dir", kernel_dir,
                    "Folder whose .cl files stand in for the built-in ones")
        ->check(existing_folder())
        ->type_name("DIR");
}

void add_level_options(Command &command, LevelRequest &request) {
    const Heading under(command, heading::device);
    std::vector<std::string_view> host;
    std::vector<std::string_view> device;
    request.options.threads = default_threads();
    for (const Level &level : levels()) (level.on_device ? device : host).push_back(level.id);
    command
        .add_option(
            "--kernel", request.level,
            fmt::format(
                "Optimization level: auto (short work stays on the host, long work measures; "
                "with --device one of its levels), {}, {}",
                fmt::join(host, ", "), fmt::join(device, ", ")))
        ->type_name("LEVEL")
        ->capture_default_str()
        ->check([](const std::string &id) {
            if (id != "auto") find_level(id); // or it throws, whether or not the level is needed
            return std::string();
        });
    add_device_options(command, request.device, request.kernel_dir);
    command
        .add_option("--batch", request.options.batch,
                    "Descriptors per launch on a device (default: by the device; fewer where "
                    "memory is short)")
        ->check(whole_number(1))
        ->type_name("N");
}

CLI::Option *add_normalization_option(Command &command, Normalization &normalization,
                                      bool with_weights) {
    std::vector<std::pair<std::string, Normalization>> names;
    for (const Normalization n :
         {Normalization::none, Normalization::l1, Normalization::l2, Normalization::hellinger,
          Normalization::tfidf, Normalization::bm25})
        names.emplace_back(name_of(n), n);
    return add_choice(command, "--normalize", normalization, names,
                      fmt::format("none (counts), l1, l2{} (default: {})",
                                  with_weights
                                      ? ", hellinger, or by weights of words, tfidf or bm25"
                                      : " or hellinger",
                                  name_of(normalization)))
        ->type_name("HOW");
}

void add_image_options(Command &command, ImageLimits &limits) {
    const Heading under(command, heading::images);
    add_number(command, max_side_option.flag, limits.max_side, 0,
               fmt::format(fmt::runtime(max_side_option.help), fmt::arg("sides", "")));
    add_limit_options(command, limits);
}

void add_input_options(Command &command, InputSource &source) {
    const Heading under(command, heading::input);
    command
        .add_option("--files-from", source.list,
                    "More INPUTs, one a line of LIST; - is standard input")
        ->type_name("LIST");
    command.add_flag("-0,--null", source.null_separated, "LIST is separated by NUL bytes");
    command
        .add_option("--exclude", source.excluded,
                    "Ignore files and folders of this name in folders (*.png), or of this path "
                    "below the folder given (2019/raw); once for each GLOB")
        ->expected(1)
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->type_name("GLOB");
    command.add_flag("--hidden", source.hidden,
                     "In folders, take files and folders that begin with a dot, too, but no bins "
                     "and thumbnails");
    command.final_callback([&source] {
        if (source.null_separated && source.list.empty())
            throw Error(Fault::usage,
                        "-0 is about the list of --files-from, and there is no list; give "
                        "--files-from LIST (- is standard input), or leave -0 out");
    });
}

CLI::Option *add_shard_option(Command &command, std::optional<Shard> &shard) {
    const Heading under(command, heading::input);
    const auto parse = [&shard](const std::string &text) {
        const auto slash = text.find('/');
        const auto number = as_number<std::size_t>(std::string_view(text).substr(0, slash));
        const auto of = slash == std::string::npos
                            ? std::nullopt
                            : as_number<std::size_t>(std::string_view(text).substr(slash + 1));
        if (!number || !of || *number == 0 || *number > *of || *of > Shard::most)
            throw CLI::ValidationError(
                "--shard",
                fmt::format("takes i/n, with i from 1 to n and n up to {}: 2/5", Shard::most));
        shard = Shard{*number, *of};
    };
    return command
        .add_option_function<std::string>(
            "--shard", parse,
            "Take only part I of N of the INPUTs, and write a .part file; bowhist merge puts all "
            "parts together")
        ->type_name("I/N");
}

void require_shard_output(const std::optional<Shard> &shard, const std::filesystem::path &output) {
    if (shard) require_part_name(output);
    if (!shard && ending_of(output) == ".part")
        throw Error(Fault::usage, fmt::format("{}: a part is made with --shard i/n; give that, or "
                                              "another ending",
                                              output));
}

void add_thread_option(Command &command, int &threads) {
    const Heading under(command, heading::device);
    constexpr int most = 1024;
    threads = default_threads();
    command
        .add_option_function<int>(
            "-j,--threads", [&threads](int asked) { threads = use_threads(asked); },
            "Threads at work (default: all cores, or those that a quota on CPU time leaves)")
        ->check(whole_number(1, most))
        ->type_name("N");
}

void add_strict_option(Command &command, bool &strict) {
    const Heading under(command, heading::input);
    command.add_flag("--strict", strict,
                     "Stop at an input that cannot be used (status 3), do not skip it");
}

void add_stream_options(Command &command, StreamOptions &options) {
    add_thread_option(command, options.threads);
    add_limit_options(command, options.image);
    add_strict_option(command, options.strict);
}

} // namespace bowhist::app
