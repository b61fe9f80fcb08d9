#include <bowhist/report/words_page.hpp>

#include <bowhist/core/counted.hpp>
#include <bowhist/report/html.hpp>
#include <bowhist/report/look/look.hpp>
#include <bowhist/report/words_overview.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bowhist {
namespace {

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
