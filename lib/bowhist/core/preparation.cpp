#include <bowhist/core/preparation.hpp>

#include <bowhist/core/as_number.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace bowhist {
namespace {

using Kind = PreparationStep::Kind;

struct StepName {
    std::string_view name;
    Kind kind;
    std::size_t appended;
    int place; ///< steps of a later place follow
};
constexpr std::array step_names = {
    StepName{"root", Kind::root, 0, 0},         StepName{"whiten", Kind::whiten, 0, 0},
    StepName{"position", Kind::position, 2, 1}, StepName{"scale", Kind::scale, 1, 1},
    StepName{"contrast", Kind::contrast, 1, 1}, StepName{"mirror", Kind::mirror, 0, 2}};

const StepName &name_of(Kind kind) {
    return *std::ranges::find(step_names, kind, &StepName::kind);
}

[[noreturn]] void fail(std::string_view text, const std::string &what) {
    throw Error(Fault::usage, fmt::format("--prepare {}: {}", std::string(text), what));
}

PreparationStep parse_step(std::string_view text, std::string_view all) {
    const std::size_t colon = text.find(':');
    const auto found = std::ranges::find(step_names, text.substr(0, colon), &StepName::name);
    if (found == step_names.end())
        fail(all, fmt::format("there is no step \"{}\"; steps are root, whiten[:D], position[:w], "
                              "scale[:w], contrast[:w], mirror",
                              excerpt(text.substr(0, colon))));
    PreparationStep step{found->kind};
    if (colon == text.npos) return step;
    const std::string_view number = text.substr(colon + 1);
    if (step.kind == Kind::whiten) {
        constexpr std::size_t most = 4096;
        const auto components = as_number<std::size_t>(number);
        if (!components || *components == 0 || *components > most)
            fail(all, fmt::format("whiten keeps \"{}\" components; give 1 to {}, or whiten alone "
                                  "for all",
                                  excerpt(number), most));
        step.components = *components;
    } else if (found->appended > 0) {
        constexpr double least = 0.001;
        constexpr double most = 1000;
        const auto weight = as_number<double>(number);
        if (!weight || !(*weight >= least && *weight <= most))
            fail(all, fmt::format("{} has a weight of \"{}\"; give {} to {}", found->name,
                                  excerpt(number), least, most));
        step.weight = *weight;
    } else {
        fail(all,
             fmt::format("{} takes no number; leave \":{}\" out", found->name, excerpt(number)));
    }
    return step;
}

} // namespace

std::size_t PreparationStep::appended() const {
    return name_of(kind).appended;
}

PreparationSteps parse_preparation(std::string_view text) {
    PreparationSteps steps;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t comma = std::min(text.find(',', at), text.size());
        const PreparationStep step = parse_step(text.substr(at, comma - at), text);
        if (has_step(steps, step.kind))
            fail(text,
                 fmt::format("{} stands there twice; leave one out", name_of(step.kind).name));
        if (!steps.empty() && name_of(steps.back().kind).place > name_of(step.kind).place)
            fail(text, fmt::format("{} follows {}; give root and whiten first, mirror last",
                                   name_of(step.kind).name, name_of(steps.back().kind).name));
        steps.push_back(step);
        if (comma + 1 == text.size()) fail(text, "ends in a comma; leave it out");
        at = comma + 1;
    }
    return steps;
}

std::string as_text(const PreparationSteps &steps) {
    std::string text;
    for (const PreparationStep &step : steps) {
        if (!text.empty()) text += ',';
        text += name_of(step.kind).name;
        if (step.components > 0) text += fmt::format(":{}", step.components);
        if (step.weight != 1) text += fmt::format(":{}", step.weight);
    }
    return text;
}

std::size_t appended_numbers(const PreparationSteps &steps) {
    std::size_t numbers = 0;
    for (const PreparationStep &step : steps) numbers += step.appended();
    return numbers;
}

std::size_t dimensions_after(const PreparationSteps &steps, std::size_t dimensions) {
    const auto whiten = std::ranges::find(steps, Kind::whiten, &PreparationStep::kind);
    const bool keeps_fewer = whiten != steps.end() && whiten->components > 0;
    return (keeps_fewer ? whiten->components : dimensions) + appended_numbers(steps);
}

std::size_t rows_after(const PreparationSteps &steps) {
    return has_step(steps, Kind::mirror) ? 2 : 1;
}

bool has_step(const PreparationSteps &steps, Kind kind) {
    return std::ranges::find(steps, kind, &PreparationStep::kind) != steps.end();
}

std::string_view name_of(Mirroring mirroring) {
    constexpr std::array names = {"none", "columns", "rows"};
    return names[static_cast<std::size_t>(mirroring)];
}

std::optional<std::string> fault_of(const Preparation &preparation) {
    const std::size_t dimensions = preparation.dimensions;
    if (dimensions == 0) return "descriptors of 0 dimensions";
    const auto finite = [](const std::vector<float> &values) {
        return std::ranges::all_of(values, [](float value) { return std::isfinite(value); });
    };
    if (!finite(preparation.mean) || !finite(preparation.projection) ||
        !std::isfinite(preparation.deviation))
        return "numbers that are not finite";
    constexpr double most = 1e6; // components are below 1000: the least deviation bounds them
    const auto is_large = [](float value) { return std::abs(value) > most; };
    if (std::ranges::any_of(preparation.projection, is_large))
        return fmt::format("a projection with numbers beyond {}", most);
    if (preparation.deviation < 0 || preparation.deviation > most)
        return fmt::format("a deviation of {}, where 0 to {} is possible", preparation.deviation,
                           most);
    const auto whiten = std::ranges::find(preparation.steps, Kind::whiten, &PreparationStep::kind);
    const bool whitens = whiten != preparation.steps.end();
    const std::size_t components = !whitens                 ? 0
                                   : whiten->components > 0 ? whiten->components
                                                            : dimensions;
    if (preparation.mean.size() != (whitens ? dimensions : 0) ||
        preparation.projection.size() != dimensions * components)
        return fmt::format(
            "{} numbers of a mean and {} of a projection for \"{}\" of {} dimensions",
            preparation.mean.size(), preparation.projection.size(), as_text(preparation.steps),
            dimensions);
    if (has_step(preparation.steps, Kind::mirror) &&
        (preparation.mirroring == Mirroring::none || dimensions != 64))
        return fmt::format("mirrored descriptors of {} dimensions, mirroring \"{}\"", dimensions,
                           name_of(preparation.mirroring));
    return std::nullopt;
}

std::size_t Preparation::prepared_dimensions() const {
    const std::size_t components = mean.empty() ? dimensions : projection.size() / mean.size();
    return components + appended_numbers(steps);
}

} // namespace bowhist
