#include <bowhist/report/words_page.hpp>

#include <bowhist/core/printable.hpp>
#include <bowhist/report/html.hpp>
#include <bowhist/report/look/look.hpp>
#include <bowhist/report/plot.hpp>
#include <bowhist/show/cut_patches.hpp>
#include <bowhist/show/show_words.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace bowhist {
namespace {

/// Drawn evenly from the most frequent to the rarest.
std::vector<std::size_t> drawn_words(const std::vector<WordUse> &uses, std::size_t most) {
    std::vector<std::size_t> order(uses.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::ranges::greater{},
                             [&](std::size_t word) { return uses[word].count; });
    if (most == 0 || most >= order.size()) return order;
    std::vector<std::size_t> drawn;
    for (std::size_t i = 0; i < most; ++i) drawn.push_back(order[i * order.size() / most]);
    return drawn;
}

bool is_among(const WordExample &one, const std::vector<WordExample> &others) {
    return std::ranges::any_of(others, [&](const WordExample &other) {
        return other.image == one.image && other.row == one.row;
    });
}

std::vector<std::string> taken(std::vector<std::string> &all, std::size_t &next,
                               std::size_t count) {
    std::vector<std::string> some;
    for (; count > 0; --count) some.push_back(std::move(all[next++]));
    return some;
}

} // namespace

bool WordPatches::any() const {
    return bytes() > 0;
}

std::size_t WordPatches::bytes() const {
    std::size_t bytes = 0;
    for (const OfWord &word : patches)
        for (const auto *set : {&word.nearest, &word.border})
            for (const std::string &patch : *set) bytes += patch.size();
    return bytes;
}

WordPatches cut_word_patches(const ShownVocabulary &shown, std::size_t most_words, int side,
                             const ImageLimits &limits, Observer &observer) {
    WordPatches found{.words = drawn_words(shown.uses, most_words)};
    std::vector<WantedPatch> wanted;
    for (const std::size_t word : found.words)
        for (const auto *set : {&shown.uses[word].nearest, &shown.uses[word].border})
            for (const WordExample &one : *set) {
                // those at the border that are among the nearest are not shown again
                const bool again =
                    set == &shown.uses[word].border && is_among(one, shown.uses[word].nearest);
                wanted.push_back({one.image, again ? DescribedPlace{} : one.place});
            }
    std::vector<std::string> all = cut_patches(shown.files, wanted, side, limits, observer);
    std::size_t next = 0;
    for (const std::size_t word : found.words) {
        WordPatches::OfWord &patches = found.patches.emplace_back();
        patches.nearest = taken(all, next, shown.uses[word].nearest.size());
        patches.border = taken(all, next, shown.uses[word].border.size());
    }
    return found;
}

namespace {

/// Whether a word is in more than half of the images.
inline bool is_everywhere(const WordUse &use, std::uint64_t images) {
    return images > 1 && 2 * use.images > images;
}

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

/// Tiles that say at a glance whether a vocabulary is any good, as HTML.
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

/// A drawing of how many words occur how often: never, once, 2 to 4 times, 5 to 9 …
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

constexpr std::size_t words_in_part = 100;

/// Each option on a line as a whole.
std::string recipe_of(std::string_view options) {
    std::string spans;
    while (!options.empty()) {
        const std::size_t end = std::min(options.find(" --", 1), options.size());
        spans += fmt::format("<span>{}</span>", html_escape(options.substr(0, end)));
        options.remove_prefix(end);
        if (options.empty()) break;
        options.remove_prefix(1);
        spans += ' ';
    }
    return spans;
}

class Page {
  public:
    Page(const ShownVocabulary &shown, const WordPatches &patches, const WordsPage &page,
         Observer &observer)
        : shown_(shown), patches_(patches), page_(page), observer_(observer) {}

    void write() {
        PageHead head = page_.head;
        head.title = fmt::format("Words of {}", page_.vocabulary);
        head.filter = "Filter words";
        head.styles.insert(head.styles.end(), {&words_css, &plot_css});
        page_.write(page_head(head));
        page_.write(fmt::format("<h1>{} of <bdi>{}</bdi></h1>\n"
                                "<p class=\"lead recipe\">{} of {}: {}</p>\n",
                                counted(shown_.uses.size(), "word"), html_escape(page_.vocabulary),
                                counted(shown_.descriptors, "descriptor"),
                                counted(shown_.images, "picture"), recipe_of(shown_.made_by)));
        page_.write(fmt::format("<div class=\"overview\">{}{}</div>\n", tiles_of(shown_),
                                histogram_of(shown_.uses)));
        page_.write("<h2 class=\"unseen\">Words</h2>\n" + remarks() + sorts());
        write_words();
        page_.write(page_end);
    }

