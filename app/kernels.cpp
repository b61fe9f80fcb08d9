// bowhist kernels: the levels of the ladder, and their source.
#include "app/command/options.hpp"
#include "app/command/standard_streams.hpp"

#include <bowhist/device/drivers/drivers.hpp>
#include <bowhist/device/kernel_source.hpp>

namespace bowhist::app {
namespace {

void print_levels(const std::vector<LevelStatus> &statuses) {
    std::size_t width = 0; // of the longest file's name
    for (const LevelStatus &status : statuses) width = std::max(width, status.source.size());
    for (const auto &[level, obstacle, source] : statuses) {
        fmt::print("{:<8}{:<{}}  {}\n", level->id, source.empty() ? "host" : source, width,
                   level->idea);
        if (obstacle) fmt::print("{:<{}}not here: {}\n", "", 10 + width, *obstacle);
    }
}

/// Says what auto takes for such a vocabulary, and how that is known.
void print_auto(const AutoStatus &status, std::size_t dimensions, std::size_t k) {
    if (status.choice) {
        fmt::print("auto is {}, {}\n", status.choice->name(),
                   status.measured.empty() ? "the only one" : status.measured);
        return;
    }
    fmt::print("auto is not measured yet for {} words of {} dimensions: long runs measure {}, or "
               "do it now with --measure\n",
               k, dimensions,
               fmt::join(status.candidates | std::views::transform(&Level::id), ", "));
}

void print_speeds(const std::vector<LevelSpeed> &speeds) {
    for (const LevelSpeed &speed : speeds)
        fmt::print("{:<8}{:.3g} GFLOP/s\n", speed.level->id, speed.gigaflops);
}

} // namespace

int kernels_verb(const Arguments &arguments) {
    LevelRequest request;
    bool verbose = false;
    std::filesystem::path folder;
    std::size_t dimensions = 64;
    std::size_t k = 256;
    bool measures = false;
    Command command(
        "kernels",
        "Lists the optimization levels, whether each runs here, and which one auto takes.", "",
        "  bowhist kernels\n"
        "  bowhist kernels --measure -k 1000   # what auto takes for long work\n"
        "  bowhist kernels --dump mine   # edit, then: --kernel gpu1 --kernel-dir mine");
    add_file(command, "--dump", folder, "Write every .cl file into a folder, to read and edit")
        ->type_name("DIR");
    add_device_option(command, request.device);
    add_number(command, "-d,--dimensions", dimensions, 1, "Floats of a descriptor")->type_name("D");
    add_number(command, "-k", k, 1, "Words of the vocabulary", most_words)->type_name("K");
    command.add_flag("--measure", measures,
                     "Measure the levels that auto chooses from, and remember the fastest");
    command.add_flag("-v,--verbose", verbose, "Let drivers and compilers be heard, too");
    command.parse(arguments);
    if (!folder.empty()) {
        dump_kernels(folder);
        return 0;
    }
    if (!verbose) silence_libraries();
    if (measures)
        print_speeds(measure_auto(request, dimensions, k));
    else
        print_levels(survey_levels(request, dimensions, k));
    print_auto(survey_auto(request, dimensions, k), dimensions, k);
    std::fflush(stdout);
    for (const std::string &line : lines_about_drivers("; --kernel simd needs no driver"))
        print_message(fmt::format("bowhist: warning: {}\n", line));
    return 0;
}

} // namespace bowhist::app
