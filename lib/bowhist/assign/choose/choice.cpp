#include <bowhist/assign/choose/choice.hpp>

#include <bowhist/assign/choose/calibration.hpp>
#include <bowhist/assign/choose/candidates.hpp>
#include <bowhist/assign/choose/choice_cache.hpp>
#include <bowhist/assign/choose/synthetic.hpp>
#include <bowhist/assign/host/descend_search.hpp>
#include <bowhist/assign/host_advice.hpp>
#include <bowhist/assign/rule.hpp>
#include <bowhist/assign/shared_assigner.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/core/version.hpp>
#include <bowhist/device/device.hpp>
#include <bowhist/device/device_selection.hpp>
#include <bowhist/io/own_folders.hpp>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <omp.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <fstream>
#include <random>
#include <ranges>

namespace bowhist {
namespace {

std::string levels_that_run(const Device *device, std::size_t dimensions, std::size_t k) {
    std::vector<std::string_view> ids;
    for (const Level &level : levels())
        if (!level.obstacle(device, dimensions, k)) ids.push_back(level.id);
    return fmt::format("{}", fmt::join(ids, ", "));
}

/// Rows of the sample: a tenth of a second of the rule, but at least a full group.
std::size_t sample_rows(const Vocabulary &vocabulary) {
    constexpr std::size_t operations = std::size_t{1} << 26;
    return std::clamp<std::size_t>(operations / vocabulary.values.size(), 64, 4096);
}

using Row = std::span<const float>;

/// A point on the line through two words: 0 is the first word, 0.5 lies exactly between them.
std::vector<float> on_line(Row one, Row other, float part) {
    std::vector<float> row;
    for (std::size_t i = 0; i < one.size(); ++i) row.push_back(one[i] + part * (other[i] - one[i]));
    return row;
}

/// Each coordinate of either word; one of them is moved until both words are nearly as far from the
/// row. A dimension that is left out, or added up wrongly, then changes the nearer word.
std::vector<float> mixed(Row one, Row other, std::mt19937 &random) {
    std::vector<float> row;
    std::size_t widest = 0;
    double lead = 0; // of the first word's squared distance
    for (std::size_t i = 0; i < one.size(); ++i) {
        const bool of_one = random() % 2 == 0;
        row.push_back(of_one ? one[i] : other[i]);
        const double apart = double{other[i]} - one[i];
        lead += of_one ? -apart * apart : apart * apart;
        if (std::abs(apart) > std::abs(other[widest] - one[widest])) widest = i;
    }
    const double apart = double{other[widest]} - one[widest];
    if (apart != 0) row[widest] -= static_cast<float>(lead * 0.999 / (2 * apart));
    return row;
}

Descriptors draw_sample(const Vocabulary &vocabulary) {
    constexpr float parts[] = {0, 0.5F, 0.499999F, 1e-6F, 7};
    std::mt19937 random(1);
    Descriptors sample{vocabulary.dimensions, {}};
    for (std::size_t i = 0; i < sample_rows(vocabulary); ++i) {
        const Row one = vocabulary.row(i < vocabulary.size() ? i : random() % vocabulary.size());
        const Row other = vocabulary.row(random() % vocabulary.size());
        const auto row = i % 2 == 0 ? on_line(one, other, parts[i / 2 % std::size(parts)])
                                    : mixed(one, other, random);
        sample.values.insert(sample.values.end(), row.begin(), row.end());
    }
    return sample;
}

/// Compares the assigner's words with the rule's, for rows on the line through two words, and rows
/// nearly as far from one as from the other. Takes a tenth of a second at most.
void require_words_of_the_rule(Assigner &assigner, const Vocabulary &vocabulary) {
    const Descriptors sample = draw_sample(vocabulary);
    const auto words = assigner.run({sample.values, {}, 1}).words;
    std::size_t wrong = 0;
    for (std::size_t row = 0; row < words.size(); ++row)
        wrong += words[row] != nearest(sample.row(row), vocabulary) ? 1 : 0;
    if (wrong > 0)
        throw Error(Fault::device,
                    fmt::format("{} of {} words of a sample are not those of the rule: a kernel in "
                                "--kernel-dir is broken; repair it",
                                wrong, words.size()));
}

} // namespace

std::vector<LevelChoice> LevelChoice::each() const {
    std::vector<LevelChoice> all{
        {.level = level, .first_device = first_device, .options = options}};
    all.insert(all.end(), others.begin(), others.end());
    const auto works = std::ranges::remove_if(all, [](const LevelChoice &one) {
        return one.first_device && one.first_device->has_left();
    });
    if (works.begin() == all.begin()) return {all.front()}; // its error is the run's
    all.erase(works.begin(), works.end());
    return all;
}

std::shared_ptr<Device> LevelChoice::device() const {
    return others.empty() ? first_device : each().front().first_device;
}

std::unique_ptr<Assigner> LevelChoice::prepare(const Vocabulary &vocabulary) const {
    const std::vector<LevelChoice> all = each();
    if (all.size() == 1) return all.front().prepare_alone(vocabulary);
    return std::make_unique<SharedAssigner>(all, vocabulary);
}

std::unique_ptr<Assigner> LevelChoice::prepare_alone(const Vocabulary &vocabulary) const {
    const auto make = [&] {
        auto assigner =
            advising_host_levels([&] { return level->prepare(first_device, vocabulary, options); });
        if (first_device && first_device->has_own_kernels())
            require_words_of_the_rule(*assigner, vocabulary);
        return assigner;
    };
    return rephrasing(make,
                      [&](const char *what) { return fmt::format("{}: {}", level->id, what); });
}

std::string LevelChoice::name() const {
    std::string all;
    for (const LevelChoice &one : each())
        all += fmt::format("{}{} on {}", all.empty() ? "" : " and ", one.level->id,
                           one.first_device ? one.first_device->info().name : "the host");
    return all;
}

LevelChoice choice_of(const Level &level, const std::shared_ptr<Device> &device,
                      const AssignOptions &options) {
    LevelChoice choice{.level = &level, .options = options};
    if (level.on_device) choice.first_device = device;
    return choice;
}

LevelChoice choose_level(const LevelRequest &request, std::size_t dimensions, std::size_t k) {
    if (request.options.tree) {
        if (request.level != "auto" && find_level(request.level).on_device)
            request.options.observer->warning(fmt::format(
                "--descend finds words on the host; --kernel {} has no effect", request.level));
        request.options.observer->note(fmt::format(
            "descending {}: a descriptor is compared with {} nodes at most, and not with {}",
            counted(request.options.tree->depth(), "level"), nodes_met(*request.options.tree),
            counted(k, "word")));
        return choice_of(descending_level(), nullptr, request.options);
    }
    if (means_several(request.device)) return choose_on_each(request, dimensions, k);
    if (request.level == "auto") return choose_auto(request, dimensions, k);
    const Level &level = find_level(request.level);
    const std::shared_ptr<Device> device =
        level.on_device ? advising_host_levels([&] { return open_device(request); }) : nullptr;
    if (const auto obstacle = level.obstacle(device.get(), dimensions, k))
        throw Error(Fault::device,
                    fmt::format("{} cannot run here: {}; use --kernel {}", level.id, *obstacle,
                                levels_that_run(device.get(), dimensions, k)));
    return choice_of(level, device, request.options);
}

std::vector<LevelStatus> survey_levels(const LevelRequest &request, std::size_t dimensions,
                                       std::size_t k) {
    const bool none_here = request.device.empty() && devices().empty();
    const std::shared_ptr<Device> device = none_here ? nullptr : open_device(request);
    const Vocabulary words = synthetic_vocabulary({}, k, dimensions);
    std::vector<LevelStatus> statuses;
    for (const Level &level : levels()) {
        LevelStatus status{&level, level.obstacle(device.get(), dimensions, k),
                           std::string(level.source)};
        try {
            if (!status.obstacle)
                status.source = level.prepare(device, words, request.options)->report().source;
        } catch (const Error &error) {
            if (error.fault != Fault::device) throw;
            status.obstacle = error.what();
        }
        statuses.push_back(std::move(status));
    }
    return statuses;
}

namespace {

/// The most floats of a calibration's words: beyond it, every level's time grows alike.
constexpr std::size_t most_floats = std::size_t{1} << 18;
/// In shorter work a GPU gains no more than its start takes: half a second on an H100.
constexpr double short_seconds = 0.6;
/// A measurement takes a second or two: a twentieth of longer work at most.
constexpr double long_seconds = 30;
/// Processors that others may use during a measurement.
constexpr double busy_share = 0.25;

ChoiceKey key_of(const LevelRequest &request, const Candidates &all, std::size_t dimensions,
                 std::size_t k) {
    ChoiceKey key;
    key.version = version();
    key.host = host_of(request);
    if (all.device) key.device = all.device->info().name;
    if (all.device) key.driver = all.device->info().driver;
    key.candidates =
        fmt::format("{}", fmt::join(all.levels | std::views::transform(&Level::id), " "));
    key.dimensions = dimensions;
    key.k = std::min(std::bit_ceil(k),
                     std::max<std::size_t>(1, std::bit_floor(most_floats / dimensions)));
    return key;
}

/// The status without measuring.
AutoStatus status_of(const LevelRequest &request, const Candidates &all, const ChoiceKey &key) {
    AutoStatus status{all.levels, {}, {}, false};
    if (all.levels.size() == 1) {
        status.choice = choice_of(*all.levels.front(), all.device, request.options);
        return status;
    }
    const auto remembered = cache_of(request).find(key);
    if (!remembered) return status;
    const auto found = std::ranges::find(all.levels, remembered->level, &Level::id);
    if (found == all.levels.end()) return status;
    status.choice = choice_of(**found, all.device, request.options);
    status.measured =
        fmt::format("measured {} at {:.3g} GFLOP/s{}", excerpt(remembered->date),
                    remembered->gigaflops, remembered->was_busy ? " on a busy machine" : "");
    status.was_busy = remembered->was_busy;
    return status;
}

/// Calibrates, notes the result and remembers it.
std::vector<LevelSpeed> measure(const LevelRequest &request, const Candidates &all,
                                const ChoiceKey &key) {
    const auto start = std::chrono::steady_clock::now();
    const OtherLoad others;
    const auto speeds = calibrate({.candidates = all.levels,
                                   .device = all.device,
                                   .dimensions = key.dimensions,
                                   .k = key.k,
                                   .options = request.options});
    const bool was_busy = others.share() > busy_share;
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    const auto reached = speeds | std::views::transform([](const LevelSpeed &speed) {
                             return fmt::format("{} {:.3g}", speed.level->id, speed.gigaflops);
                         });
    request.options.observer->note(fmt::format("auto measured in {:.2f} s{}, GFLOP/s: {}",
                                               taken.count(), was_busy ? " on a busy machine" : "",
                                               fmt::join(reached, ", ")));
    if (!request.kernel_dir.empty()) return speeds;
    const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    if (const auto failure = cache_of(request).remember(
            key, {std::string(speeds.front().level->id), speeds.front().gigaflops,
                  fmt::format("{:%Y-%m-%d}", fmt::gmtime(now)), was_busy}))
        request.options.observer->note(
            fmt::format("auto will have to measure again: {}", *failure));
    return speeds;
}

/// The ladder's last level that can be prepared: nearly everywhere each is faster than those
/// before.
const Level &last_that_runs(const LevelRequest &request, const Candidates &all,
                            std::size_t dimensions, std::size_t k) {
    const Vocabulary words{dimensions, std::vector<float>(dimensions * k)};
    for (const Level *level : all.levels | std::views::drop(1) | std::views::reverse) try {
            if (level->on_device) level->prepare(all.device, words, request.options);
            return *level;
        } catch (const Error &error) {
            if (error.fault != Fault::device) throw;
            request.options.observer->note(
                fmt::format("auto leaves {} out: {}", level->id, error.what()));
        }
    return *all.levels.front();
}

/// A GPU's driver takes longer to start than short work.
bool leaves_gpus_alone(const LevelRequest &request) {
    return request.device.empty() && request.host_seconds.value_or(long_seconds) < short_seconds &&
           shows_gpu_with_driver();
}

LevelChoice choose_among(const LevelRequest &request, const Candidates &all, std::size_t dimensions,
                         std::size_t k) {
    const ChoiceKey key = key_of(request, all, dimensions, k);
    const AutoStatus known = status_of(request, all, key);
    const bool is_long = request.host_seconds.value_or(long_seconds) >= long_seconds;
    const bool again = known.was_busy && request.host_seconds;
    if (is_long && (!known.choice || again))
        return choice_of(*measure(request, all, key).front().level, all.device, request.options);
    if (!known.choice)
        return choice_of(last_that_runs(request, all, dimensions, k), all.device, request.options);
    if (!known.measured.empty())
        request.options.observer->note(
            fmt::format("auto is {}, {}", known.choice->name(), known.measured));
    return *known.choice;
}

} // namespace

std::string host_of(const LevelRequest &request) {
    std::ifstream processors("/proc/cpuinfo");
    std::string name = "some processor";
    for (std::string line; std::getline(processors, line);)
        if (line.starts_with("model name") && line.find(": ") != std::string::npos) {
            name = line.substr(line.find(": ") + 2);
            break;
        }
    const int threads = request.options.threads;
    return fmt::format("{}, {} threads", name, threads > 0 ? threads : omp_get_num_procs());
}

ChoiceCache cache_of(const LevelRequest &request) {
    if (!request.kernel_dir.empty()) return ChoiceCache({});
    return ChoiceCache(request.cache_dir.empty() ? user_cache_folder() : request.cache_dir);
}

bool begins_on_host(const LevelRequest &request) {
    return request.level == "auto" && !request.options.tree && request.device.empty() &&
           shows_gpu_with_driver();
}

LevelChoice choose_auto(const LevelRequest &request, std::size_t dimensions, std::size_t k) {
    if (leaves_gpus_alone(request)) {
        if (*request.host_seconds > 0)
            request.options.observer->note(
                fmt::format("auto takes the host: it needs {:.1f} s, a GPU longer to start",
                            *request.host_seconds));
        const Candidates all = host_candidates(dimensions, k);
        return choice_of(*all.levels.back(), all.device, request.options);
    }
    return advising_host_levels([&] {
        return choose_among(request, find_candidates(request, dimensions, k, false), dimensions, k);
    });
}

AutoStatus survey_auto(const LevelRequest &request, std::size_t dimensions, std::size_t k) {
    const Candidates all = find_candidates(request, dimensions, k, true);
    return status_of(request, all, key_of(request, all, dimensions, k));
}

std::vector<LevelSpeed> measure_auto(const LevelRequest &request, std::size_t dimensions,
                                     std::size_t k) {
    const Candidates all = find_candidates(request, dimensions, k, true);
    return advising_host_levels(
        [&] { return measure(request, all, key_of(request, all, dimensions, k)); });
}

} // namespace bowhist