  private:
    std::string remarks() const {
        std::string text;
        const auto add = [&text](const std::string &line) {
            text += fmt::format("<p class=\"quiet\">{}</p>\n", html_escape(line));
        };
        if (patches_.any())
            add("Nearest are the patches whose descriptors are nearest to the word, and a good "
                "word's look alike. At the border are those that are nearly as near to another "
                "word.");
        else
            add("There are no patches: descriptor files do not hold their pictures, or no picture "
                "could be read.");
        if (patches_.words.size() < shown_.uses.size())
            add(fmt::format("{} of {} words are shown, drawn evenly from the most frequent to the "
                            "rarest; bowhist show --words 0 shows all.",
                            patches_.words.size(), shown_.uses.size()));
        if (shown_.is_drawn)
            add(fmt::format("Numbers are of all pictures, patches from {} of them; bowhist "
                            "show --images 0 reads all.",
                            shown_.inputs.counts.read));
        return text;
    }

    static std::string sorts() {
        std::string buttons = "<div class=\"sorts\" data-needs-script><span>Sort by</span>\n";
        constexpr const char *keys[][2] = {
            {"count", "occurrences"}, {"images", "pictures"}, {"idf", "idf"}, {"order", "number"}};
        for (const auto &[key, text] : keys)
            buttons += fmt::format(
                "<button type=\"button\" data-sort=\"{}\" aria-pressed=\"{}\">{}</button>\n", key,
                std::string_view(key) == "count", text);
        return buttons + "</div>\n";
    }

    void write_words() {
        const Parts parts(patches_.words.size(), words_in_part, "Words",
                          "<div class=\"words\" data-part>");
        page_.write("<div data-list>\n");
        for (std::size_t i = 0; i < patches_.words.size(); ++i) {
            observer_.stop_if_interrupted();
            page_.write(parts.before(i) + card(i));
        }
        page_.write(parts.end() + "</div>\n");
    }

    std::string card(std::size_t place) const {
        const std::size_t word = patches_.words[place];
        const WordUse &use = shown_.uses[word];
        const char *mark = use.count == 0                      ? "never used"
                           : is_everywhere(use, shown_.images) ? "everywhere"
                                                               : "";
        std::string text = fmt::format(
            "<article class=\"word\" data-item data-name=\"word {0} {1}\" data-count=\"{2}\" "
            "data-images=\"{3}\" data-idf=\"{4:.6f}\" data-order=\"-{0}\"><header><h3>Word "
            "{0}</h3>",
            word, mark, use.count, use.images, shown_.idf[word]);
        if (*mark != '\0') text += fmt::format("<span class=\"mark\">{}</span>", mark);
        if (use.count > 0)
            text += fmt::format("<span class=\"facts\">{} in {}, idf {:.2f}</span>",
                                use.count == 1 ? "once" : fmt::format("{} times", use.count),
                                counted(use.images, "picture"), shown_.idf[word]);
        text += "</header>";
        const std::string nearest = set(word, use.nearest, patches_.patches[place].nearest, false);
        const std::string border = set(word, use.border, patches_.patches[place].border, true);
        if (!nearest.empty() || !border.empty())
            text += "<div class=\"sets\" data-grid>" + nearest + border + "</div>";
        return text + "</article>\n";
    }

    /// The patches of a word; empty where none is known.
    std::string set(std::size_t word, const std::vector<WordExample> &examples,
                    const std::vector<std::string> &jpegs, bool is_border) const {
        std::string shown;
        for (std::size_t i = 0; i < examples.size(); ++i)
            if (!jpegs[i].empty()) shown += patch(word, examples[i], jpegs[i], is_border);
        if (shown.empty()) return {};
        return fmt::format("<figure class=\"set\"><figcaption>{}</figcaption><div "
                           "class=\"patches\">{}</div></figure>",
                           is_border ? "border" : "nearest", shown);
    }

    std::string patch(std::size_t word, const WordExample &one, const std::string &jpeg,
                      bool is_border) const {
        const std::string &name = shown_.names[one.image];
        PageImage image = page_.show(name, shown_.files[one.image], jpeg);
        const std::string note =
            is_border ? fmt::format("word {}, nearly {}", word, one.second)
                      : fmt::format("word {}, distance {:.3f}", word, std::sqrt(one.distance));
        return fmt::format("<a href=\"{}\" data-thumb {} data-note=\"{}\">{}</a>",
                           html_escape(image.link), path_attributes(name), note,
                           image_element(image, name.substr(name.rfind('/') + 1)));
    }

    const ShownVocabulary &shown_;
    const WordPatches &patches_;
    const WordsPage &page_;
    Observer &observer_;
};

} // namespace

void write_words_page(const ShownVocabulary &shown, const WordPatches &patches,
                      const WordsPage &page, Observer &observer) {
    Page(shown, patches, page, observer).write();
}

} // namespace bowhist
