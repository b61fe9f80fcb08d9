// bowhist bench: what each way of doing an operation reaches on this device.
#include "app/command/options.hpp"
#include "app/command/standard_streams.hpp"
#include "bench/report/bench_text.hpp"
#include "bench/report/roofline.hpp"
#include <bowhist/pipeline/output_check.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/atomic_file.hpp>
#include <bowhist/tables/descriptors/descriptor_file.hpp>
#include <bowhist/tables/vocabulary/vocabulary_file.hpp>

#include <optional>

namespace bowhist::app {
namespace {

struct BenchCall {
    BenchRequest request;
    std::filesystem::path data;
    std::filesystem::path centroids;
    std::filesystem::path plot;
    bool json = false;
    ConsoleOptions console;
};

std::string list_of_operations() {
    std::string list;
    for (const Operation &operation : operations())
        list += fmt::format("  {:<18}{}\n", operation.id, operation.idea);
    return list;
}

/// An option whose values are separated by commas: the next word is an OPERATION.
CLI::Option *as_list(CLI::Option *option) {
    return option->delimiter(',')->expected(1)->allow_extra_args(false)->multi_option_policy(
        CLI::MultiOptionPolicy::TakeAll);
}

void add_size_options(Command &command, BenchRequest &request) {
    command
        .add_option("-n", request.n,
                    "Rows (default: 2^20 on a GPU, else 2^16; fewer where a level is slow)")
        ->check(whole_number(1, std::uint64_t{1} << 32))
        ->type_name("N");
    as_list(command.add_option("-k", request.k, "Words, one number or several with commas"))
        ->check(whole_number(1, most_words))
        ->type_name("K,...")
        ->capture_default_str();
    add_number(command, "-d,--dimensions", request.dimensions, 1, "Floats in a row",
               std::uint64_t{1} << 24)
        ->type_name("D");
    add_number(command, "--rounds", request.rounds, 1, "Timed rounds, after one that warms up",
               1000000);
    as_list(command.add_option("--local-size", request.local_sizes,
                               "Work-items a group, where a level takes any: each is tried"))
        ->check(whole_number(1))
        ->type_name("N,...");
    command
        .add_option("--side", request.side,
                    "Pixels a side of pictures (default: by the operation; less where n is small)")
        ->check(whole_number(1, 32768))
        ->type_name("N");
    as_list(command.add_option("--tile", request.tiles,
                               "Pixels a side of the convolutions' square tiles: each is tried"))
        ->check(whole_number(1, 1024))
        ->type_name("N,...");
}

void add_data_options(Command &command, BenchCall &call) {
    add_file(command, "--data", call.data,
             "Real descriptors (.npy .npz .fvecs .fbin) in place of synthetic ones");
    add_file(command, "--centroids", call.centroids,
             "Real words (default: drawn from the descriptors)");
    add_number(command, "--seed", call.request.synthetic.seed, 0, "Seed for all random data");
}

/// Refuses options for sizes that a file determines.
void check_sizes(const Command &command, const BenchCall &call) {
    const auto refuse = [&](const char *option, const std::filesystem::path &file, const char *by) {
        if (!file.empty() && given(command.get_option(option)))
            throw Error(Fault::usage,
                        fmt::format("{} comes from {} {}; leave {} out", option, by, file, option));
    };
    refuse("-k", call.centroids, "--centroids");
    refuse("-d", call.centroids, "--centroids");
    refuse("-d", call.data, "--data");
}

/// Refuses options that no requested operation takes.
void check_options_have_use(const BenchCall &call) {
    const BenchRequest &request = call.request;
    const auto check = [&](bool given, const char *option, bool (Operation::*takes)() const) {
        const auto &asked = request.operations;
        if (!given || asked.empty() || std::ranges::any_of(asked, [&](const std::string &id) {
                return (find_operation(id).*takes)();
            }))
            return;
        auto taking =
            operations() | std::views::filter(takes) | std::views::transform(&Operation::id);
        throw Error(Fault::usage, fmt::format("{} is for {}, not for {}; leave it out", option,
                                              fmt::join(taking, ", "), fmt::join(asked, ", ")));
    };
    check(!request.local_sizes.empty(), "--local-size", &Operation::has_groups);
    check(request.side > 0, "--side", &Operation::has_images);
    check(!request.tiles.empty(), "--tile", &Operation::has_tiles);
    check(!request.levels.empty(), "--kernel", &Operation::has_words);
    check(!call.data.empty(), "--data", &Operation::has_words);
    check(!call.centroids.empty(), "--centroids", &Operation::has_words);
}

/// `auto` is not accepted: bench measures every level separately.
void check_levels(const std::vector<std::string> &ids) {
    const auto known = levels() | std::views::transform(&Level::id);
    for (const std::string &id : ids)
        if (std::ranges::find(known, std::string_view(id)) == known.end())
            throw Error(Fault::usage, fmt::format("there is no level \"{}\"; choose among: {}",
                                                  excerpt(id), fmt::join(known, ", ")));
}

BenchCall read_call(const Arguments &arguments) {
    BenchCall call;
    Command command("bench", "Measures what each way of doing an operation reaches here.",
                    "[OPERATION...]",
                    "  bowhist bench\n"
                    "  bowhist bench assign --kernel gpu4,gpu5 -k 64,256 --local-size 32,64,128\n"
                    "  bowhist bench convolve-5x5 --side 512 --tile 12,16,32\n"
                    "  bowhist bench assign -n 65536 --data d.npy --json > ladder.jsonl\n"
                    "\n"
                    "OPERATION (default: all):\n" +
                        list_of_operations() + "\n" + explained_columns());
    as_list(command.add_option("--kernel", call.request.levels,
                               "Levels to measure, with commas (default: all; of train-iteration "
                               "openmp, simd, gpu6, gpu7)"))
        ->type_name("LEVEL,...");
    add_device_options(command, call.request.device, call.request.kernel_dir);
    add_size_options(command, call.request);
    add_data_options(command, call);
    add_file(command, "--plot", call.plot, "Draw the rows under their roofs (.svg or .html)")
        ->check(ends_in({".svg", ".html"}));
    command.add_flag("--json", call.json, "One JSON object a line, for scripts");
    add_thread_option(command, call.request.threads);
    add_console_options(command, call.console);
    call.request.operations = command.parse(arguments);
    check_sizes(command, call);
    check_outputs({call.plot}, {call.data, call.centroids});
    for (const std::string &id : call.request.operations) find_operation(id);
    check_levels(call.request.levels);
    check_options_have_use(call);
    return call;
}

/// Reads the files of --data and --centroids.
void read_data(BenchCall &call) {
    BenchRequest &request = call.request;
    if (!call.centroids.empty()) {
        request.vocabulary = read_vocabulary(call.centroids);
        request.dimensions = request.vocabulary.dimensions;
    }
    if (call.data.empty()) return;
    request.data = read_descriptors(call.data);
    if (request.data.size() == 0)
        throw Error(Fault::input,
                    fmt::format("{}: there are no descriptors in it to measure with", call.data));
    if (!call.centroids.empty() && request.data.dimensions != request.dimensions)
        throw Error(Fault::input,
                    fmt::format("{}: its descriptors have {} dimensions, {} has {}", call.data,
                                request.data.dimensions, call.centroids, request.dimensions));
    request.dimensions = request.data.dimensions;
}

/// The data, in a line.
std::string describe_data(const BenchCall &call) {
    const SyntheticData &synthetic = call.request.synthetic;
    if (call.data.empty())
        return fmt::format(
            "synthetic descriptors: {} clusters, {:g} % near-ties in assign, seed {}",
            synthetic.clusters, 100 * synthetic.near_tie_share, synthetic.seed);
    return fmt::format("the {} descriptors of {}, repeated where n is more",
                       call.request.data.size(), call.data);
}

/// @throws Error{Fault::device} if a row failed or has wrong results
void check_results(const std::vector<Group> &groups, bool edited) {
    const char *advice = edited ? "repair the kernel"
                                : "do not use it here, and please report this with the output of "
                                  "`bowhist devices`";
    for (const Group &group : groups)
        for (const Measurement &row : group.measurements) {
            const bool failed = !row.error.empty();
            if (!failed && (!row.figures || row.figures->mismatches.value_or(0) == 0)) continue;
            throw Error(
                Fault::device,
                fmt::format("{} by {} {}; {}", row.subject.operation, row.subject.level,
                            failed ? "failed, as its row says"
                                   : fmt::format("gave {} wrong results", *row.figures->mismatches),
                            advice));
        }
}

} // namespace

int bench_verb(const Arguments &arguments) {
    BenchCall call = read_call(arguments);
    Console console(call.console);
    read_data(call);
    std::optional<AtomicFile> plot; // opened first: an error shows before anything is measured
    if (!call.plot.empty()) plot.emplace(call.plot);
    if (!call.json)
        fmt::print("medians of {} rounds, all rows in turn; {}\n", call.request.rounds,
                   describe_data(call));
    std::vector<Group> groups;
    run_bench(call.request, console, [&](const Group &group) {
        fmt::print("{}", call.json ? as_json_lines(group) : "\n" + as_table(group));
        finish_standard_output();
        groups.push_back(group);
    });
    if (plot) write_roofline(*plot, groups);
    check_results(groups, !call.request.kernel_dir.empty());
    return 0;
}

} // namespace bowhist::app
