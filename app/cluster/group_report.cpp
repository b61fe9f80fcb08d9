#include "app/cluster/group_report.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/core/folder_labels.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/near_names.hpp>
#include <bowhist/tables/histograms/groups_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace bowhist::app {
namespace {

/// ": 31 dress, 20 shirt"
std::string frequent_labels(const Agreement &agreement, std::size_t row) {
    constexpr std::size_t most = 5;
    std::vector<LabelCount> counts = agreement.counts[row];
    std::ranges::stable_sort(counts, std::ranges::greater{}, &LabelCount::images);
    std::string line;
    for (std::size_t i = 0; i < std::min(most, counts.size()); ++i)
        line += fmt::format("{}{} {}", i == 0 ? ": " : ", ", counts[i].images,
                            excerpt(agreement.labels[counts[i].label]));
    return line;
}

/// ", words 3 17"
std::string words_of(const GroupSummary &summary) {
    if (summary.words.empty()) return {};
    return fmt::format(", {} {}", summary.words.size() == 1 ? "word" : "words",
                       fmt::join(summary.words, " "));
}

} // namespace

Labels::Labels(const std::string &source) : source_(source) {
    if (!source.empty() && source != "folders") known_ = read_labels(source);
}

void Labels::require_any(const std::vector<std::string> &images) const {
    if (!known_ ||
        std::ranges::any_of(images, [&](auto &image) { return known_->contains(image); }))
        return;
    throw Error(Fault::input, fmt::format("{}: has a label for none of the pictures; write "
                                          "their paths as the groups have them{}",
                                          std::filesystem::path(source_), near_match(images)));
}

std::string Labels::near_match(const std::vector<std::string> &images) const {
    std::set<std::string> labelled;
    for (const auto &[image, label] : *known_) labelled.insert(composed(image));
    const auto near = std::ranges::find_if(images, [&](const std::string &image) {
        return !known_->contains(image) && labelled.contains(composed(image));
    });
    return did_you_mean(near == images.end() ? "" : *near);
}

std::vector<std::string> Labels::of(const std::vector<std::string> &images,
                                    Console &console) const {
    std::vector<std::string> labels;
    if (!known_) {
        for (const std::string &image : images) labels.push_back(folder_of(image));
        return labels;
    }
    require_any(images);
    for (const std::string &image : images) {
        const auto found = known_->find(image);
        labels.push_back(found == known_->end() ? "" : found->second);
    }
    const auto without = static_cast<std::size_t>(std::ranges::count(labels, ""));
    if (without > 0)
        console.warning(fmt::format("{} without a label {} left out of the figures{}",
                                    counted(without, "picture"), without == 1 ? "is" : "are",
                                    near_match(images)));
    return labels;
}

void report_groups(const Grouping &grouping, const std::vector<std::string> &images,
                   const Agreement *agreement, Console &console) {
    for (std::size_t group = 0; group < grouping.groups; ++group) {
        const GroupSummary &summary = grouping.summaries[group];
        if (summary.size == 0) continue; // its number is kept
        std::string line =
            fmt::format("{}: {}, spread {:.3f}{}, most typical {}", title_of(grouping, group),
                        counted(summary.size, "picture"), summary.spread, words_of(summary),
                        std::filesystem::path(images[summary.typical]));
        if (agreement == nullptr) {
            console.note(line);
            continue;
        }
        const auto row = std::ranges::find(agreement->groups, static_cast<std::int32_t>(group));
        if (row != agreement->groups.end())
            line += frequent_labels(*agreement,
                                    static_cast<std::size_t>(row - agreement->groups.begin()));
        console.line(line);
    }
}

std::string figures_of(const Agreement &agreement) {
    return fmt::format("; {}: purity {:.3f}, NMI {:.3f}, ARI {:.3f}",
                       counted(agreement.labels.size(), "label"), agreement.purity, agreement.nmi,
                       agreement.ari);
}

} // namespace bowhist::app
