// Every level's words and counts beside the rule's, on millions of descriptors that are harmless,
// real and malicious (tests/support/adversarial.hpp). Nothing is timed; one wrong word is a defect.
//
//     exactness [-n N] [--kernel LIST] [--data FILE.npy …] [--seed N] [-j N] [--bound-scale X]
//
// -n rows in all (default 10000000); real ones, each once, are half of them at most. --kernel:
// default all but serial, which is the rule. --bound-scale 0.001 plants a bound that is too small,
// to see levels fail. A line for each kind of data has each level's wrong words and the
// share of rows that it could not prove at first, or "-" where it declines. Exit status: 1 when a
// word or a count differs.
#include "tests/measure/exactness_cases.hpp"
#include "tests/support/words_by_rule.hpp"

#include <bowhist/assign/level.hpp>
#include <bowhist/device/device.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <tbb/global_control.h>
#include <tbb/info.h>

#include <algorithm>
#include <cstdlib>
#include <set>

using namespace bowhist;

namespace {

constexpr std::size_t image_rows = 1000;

struct Plan {
    std::size_t n = 10'000'000;
    std::vector<Level> levels;
    std::vector<std::string> data;
    unsigned seed = 1;
    int threads = tbb::info::default_concurrency();
    double bound_scale = 1;
};

Plan read_plan(int count, char **arguments) {
    Plan plan;
    std::vector<std::string> named;
    CLI::App app("Every level's words and counts beside the rule's.");
    app.add_option("-n", plan.n)->check(CLI::PositiveNumber);
    app.add_option("--kernel", named)->delimiter(',');
    app.add_option("--data", plan.data);
    app.add_option("--seed", plan.seed)->check(CLI::PositiveNumber);
    app.add_option("-j", plan.threads)->check(CLI::PositiveNumber);
    app.add_option("--bound-scale", plan.bound_scale)->check(CLI::PositiveNumber);
    try {
        app.parse(count, arguments);
    } catch (const CLI::ParseError &error) {
        std::exit(app.exit(error) == 0 ? 0 : 2);
    }
    for (const std::string &id : named) plan.levels.push_back(find_level(id));
    for (const Level &level : levels())
        if (named.empty() && level.id != "serial") plan.levels.push_back(level);
    return plan;
}

/// A level before one case.
struct Contestant {
    Level level;
    std::optional<std::string> obstacle = {};
    std::unique_ptr<Assigner> assigner = {};
    std::size_t wrong_words = 0;
    std::size_t wrong_counts = 0;
};

template <typename T>
std::size_t differences(const std::vector<T> &a, const std::vector<T> &b) {
    if (a.size() != b.size()) return std::max(a.size(), b.size());
    std::size_t differing = 0;
    for (std::size_t i = 0; i < a.size(); ++i) differing += a[i] != b[i] ? 1 : 0;
    return differing;
}

void compare(const Descriptors &rows, const Vocabulary &words,
             std::vector<Contestant> &contestants) {
    const auto expected = testing::words_by_rule(rows, words);
    const std::size_t images = rows.size() / image_rows + 1;
    std::vector<std::uint32_t> image(rows.size());
    std::vector<std::uint32_t> counts(images * words.size());
    for (std::size_t row = 0; row < image.size(); ++row) {
        image[row] = static_cast<std::uint32_t>(row / image_rows);
        ++counts[image[row] * words.size() + static_cast<std::size_t>(expected[row])];
    }
    for (Contestant &contestant : contestants) {
        if (contestant.obstacle) continue;
        const Assignment result = contestant.assigner->run({rows.values, image, images});
        contestant.wrong_words += differences(expected, result.words);
        contestant.wrong_counts += differences(counts, result.histograms);
    }
}

std::string verdict(const Contestant &contestant, std::size_t n) {
    if (contestant.obstacle) return "-";
    const auto unproven = static_cast<double>(contestant.assigner->report().unproven);
    return fmt::format("{}{} {:6.2f}%", contestant.wrong_words,
                       contestant.wrong_counts > 0
                           ? fmt::format(" ({} counts)", contestant.wrong_counts)
                           : std::string(),
                       100 * unproven / static_cast<double>(n));
}

class Judge {
  public:
    explicit Judge(const Plan &plan) : plan_(plan) {
        if (!devices().empty()) device_ = std::make_shared<Device>(DeviceOptions{});
        fmt::print("{} threads, {}\n{:22}{:>9}{:>5}{:>6}", plan.threads,
                   device_ ? device_->info().name : "no OpenCL device", "wrong words, unproven",
                   "n", "D", "k");
        for (const Level &level : plan.levels) fmt::print("{:>12}", level.id);
        fmt::print("\n");
    }

    void judge(const measure::ExactnessCase &one) {
        std::vector<Contestant> contestants = prepare(one.words);
        const bool taken = std::ranges::any_of(contestants, [](const Contestant &contestant) {
            return contestant.assigner != nullptr;
        });
        for (std::size_t first = 0; taken && first < one.n; first += measure::block_rows)
            compare(
                one.rows(first / measure::block_rows, std::min(measure::block_rows, one.n - first)),
                one.words, contestants);
        fmt::print("{:22}{:9}{:5}{:6}", one.name, one.n, one.words.dimensions, one.words.size());
        for (const Contestant &contestant : contestants) {
            fmt::print(" {:>11}", verdict(contestant, one.n));
            if (contestant.obstacle)
                obstacles_.insert(fmt::format("{}: {}", contestant.level.id, *contestant.obstacle));
            wrong_ += contestant.wrong_words + contestant.wrong_counts;
        }
        fmt::print("\n");
        std::fflush(stdout);
        rows_ += taken ? one.n : 0;
    }

    /// The exit status.
    int report() const {
        for (const std::string &obstacle : obstacles_) fmt::print("- {}\n", obstacle);
        fmt::print("{} descriptors: {} words or counts of the levels differ from the rule's\n",
                   rows_, wrong_);
        return wrong_ > 0 ? 1 : 0;
    }

  private:
    std::vector<Contestant> prepare(const Vocabulary &words) const {
        std::vector<Contestant> contestants;
        for (const Level &level : plan_.levels) {
            Contestant one{level, level.obstacle(device_.get(), words.dimensions, words.size())};
            if (!one.obstacle)
                one.assigner = level.prepare(
                    device_, words, {.threads = plan_.threads, .bound_scale = plan_.bound_scale});
            contestants.push_back(std::move(one));
        }
        return contestants;
    }

    const Plan &plan_;
    std::shared_ptr<Device> device_;
    std::set<std::string> obstacles_;
    std::size_t rows_ = 0;
    std::size_t wrong_ = 0;
};

} // namespace

int main(int count, char **arguments) try {
    const Plan plan = read_plan(count, arguments);
    const tbb::global_control threads(tbb::global_control::max_allowed_parallelism,
                                      static_cast<std::size_t>(plan.threads));
    Judge judge(plan);
    for (const auto &one : measure::exactness_cases(plan.n, plan.data, plan.seed))
        if (one.n > 0) judge.judge(one);
    return judge.report();
} catch (const std::exception &error) {
    fmt::print(stderr, "exactness: {}\n", error.what());
    return 2;
}
