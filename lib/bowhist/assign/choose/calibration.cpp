#include <bowhist/assign/choose/calibration.hpp>

#include <bowhist/assign/choose/candidates.hpp>
#include <bowhist/assign/choose/synthetic.hpp>
#include <bowhist/core/error.hpp>

#include <fmt/format.h>
#include <sys/times.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <fstream>
#include <limits>
#include <string>

namespace bowhist {

OtherLoad::Ticks OtherLoad::now() {
    Ticks ticks;
    std::ifstream file("/proc/stat"); // "cpu  user nice system idle iowait irq softirq steal"
    std::string name;
    file >> name;
    double value = 0;
    for (int column = 0; column < 8 && file >> value; ++column) {
        ticks.all += value;
        if (column != 3 && column != 4) ticks.busy += value;
    }
    tms own{};
    times(&own);
    ticks.own = static_cast<double>(own.tms_utime + own.tms_stime);
    return ticks;
}

double OtherLoad::share() const {
    const Ticks end = now();
    if (end.all <= start_.all) return 0;
    const double others = (end.busy - start_.busy) - (end.own - start_.own);
    return std::clamp(others / (end.all - start_.all), 0.0, 1.0);
}

std::optional<double> host_seconds(const LevelRequest &request, std::size_t dimensions,
                                   std::size_t k, double rows) {
    if (request.level != "auto" || request.options.tree) return std::nullopt;
    constexpr std::size_t most_floats = 1 << 16;     // of words: with more, all grows alike
    constexpr std::size_t most_operations = 1 << 25; // a millisecond of a few cores
    const std::size_t words = std::clamp<std::size_t>(most_floats / dimensions, 1, k);
    const std::size_t drawn =
        std::clamp<std::size_t>(most_operations / (2 * dimensions * words), 16, 4096);
    const Level &level = *host_candidates(dimensions, words).levels.back();
    const auto assigner =
        level.prepare(nullptr, synthetic_vocabulary({}, words, dimensions), request.options);
    const Descriptors sample = synthetic_descriptors({}, drawn, dimensions);
    double seconds = std::numeric_limits<double>::infinity();
    for (int run = 0; run < 3; ++run) { // the first run starts threads
        const auto start = std::chrono::steady_clock::now();
        assigner->run({sample.values, {}, 1});
        seconds = std::min(
            seconds,
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    const double scale =
        rows / static_cast<double>(drawn) * static_cast<double>(k) / static_cast<double>(words);
    return seconds * scale;
}

namespace {

constexpr std::size_t first_operations = std::size_t{1} << 26; // 50 ms of a slow level
constexpr std::size_t fewest_rows = 256;                       // a work-group of gpu7's
constexpr std::size_t most_floats = std::size_t{1} << 23;      // 32 MiB of descriptors
constexpr std::size_t drawn_rows = 4096;                       // then the same ones again
constexpr std::size_t growth = 4;                              // rows from round to round
constexpr int fewest_runs = 3; // of a round: the first one warms up, the quickest counts
constexpr int most_runs = 8;
constexpr double runs_seconds = 0.01;   // of a contender in a round: no more runs then
constexpr double most_seconds = 1.5;    // of all rounds: no round begins that would exceed it
constexpr double enough_seconds = 5e-3; // of the fastest level's run, with
constexpr std::size_t enough_operations = std::size_t{1} << 29; // at least this work
constexpr std::size_t enough_rows = 8192;  // and rows: launches no longer count
constexpr double too_short_seconds = 0.01; // a slow run may be due to a busy machine
constexpr double hopeless = 4;             // times the fastest: more rows will not help
constexpr double hardly_slower = 1.1;      // times the fastest: as good

struct Contender {
    const Level *level = nullptr;
    std::unique_ptr<Assigner> assigner;
    double seconds = std::numeric_limits<double>::infinity(); ///< of the last round's quickest run
    double device_seconds = 0;                                ///< of the same run
    double round_seconds = 0;                                 ///< of all runs of the last round
};

/// One comparison: the contenders that are left, and the number of rows of the next round.
class Calibration {
  public:
    explicit Calibration(const CalibrationTask &task)
        : task_(task), vocabulary_(synthetic_vocabulary(data_, task.k, task.dimensions)),
          most_rows_(std::max<std::size_t>(1, most_floats / task.dimensions)),
          rows_(std::clamp(first_operations / operations(1), std::min(fewest_rows, most_rows_),
                           most_rows_)),
          sample_(synthetic_descriptors(data_, std::min(drawn_rows, most_rows_), task.dimensions)) {
        task_.options.batch = 0; // the choice is remembered for any batch
        plant_near_ties(data_, vocabulary_, sample_);
        for (const Level *level : task_.candidates)
            attempt(*level, [&] {
                contenders_.push_back(
                    {level, level->prepare(task_.device, vocabulary_, task_.options)});
            });
        check_any_left();
    }

    /// Times all contenders on the same rows. @return whether another round follows
    bool round() {
        const Descriptors descriptors = repeated(sample_, rows_);
        std::erase_if(contenders_, [&](Contender &contender) {
            return !attempt(*contender.level, [&] { measure(contender, descriptors); });
        });
        check_any_left();
        std::ranges::stable_sort(contenders_, {}, &Contender::seconds);
        const double fastest = contenders_.front().seconds;
        std::erase_if(contenders_, [&](const Contender &contender) {
            return contender.seconds > std::max(too_short_seconds, hopeless * fastest);
        });
        measured_rows_ = rows_;
        rows_ = std::min(most_rows_, growth * rows_);
        const bool is_enough = fastest >= enough_seconds && measured_rows_ >= enough_rows &&
                               operations(measured_rows_) >= enough_operations;
        return rows_ > measured_rows_ && !is_enough &&
               spent_seconds_ + seconds_of_next_round() < most_seconds;
    }

    std::vector<LevelSpeed> result() {
        prefer_a_quiet_device();
        std::vector<LevelSpeed> speeds;
        for (const Contender &contender : contenders_)
            speeds.push_back(
                {contender.level,
                 1e-9 * static_cast<double>(operations(measured_rows_)) / contender.seconds});
        return speeds;
    }

  private:
    std::size_t operations(std::size_t rows) const { return 2 * task_.dimensions * task_.k * rows; }

    /// @return whether the step succeeded
    template <typename Step>
    bool attempt(const Level &level, Step step) {
        task_.options.observer->stop_if_interrupted();
        try {
            step();
            return true;
        } catch (const Error &error) {
            if (error.fault != Fault::device) throw;
            failure_ = std::current_exception();
            task_.options.observer->note(
                fmt::format("auto leaves {} out: {}", level.id, error.what()));
            return false;
        }
    }

    void check_any_left() const {
        if (contenders_.empty()) std::rethrow_exception(failure_);
    }

    void measure(Contender &contender, const Descriptors &descriptors) {
        contender.seconds = std::numeric_limits<double>::infinity();
        contender.round_seconds = 0;
        for (int run = 0;
             run < fewest_runs || (run < most_runs && contender.round_seconds < runs_seconds);
             ++run)
            run_once(contender, descriptors);
        spent_seconds_ += contender.round_seconds;
    }

    void run_once(Contender &contender, const Descriptors &descriptors) {
        const double device_before = contender.assigner->report().device_seconds;
        const auto start = std::chrono::steady_clock::now();
        contender.assigner->run({descriptors.values, {}, 1});
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        contender.round_seconds += seconds;
        if (seconds >= contender.seconds) return;
        contender.seconds = seconds;
        contender.device_seconds = contender.assigner->report().device_seconds - device_before;
    }

    double seconds_of_next_round() const {
        double seconds = 0;
        for (const Contender &contender : contenders_)
            seconds += std::max(contender.round_seconds,
                                fewest_runs * static_cast<double>(growth) * contender.seconds);
        return seconds;
    }

    void prefer_a_quiet_device() {
        const Contender &fastest = contenders_.front();
        const bool on_device = fastest.level->on_device;
        const double limit = hardly_slower * fastest.seconds;
        auto best = contenders_.begin();
        for (auto other = contenders_.begin(); other != contenders_.end(); ++other)
            if (other->level->on_device == on_device && other->seconds <= limit &&
                other->device_seconds < best->device_seconds)
                best = other;
        std::rotate(contenders_.begin(), best, best + 1);
    }

    CalibrationTask task_;
    SyntheticData data_;
    Vocabulary vocabulary_;
    std::size_t most_rows_;
    std::size_t rows_;              ///< of the next round
    std::size_t measured_rows_ = 0; ///< of the last one
    Descriptors sample_;
    std::vector<Contender> contenders_; ///< after a round, the fastest first
    std::exception_ptr failure_;        ///< the last one's
    double spent_seconds_ = 0;
};

} // namespace

std::vector<LevelSpeed> calibrate(const CalibrationTask &task) {
    Calibration calibration(task);
    while (calibration.round()) {
    }
    return calibration.result();
}

} // namespace bowhist
