#include "bench/rounds.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/device/device.hpp>

#include <algorithm>
#include <chrono>
#include <thread>

namespace bowhist {
namespace {

/// A case under way.
struct Row {
    const Case *plan = nullptr;
    std::vector<double> seconds = {};
    std::vector<double> wall_seconds = {};
    std::string error = {};
};

/// Runs `step` of a row. A failure on a device or a lack of memory becomes the row's error.
template <typename Step>
void guarded(Row &row, Step &&step) {
    if (!row.plan->run || !row.error.empty()) return;
    try {
        step();
    } catch (const Error &error) {
        if (error.fault != Fault::device) throw;
        row.error = error.what();
    } catch (const std::bad_alloc &) {
        row.error = "out of memory; give fewer descriptors with -n";
    }
}

/// OpenMP's threads wait actively for some milliseconds, on cores that the next row may need: a
/// device that is this CPU would seem a third slower.
void let_threads_sleep(const Row &row) {
    constexpr std::chrono::milliseconds enough(20);
    if (row.plan->subject.place == Place::host && row.plan->run)
        std::this_thread::sleep_for(enough);
}

void run_rounds(std::vector<Row> &rows, std::size_t rounds, Observer &observer) {
    for (std::size_t round = 0; round <= rounds; ++round) {
        for (Row &row : rows) {
            observer.stop_if_interrupted();
            guarded(row, [&] {
                const RoundTime time = row.plan->run();
                if (round == 0) return; // it warms up
                row.seconds.push_back(time.seconds);
                row.wall_seconds.push_back(time.wall_seconds);
            });
            let_threads_sleep(row);
        }
        if (round > 0) observer.progress("rounds", round, rounds);
    }
}

std::uint64_t cache_bytes(const std::vector<Case> &cases, Place place) {
    std::uint64_t bytes = 0;
    for (const Case &row : cases)
        if (row.subject.place == place) bytes = std::max(bytes, row.cache_bytes);
    return bytes;
}

Measurement sum_up(Row &row) {
    Measurement result{row.plan->subject, row.plan->work, {}, row.plan->obstacle, {}};
    guarded(row, [&] {
        Figures figures{row.seconds.size(), spread_of(row.seconds), spread_of(row.wall_seconds)};
        if (row.plan->check) {
            const Findings findings = row.plan->check();
            figures.unproven = findings.unproven;
            figures.mismatches = findings.mismatches;
        }
        result.figures = figures;
    });
    result.error = row.error;
    return result;
}

} // namespace

Case not_here(const Subject &subject, const std::string &why) {
    return {.subject = subject, .obstacle = why};
}

Case failed(const Subject &subject, const Error &error) {
    Case row{subject};
    row.error = error.what();
    if (!error.detail.empty()) row.error += ": " + error.detail.substr(0, error.detail.find('\n'));
    return row;
}

RoundTime time_launches(Device &device, const std::function<void()> &work, LaunchLog *kernels) {
    device.take_launches(); // discards earlier ones
    LaunchLog log;
    const RoundTime clock = time_on_host([&] {
        work();
        log = device.take_launches();
    });
    if (kernels != nullptr) *kernels = log;
    return {log.span_seconds, clock.wall_seconds};
}

RoundTime time_on_host(const std::function<void()> &work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
    return {wall.count(), wall.count()};
}

std::vector<Measurement> measure(const std::vector<Case> &cases, std::size_t rounds,
                                 Observer &observer) {
    std::vector<Row> rows;
    for (const Case &plan : cases) rows.push_back({.plan = &plan, .error = plan.error});
    run_rounds(rows, rounds, observer);
    std::vector<Measurement> results;
    for (Row &row : rows) results.push_back(sum_up(row));
    for (std::size_t i = 0; i < results.size(); ++i) {
        Measurement &result = results[i];
        if (!result.figures || result.is_peak()) continue;
        auto &roof = result.figures->roof;
        const Peaks peaks = peaks_of(results, result.subject.place);
        roof = share_of_roof(result.work, result.figures->seconds.median, peaks,
                             cases[i].matrix_units);
        result.figures->predicted_pixels_per_second = predicted_pixels(result.work, peaks);
        if (roof && roof->fraction > 1)
            roof->above = why_above(*roof, result.work, cases[i].passes_roof,
                                    cache_bytes(cases, result.subject.place));
    }
    return results;
}

} // namespace bowhist
