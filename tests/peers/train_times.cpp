// A training beside others': the same descriptors, k and iterations, each in its turn in every
// round. README.md says what is what.
#include "tests/measure/print_median.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/tables/descriptor_file.hpp>
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

#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

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

struct Turns {
    std::string name;
    std::function<double(std::uint64_t seed)> train; ///< returns the inertia
    std::vector<double> seconds = {};
    std::vector<double> inertias = {};
    std::shared_ptr<std::vector<double>> iterations = {}; ///< milliseconds of each, of ours
};

/// Takes the time from one iteration's end to the next one's.
class IterationClock : public Observer {
  public:
    explicit IterationClock(std::vector<double> &milliseconds) : milliseconds_(milliseconds) {}

    void progress(std::string_view what, std::size_t done, std::size_t) override {
        if (what != "iterations") return;
        const auto now = std::chrono::steady_clock::now();
        if (done > 1)
            milliseconds_.push_back(std::chrono::duration<double, std::milli>(now - last_).count());
        last_ = now;
    }

  private:
    std::vector<double> &milliseconds_;
    std::chrono::steady_clock::time_point last_;
};

Turns ours(const Descriptors &rows, const Options &options, Start start, int iterations) {
    const LevelChoice level = choose_level({.level = options.level, .device = options.device},
                                           rows.dimensions, options.k);
    const auto times = std::make_shared<std::vector<double>>();
    return {fmt::format("bowhist, {}, {} iterations", name_of(start), iterations),
            [&rows, level, start, iterations, times, k = options.k](std::uint64_t seed) {
                IterationClock clock(*times);
                return train(rows, {k, seed, iterations, start}, level, clock).inertia;
            },
            {},
            {},
            times};
}

#ifdef BOWHIST_PEER_FAISS
/// Its start is random; without the subsample that it would take of more than 256 rows per word.
Turns faiss_clustering(const Descriptors &rows, const Options &options, int iterations) {
    return {fmt::format("FAISS, random, {} iterations", iterations),
            [&rows, iterations, k = options.k](std::uint64_t seed) {
                faiss::ClusteringParameters parameters;
                parameters.niter = iterations;
                parameters.seed = static_cast<int>(seed);
                parameters.max_points_per_centroid = std::numeric_limits<int>::max();
                const auto d = static_cast<int>(rows.dimensions);
                faiss::Clustering clustering(d, static_cast<int>(k), parameters);
                faiss::IndexFlatL2 index(d);
                clustering.train(static_cast<faiss::Index::idx_t>(rows.size()), rows.values.data(),
                                 index);
                return static_cast<double>(clustering.iteration_stats.back().obj);
            }};
}
#endif

#ifdef BOWHIST_PEER_OPENCV
Turns opencv_kmeans(const Descriptors &rows, const Options &options) {
    return {fmt::format("OpenCV, k-means++, {} iterations", options.iterations),
            [&rows, options](std::uint64_t seed) {
                const cv::Mat data(static_cast<int>(rows.size()), static_cast<int>(rows.dimensions),
                                   CV_32F, const_cast<float *>(rows.values.data()));
                cv::theRNG().state = seed * 7919 + 1;
                cv::Mat labels;
                const cv::TermCriteria until(cv::TermCriteria::COUNT, options.iterations, 0);
                return cv::kmeans(data, static_cast<int>(options.k), labels, until, 1,
                                  cv::KMEANS_PP_CENTERS);
            }};
}
#endif

std::vector<Turns> contenders(const Descriptors &rows, const Options &options) {
    std::vector<Turns> all{ours(rows, options, Start::sampled, options.iterations),
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
    return all;
}

/// The last of them: descriptors of many pictures, so that each has its share.
Descriptors read(const Options &options) {
    Descriptors all = read_descriptors(options.descriptors);
    Descriptors rows{all.dimensions, {}};
    const std::size_t apart = std::max<std::size_t>(1, all.size() / options.most);
    for (std::size_t row = 0; row < all.size() && rows.size() < options.most; row += apart)
        rows.values.insert(rows.values.end(), all.row(row).begin(), all.row(row).end());
    return rows;
}

int run(const Options &options) {
    const Descriptors rows = read(options);
    std::vector<Turns> all = contenders(rows, options);
    for (int round = 0; round < options.rounds; ++round)
        for (Turns &turns : all) {
            const auto start = std::chrono::steady_clock::now();
            turns.inertias.push_back(turns.train(static_cast<std::uint64_t>(round) + 1));
            const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
            turns.seconds.push_back(time.count());
            fmt::print(stderr, "{}: {:.3f} s\n", turns.name, time.count());
        }
    fmt::print("{} descriptors of {} dimensions, k = {}; {} rounds, each with a seed of its own\n",
               rows.size(), rows.dimensions, options.k, options.rounds);
    std::fflush(stdout);
    for (const Turns &turns : all) {
        std::printf("%s\n", turns.name.c_str());
        print("seconds", turns.seconds);
        std::vector<double> times(turns.seconds.size());
        std::ranges::transform(turns.seconds, all.front().seconds, times.begin(), std::divides{});
        print("times the first", times);
        print("inertia", turns.inertias);
        if (turns.iterations) print("milliseconds an iteration", *turns.iterations);
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
