// A training beside others': the same descriptors, k and iterations, each in its turn in every
// round. README.md says what is what.
//
// An iteration's time is the mean over a round: of ours and FAISS, which report the end of each
// one, from the first one's end to the last one's; of OpenCV and scikit-learn, what twice as many
// iterations take longer from the same start.
#include "tests/measure/print_median.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/tables/descriptors/descriptor_file.hpp>
#include <bowhist/train/kmeans.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#ifdef BOWHIST_PEER_FAISS
#include <faiss/Clustering.h>
#include <faiss/IndexFlat.h>
#endif
#ifdef BOWHIST_PEER_OPENCV
#include <opencv2/core.hpp>
#endif

#include <chrono>
#include <cstdio>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

using namespace bowhist;

namespace {

struct Options {
    std::string descriptors;
    std::string level = "simd";
    std::string device;
    std::size_t most = 200'000;
    std::size_t k = 256;
    int iterations = 10;
    int rounds = 5;
    bool alone = false; ///< no peers
};

/// What a contender shows in a round.
struct Turn {
    double seconds = 0;
    double inertia = 0;
    double iteration_seconds = 0;
};

struct Contender {
    std::string name;
    std::function<std::optional<Turn>(std::uint64_t seed)> train; ///< nothing where it cannot
    std::vector<Turn> turns = {};
};

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Notes the ends of iterations.
class IterationClock : public Observer {
  public:
    void progress(std::string_view what, std::size_t done, std::size_t) override {
        if (what != "iterations") return;
        if (done == 1) first_end_ = Clock::now();
        mean_ = done == 1 ? 0 : seconds_since(first_end_) / static_cast<double>(done - 1);
    }
    double mean() const { return mean_; }

