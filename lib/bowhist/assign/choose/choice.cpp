#include <bowhist/assign/choose/candidates.hpp>
#include <bowhist/assign/choose/choice.hpp>
#include <bowhist/assign/choose/several.hpp>
#include <bowhist/assign/choose/synthetic.hpp>
#include <bowhist/assign/host/descend_search.hpp>
#include <bowhist/assign/host_advice.hpp>
#include <bowhist/assign/rule.hpp>
#include <bowhist/assign/shared_assigner.hpp>
#include <bowhist/core/counted.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/device/device.hpp>
#include <bowhist/device/device_list.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <random>

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

} // namespace bowhist
