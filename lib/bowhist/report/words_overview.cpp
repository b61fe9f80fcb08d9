#include <bowhist/report/words_overview.hpp>

#include <bowhist/report/html.hpp>
#include <bowhist/report/plot.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace bowhist {
namespace {

std::string percent(double share) {
    return fmt::format("{:.{}f}\u00a0%", 100 * share, share < 0.1 ? 1 : 0);
}

std::string tile(std::string_view number, std::string_view what, bool is_odd = false) {
    return fmt::format("<div class=\"tile{}\"><b>{}</b><small>{}</small></div>\n",
                       is_odd ? " odd" : "", html_escape(number), html_escape(what));
}

/// Words by how often they occur: never, 1, 2 to 4, 5 to 9 …
struct Bin {
    std::uint64_t first = 0, last = 0;
    std::size_t words = 0;

    std::string text() const {
        if (last == 0) return "never";
        return first == last ? fmt::format("{}", first) : fmt::format("{} to {}", first, last);
    }
};

std::vector<Bin> bins_of(const std::vector<WordUse> &uses) {
    std::uint64_t most = 0;
    for (const WordUse &use : uses) most = std::max(most, use.count);
    std::vector<Bin> bins{{}};
    std::uint64_t power = 1;
    while (bins.back().last < most) {
        for (const std::uint64_t digit : {1U, 2U, 5U}) {
            const std::uint64_t next = digit == 1 ? 2 : digit == 2 ? 5 : 10;
            bins.push_back({digit * power, next * power - 1});
        }
        power *= 10;
    }
    while (bins.back().first > most) bins.pop_back();
    for (const WordUse &use : uses)
        ++std::ranges::find_if(bins, [&](const Bin &bin) { return use.count <= bin.last; })->words;
    return bins;
}

} // namespace

std::string tiles_of(const ShownVocabulary &shown) {
    std::vector<std::uint64_t> counts;
    std::size_t unused = 0, everywhere = 0;
    for (const WordUse &use : shown.uses) {
        counts.push_back(use.count);
        unused += use.count == 0;
        everywhere += is_everywhere(use, shown.images);
    }
    std::ranges::sort(counts, std::ranges::greater{});
    const std::size_t hundredth = (counts.size() + 99) / 100;
    const auto frequent = static_cast<double>(std::accumulate(
        counts.begin(), counts.begin() + std::ptrdiff_t(hundredth), std::uint64_t{0}));
    const auto all = static_cast<double>(std::max<std::uint64_t>(shown.descriptors, 1));
    const double words = static_cast<double>(counts.size());
    std::string tiles = "<div class=\"tiles\">\n";
    tiles += tile(fmt::format("{}", counts.size() - unused),
                  fmt::format("words used, {}", percent(1 - static_cast<double>(unused) / words)));
    tiles += tile(fmt::format("{}", unused), "never used", unused > 0);
    tiles +=
        tile(fmt::format("{}", everywhere), "in more than half of the pictures", everywhere > 0);
    tiles += tile(fmt::format("{}", counts[counts.size() / 2]), "times a word occurs, median");
    tiles += tile(percent(frequent / all),
                  hundredth == 1
                      ? "of descriptors have the most frequent word"
                      : fmt::format("of descriptors have the {} most frequent words", hundredth));
    return tiles + "</div>\n";
}

std::string histogram_of(const std::vector<WordUse> &uses) {
    constexpr double row = 20, from = 118, to = plot_width - 50;
    const std::vector<Bin> bins = bins_of(uses);
    const auto most = static_cast<double>(std::ranges::max(bins, {}, &Bin::words).words);
    double y = 24;
    std::string drawn =
        svg_text(plot_margin, 14, "class=\"title\"", "Words by how often they occur");
    for (const Bin &bin : bins) {
        const double width = static_cast<double>(bin.words) / most * (to - from);
        drawn += svg_text(from - 8, y + 13, "class=\"tick right\"", bin.text());
        drawn += fmt::format("<rect class=\"bar fma\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
                             "height=\"14\" rx=\"2\"/>\n",
                             from, y + 2, std::max(width, bin.words > 0 ? 1.0 : 0.0));
        drawn += svg_text(from + width + 6, y + 13, "class=\"tick\"", fmt::format("{}", bin.words));
        y += row;
    }
    return plot_in_page(y + 4, "Words by how often they occur", drawn);
}

} // namespace bowhist
