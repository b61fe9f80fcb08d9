#include <bowhist/group/kept_numbers.hpp>

#include <bowhist/core/counted.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <ranges>
#include <set>
#include <tuple>

namespace bowhist {
namespace {

using Number = std::int32_t;

struct Overlap {
    Number old;
    Number now;
    std::size_t images;
};

/// All pairs of groups that share images, by their numbers.
std::vector<Overlap> overlaps_of(std::span<const Number> before, std::span<const Number> group) {
    std::map<std::pair<Number, Number>, std::size_t> counts;
    for (std::size_t i = 0; i < group.size(); ++i)
        if (before[i] >= 0 && group[i] >= 0) ++counts[{before[i], group[i]}];
    std::vector<Overlap> overlaps;
    for (const auto &[pair, images] : counts) overlaps.push_back({pair.first, pair.second, images});
    return overlaps;
}

/// Numbers that no group has or had, the lowest first.
class FreeNumbers {
  public:
    explicit FreeNumbers(std::span<const Number> before) : taken_(before.begin(), before.end()) {}

    Number take() {
        while (taken_.contains(next_)) ++next_;
        return next_++;
    }

  private:
    std::set<Number> taken_;
    Number next_ = 0;
};

Number highest(std::span<const Number> numbers) {
    return numbers.empty() ? -1 : std::max(-1, std::ranges::max(numbers));
}

std::map<Number, std::size_t> sizes_of(std::span<const Number> group) {
    std::map<Number, std::size_t> sizes;
    for (const Number one : group)
        if (one >= 0) ++sizes[one];
    return sizes;
}

} // namespace

std::size_t keep_numbers(std::span<const Number> before, std::span<Number> group) {
    std::vector<Overlap> overlaps = overlaps_of(before, group);
    std::ranges::stable_sort(overlaps, std::ranges::greater(), &Overlap::images);
    std::map<Number, Number> number; // of each new group
    std::set<Number> taken;
    for (const Overlap &overlap : overlaps)
        if (!number.contains(overlap.now) && taken.insert(overlap.old).second)
            number[overlap.now] = overlap.old;
    FreeNumbers free(before);
    for (Number &one : group) {
        if (one < 0) continue;
        if (!number.contains(one)) number[one] = free.take();
        one = number[one];
    }
    return static_cast<std::size_t>(std::max(highest(before), highest(group)) + 1);
}

std::vector<std::string> changes(std::span<const Number> before, std::span<const Number> group) {
    const auto old_sizes = sizes_of(before);
    const auto sizes = sizes_of(group);
    const std::vector<Overlap> overlaps = overlaps_of(before, group);
    const auto most_from = [&](Number Overlap::*side, Number number) {
        const Overlap *most = nullptr;
        for (const Overlap &one : overlaps)
            if (one.*side == number && (most == nullptr || one.images > most->images)) most = &one;
        return most;
    };
    std::vector<std::string> lines;
    for (const auto &[number, size] : old_sizes) {
        if (sizes.contains(number)) continue;
        const Overlap *most = most_from(&Overlap::old, number);
        lines.push_back(most == nullptr
                            ? fmt::format("group {} is gone", number)
                            : fmt::format("group {} was joined to group {} ({})", number, most->now,
                                          counted(most->images, "picture")));
    }
    for (const auto &[number, size] : sizes) {
        if (old_sizes.contains(number)) continue;
        const Overlap *most = most_from(&Overlap::now, number);
        lines.push_back(most == nullptr
                            ? fmt::format("group {} is new ({})", number, counted(size, "picture"))
                            : fmt::format("group {} was split off group {} ({})", number, most->old,
                                          counted(most->images, "picture")));
    }
    for (const Overlap &one : overlaps)
        if (one.old != one.now && sizes.contains(one.old) && old_sizes.contains(one.now))
            lines.push_back(fmt::format("{} moved from group {} to group {}",
                                        counted(one.images, "picture"), one.old, one.now));
    return lines;
}

std::string new_images(const std::vector<bool> &is_new, std::span<const Number> group) {
    constexpr std::size_t most = 10;
    std::map<Number, std::size_t> sizes;
    for (std::size_t i = 0; i < is_new.size(); ++i)
        if (is_new[i]) ++sizes[group[i]];
    if (sizes.empty()) return "";
    std::vector<std::pair<Number, std::size_t>> ranked(sizes.begin(), sizes.end());
    std::ranges::stable_sort(ranked, std::greater(), [](const auto &one) { return one.second; });
    std::vector<std::string> parts;
    for (const auto &[number, size] : ranked | std::views::take(most))
        parts.push_back(number < 0 ? fmt::format("{} nowhere", size)
                                   : fmt::format("{} in group {}", size, number));
    if (ranked.size() > most) parts.push_back(counted(ranked.size() - most, "more group"));
    const auto count = static_cast<std::size_t>(std::ranges::count(is_new, true));
    return fmt::format("{}: {}", counted(count, "new picture"), fmt::join(parts, ", "));
}

std::vector<bool> moved_by_hand(std::span<const Number> found, std::span<const Number> before) {
    std::map<Number, Number> stays; // where the images of a group are that were not moved
    std::map<Number, std::size_t> most;
    for (const Overlap &one : overlaps_of(found, before)) {
        const std::size_t weight =
            one.old == one.now ? std::numeric_limits<std::size_t>::max() : one.images;
        if (weight <= most[one.old]) continue;
        most[one.old] = weight;
        stays[one.old] = one.now;
    }
    const auto found_sizes = sizes_of(found);
    const auto sizes = sizes_of(before);
    std::vector<bool> moved;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const bool joined_others = found[i] >= 0 && found_sizes.at(found[i]) == 1 &&
                                   before[i] >= 0 && before[i] != found[i] &&
                                   sizes.at(before[i]) > 1;
        moved.push_back(joined_others ||
                        (before[i] >= 0 && (found[i] < 0 || before[i] != stays[found[i]])));
    }
    return moved;
}

} // namespace bowhist