  private:
    Clock::time_point first_end_;
    double mean_ = 0;
};

Contender ours(const Descriptors &rows, const Options &options, Start start, int iterations) {
    const LevelChoice level = choose_level({.level = options.level, .device = options.device},
                                           rows.dimensions, options.k);
    return {
        fmt::format("bowhist, {}, {} iterations", name_of(start), iterations),
        [&rows, level, start, iterations, k = options.k](std::uint64_t seed) {
            IterationClock clock;
            const auto begin = Clock::now();
            const double inertia = train(rows, {k, seed, iterations, start}, level, clock).inertia;
            return Turn{seconds_since(begin), inertia, clock.mean()};
        }};
}

#ifdef BOWHIST_PEER_FAISS
/// Its start is random; without the subsample that it would take of more than 256 rows per word.
Contender faiss_clustering(const Descriptors &rows, const Options &options, int iterations) {
    return {fmt::format("FAISS, random, {} iterations", iterations),
            [&rows, iterations, k = options.k](std::uint64_t seed) {
                faiss::ClusteringParameters parameters;
                parameters.niter = iterations;
                parameters.seed = static_cast<int>(seed);
                parameters.max_points_per_centroid = std::numeric_limits<int>::max();
                const auto d = static_cast<int>(rows.dimensions);
                faiss::Clustering clustering(d, static_cast<int>(k), parameters);
                faiss::IndexFlatL2 index(d);
                const auto begin = Clock::now();
                clustering.train(static_cast<faiss::Index::idx_t>(rows.size()), rows.values.data(),
                                 index);
                const double seconds = seconds_since(begin);
                const auto &ends = clustering.iteration_stats; // times since the start
                return Turn{seconds, ends.back().obj,
                            (ends.back().time - ends.front().time) / (iterations - 1)};
            }};
}
#endif

#ifdef BOWHIST_PEER_OPENCV
Turn opencv_training(const Descriptors &rows, std::size_t k, int iterations, std::uint64_t seed) {
    const cv::Mat data(static_cast<int>(rows.size()), static_cast<int>(rows.dimensions), CV_32F,
                       const_cast<float *>(rows.values.data()));
    cv::theRNG().state = seed * 7919 + 1;
    cv::Mat labels;
    const cv::TermCriteria until(cv::TermCriteria::COUNT, iterations, 0);
    const auto begin = Clock::now();
    const double inertia =
        cv::kmeans(data, static_cast<int>(k), labels, until, 1, cv::KMEANS_PP_CENTERS);
    return {seconds_since(begin), inertia};
}

Contender opencv_kmeans(const Descriptors &rows, const Options &options) {
    return {fmt::format("OpenCV, k-means++, {} iterations", options.iterations),
            [&rows, options](std::uint64_t seed) {
                const int iterations = options.iterations;
                Turn turn = opencv_training(rows, options.k, iterations, seed);
                const Turn longer = opencv_training(rows, options.k, 2 * iterations, seed);
                turn.iteration_seconds = (longer.seconds - turn.seconds) / iterations;
                return turn;
            }};
}
#endif

/// A process of its own, which reads the rows itself and takes its own times.
Contender sklearn_kmeans(const Descriptors &rows, const Options &options) {
    return {fmt::format("scikit-learn, random, {} iterations", options.iterations),
            [rows = rows.size(), options](std::uint64_t seed) -> std::optional<Turn> {
                const std::string command = fmt::format(
                    "/usr/bin/python3 '{}/sklearn_kmeans.py' '{}' {} {} {} {}", BOWHIST_PEERS,
                    options.descriptors, rows, options.k, options.iterations, seed);
                Turn turn;
                std::FILE *const pipe = ::popen(command.c_str(), "r");
                const bool has_told =
                    pipe != nullptr && std::fscanf(pipe, "%lf %lf %lf", &turn.seconds,
                                                   &turn.inertia, &turn.iteration_seconds) == 3;
                if (pipe != nullptr) ::pclose(pipe);
                if (has_told) return turn;
                fmt::print(stderr, "left out, no figures from: {}\n", command);
                return std::nullopt;
            }};
}

std::vector<Contender> contenders(const Descriptors &rows, const Options &options) {
    std::vector<Contender> all{ours(rows, options, Start::sampled, options.iterations),
                               ours(rows, options, Start::greedy, options.iterations),
                               ours(rows, options, Start::random, options.iterations),
                               ours(rows, options, Start::random, 2 * options.iterations)};
    if (options.alone) return all;
#ifdef BOWHIST_PEER_FAISS
    all.push_back(faiss_clustering(rows, options, options.iterations));
    all.push_back(faiss_clustering(rows, options, 2 * options.iterations));
#endif
#ifdef BOWHIST_PEER_OPENCV
    all.push_back(opencv_kmeans(rows, options));
#endif
    all.push_back(sklearn_kmeans(rows, options));
    return all;
}

/// The last of them: descriptors of many images, so that each has its share.
Descriptors read(const Options &options) {
    Descriptors all = read_descriptors(options.descriptors);
    Descriptors rows{all.dimensions, {}};
    const std::size_t apart = std::max<std::size_t>(1, all.size() / options.most);
    for (std::size_t row = 0; row < all.size() && rows.size() < options.most; row += apart)
        rows.values.insert(rows.values.end(), all.row(row).begin(), all.row(row).end());
    return rows;
}

/// Prints a figure of all rounds; with `first`, how many times that contender's in the same round.
void print_rounds(const char *name, const Contender &contender, double Turn::*figure,
                  double scale = 1, const Contender *first = nullptr) {
    std::vector<double> values;
    for (std::size_t round = 0; round < contender.turns.size(); ++round)
        values.push_back(scale * contender.turns[round].*figure /
                         (first != nullptr ? first->turns[round].*figure : 1));
    print(name, values);
}

int run(const Options &options) {
    const Descriptors rows = read(options);
    std::vector<Contender> all = contenders(rows, options);
    for (std::size_t round = 1; round <= static_cast<std::size_t>(options.rounds); ++round) {
        for (Contender &contender : all) {
            std::this_thread::sleep_for(
                std::chrono::milliseconds(500)); // idle threads stop spinning
            const auto turn = contender.train(round);
            if (!turn) continue;
            contender.turns.push_back(*turn);
            fmt::print(stderr, "{}: {:.3f} s\n", contender.name, turn->seconds);
        }
        std::erase_if(all, [&](const Contender &each) { return each.turns.size() < round; });
    }
    fmt::print("{} descriptors of {} dimensions, k = {}; {} rounds, each with a seed of its own\n",
               rows.size(), rows.dimensions, options.k, options.rounds);
    std::fflush(stdout);
    for (const Contender &contender : all) {
        std::printf("%s\n", contender.name.c_str());
        print_rounds("seconds", contender, &Turn::seconds);
        print_rounds("times the first", contender, &Turn::seconds, 1, &all.front());
        print_rounds("inertia", contender, &Turn::inertia);
        print_rounds("milliseconds an iteration", contender, &Turn::iteration_seconds, 1e3);
        print_rounds("times the first's", contender, &Turn::iteration_seconds, 1, &all.front());
    }
    return 0;
}

} // namespace

int main(int argc, char **argv) {
    CLI::App app("Trains vocabularies, ours and others'.");
    Options options;
    app.add_option("descriptors", options.descriptors)->required();
    app.add_option("--kernel", options.level);
    app.add_option("--device", options.device);
    app.add_option("-n", options.most);
    app.add_option("-k", options.k);
    app.add_option("--iterations", options.iterations);
    app.add_option("--rounds", options.rounds);
    app.add_flag("--alone", options.alone);
    CLI11_PARSE(app, argc, argv);
    try {
        return run(options);
    } catch (const Error &error) {
        fmt::print(stderr, "{}\n", error.what());
        return 1;
    }
}
