// bowhist kernels: the levels of the ladder, and their source.
#include "app/options.hpp"

#include <bowhist/assign/choose/choice.hpp>
#include <bowhist/device/kernel_source.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <vector>

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
    std::vector<std::string_view> ids;
    for (const Level *level : status.candidates) ids.push_back(level->id);
    fmt::print(
        "auto is not measured yet for {} words of {} dimensions: the first run will take the "
        "fastest of {}\n",
        k, dimensions, fmt::join(ids, ", "));
}

} // namespace

int kernels_verb(const Arguments &arguments) {
    LevelRequest request;
    std::filesystem::path folder;
    std::size_t dimensions = 64;
    std::size_t k = 256;
    Command command(
        "kernels",
        "Lists the optimisation levels, whether each runs here, and which one auto takes.", "",
        "  bowhist kernels\n"
        "  bowhist kernels --dump mine   # edit, then: --kernel gpu1 --kernel-dir mine");
    command.add_option("--dump", folder, "Write every .cl file into a folder, to read and edit")
        ->type_name("DIR");
    add_device_option(command, request.device);
    command.add_option("-d,--dimensions", dimensions, "Judge for descriptors of so many floats")
        ->check(whole_number(1))
        ->type_name("D")
        ->capture_default_str();
    command.add_option("-k", k, "Judge for so many words")
        ->check(whole_number(1))
        ->type_name("K")
        ->capture_default_str();
    command.parse(arguments);
    if (!folder.empty()) {
        dump_kernels(folder);
        return 0;
    }
    print_levels(survey_levels(request, dimensions, k));
    print_auto(survey_auto(request, dimensions, k), dimensions, k);
    return 0;
}

} // namespace bowhist::app
