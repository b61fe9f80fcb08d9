// Our levels beside other people's work, on the same arrays, in turn, in one process.
// tests/peers/README.md says how to run it and what is counted.
#include "bench/peaks.hpp"
#include "tests/peers/contender.hpp"
#include "tests/peers/table.hpp"

#include <bowhist/assign/choose/synthetic.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/tables/descriptors/descriptor_file.hpp>
#include <bowhist/tables/vocabulary/vocabulary_file.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

using namespace bowhist;
using namespace bowhist::peers;

namespace {

struct Options {
    std::size_t n = 65536;
    std::vector<std::size_t> k = {64, 256, 1024};
    std::size_t dimensions = 64;
    int rounds = 7;
    int threads = static_cast<int>(std::thread::hardware_concurrency());
    std::size_t sample = 4096;
    std::string data;
    std::vector<std::string> centroids;
    bool device_levels = false;
};

Options read_options(int argc, char **argv) {
    Options options;
    CLI::App app("Our levels and their peers on the same arrays, interleaved in one process.");
    const auto positive = [&](const char *name, auto &value, const char *description) {
        return app.add_option(name, value, description)
            ->capture_default_str()
            ->check(CLI::Range(1, 1 << 30));
    };
    positive("-n", options.n, "Descriptors");
    positive("-k", options.k, "Words; several, with commas")->delimiter(',');
    positive("-d", options.dimensions, "Dimensions of drawn descriptors");
    positive("--rounds", options.rounds, "Times that each takes its turn");
    positive("--threads", options.threads, "Threads of each");
    app.add_option("--sample", options.sample, "Rows whose words the rule checks")
        ->capture_default_str();
    app.add_option("--data", options.data, "Real descriptors (.npy), repeated up to n");
    app.add_option("--centroids", options.centroids, "Vocabularies in place of k drawn rows");
    app.add_flag("--device-levels", options.device_levels,
                 "The OpenCL levels too, as they are and with -cl-fast-relaxed-math (PoCL)");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        std::exit(app.exit(error));
    }
    return options;
}

/// Repeated up to n.
Descriptors read_rows(const std::string &path, std::size_t n) {
    const Descriptors rows = read_descriptors(path);
    if (rows.size() == 0) throw Error(Fault::input, path + ": there are no rows in it");
    return repeated(rows, n);
}

Vocabulary read_fitting(const std::string &path, const Descriptors &rows) {
    Vocabulary vocabulary = read_vocabulary(path);
    if (vocabulary.dimensions != rows.dimensions)
        throw Error(Fault::vocabulary, fmt::format("{} has {} dimensions, the descriptors have {}",
                                                   path, vocabulary.dimensions, rows.dimensions));
    return vocabulary;
}

std::vector<Vocabulary> vocabularies_for(const Options &options, const Descriptors &rows) {
    std::vector<Vocabulary> all;
    for (const std::string &path : options.centroids) all.push_back(read_fitting(path, rows));
    if (all.empty())
        for (const std::size_t k : options.k) all.push_back(rows_as_vocabulary(rows, k, 2));
    return all;
}

/// The mean of as many calls as fill 20 ms. Before them a pause, so that the last one's idle
/// threads stop spinning, and a call that wakes this one's.
double seconds_of(const Contender &contender) {
    using Clock = std::chrono::steady_clock;
    constexpr double enough = 0.02;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    contender.run();
    int calls = 0;
    double seconds = 0;
    for (const auto start = Clock::now(); seconds < enough; ++calls) {
        contender.run();
        seconds = std::chrono::duration<double>(Clock::now() - start).count();
    }
    return seconds / calls;
}

std::vector<Contender> contenders_for(const Problem &problem, bool with_device_levels) {
    std::vector<Contender> all = host_levels(problem);
    const auto add = [&](std::vector<Contender> more) {
        std::ranges::move(more, std::back_inserter(all));
    };
    for (const Peer &peer : peers::peers())
        if (peer.make) add(peer.make(problem));
    if (with_device_levels) {
        add(device_levels(problem));
        add(relaxed_levels(problem));
    }
    return all;
}

std::size_t differing(std::vector<std::int32_t> found, const std::vector<std::int32_t> &expected) {
    found.resize(expected.size());
    return std::inner_product(found.begin(), found.end(), expected.begin(), std::size_t{0},
                              std::plus{}, std::not_equal_to{});
}

void measure(const Options &options, const Problem &problem) {
    const std::size_t reference = host_levels(problem).size() - 1; // the fastest of ours
    const std::vector<Contender> contenders = contenders_for(problem, options.device_levels);
    Table table{.operations = 2.0 * static_cast<double>(problem.descriptors.values.size()) *
                              static_cast<double>(problem.vocabulary.size()),
                .reference = reference,
                .rows = {},
                .peaks = {}};
    const Case multiply_adds = host_peaks(problem.threads).front();
    for (const Contender &contender : contenders) table.rows.push_back({contender.name, {}, 0});
    for (int round = 0; round < options.rounds; ++round) {
        table.peaks.push_back(1e-9 * multiply_adds.work.operations / multiply_adds.run().seconds);
        for (std::size_t c = 0; c < contenders.size(); ++c)
            table.rows[c].seconds.push_back(seconds_of(contenders[c]));
    }
    const auto expected = words_by_the_rule(problem, options.sample);
    for (std::size_t c = 0; c < contenders.size(); ++c)
        table.rows[c].differing = differing(contenders[c].words(), expected);
    fmt::print("\nn = {}, k = {}, D = {}, {} threads, {} rounds; the rule checks {} rows\n",
               problem.descriptors.size(), problem.vocabulary.size(),
               problem.descriptors.dimensions, problem.threads, options.rounds, expected.size());
    print(table);
}

/// In one process PoCL 3.1 gives the plain levels of a later problem the code that was built with
/// relaxed math for an earlier one.
template <typename Work>
void in_a_process_of_its_own(Work work) {
    std::fflush(stdout);
    const pid_t child = ::fork();
    if (child < 0) throw Error(Fault::output, "cannot start a process");
    if (child == 0) {
        work();
        std::fflush(stdout);
        std::_Exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    if (status != 0) throw Error(Fault::output, "the process that measured has failed");
}

} // namespace

int main(int argc, char **argv) {
    const Options options = read_options(argc, argv);
    try {
        for (const Peer &peer : peers::peers())
            if (!peer.make)
                fmt::print("{}: left out; install {} and configure again\n", peer.name,
                           peer.package);
        const Descriptors rows = options.data.empty()
                                     ? synthetic_descriptors({}, options.n, options.dimensions)
                                     : read_rows(options.data, options.n);
        for (const Vocabulary &vocabulary : vocabularies_for(options, rows))
            in_a_process_of_its_own([&] { measure(options, {rows, vocabulary, options.threads}); });
    } catch (const Error &error) {
        fmt::print(stderr, "peers: {}\n{}", error.what(), error.detail);
        return 3;
    }
}
