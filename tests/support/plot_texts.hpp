#pragma once

#include <regex>
#include <string>
#include <vector>

namespace bowhist {

/// A text of a plot, with the box that it takes about.
struct PlotText {
    std::string css_class, words;
    double left = 0, right = 0, top = 0, bottom = 0;

    bool overlaps(const PlotText &other) const {
        return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
    }
};

/// Letters are 0.6 of their size wide on average, as in DejaVu Sans.
inline std::vector<PlotText> texts_of_plot(const std::string &svg) {
    static const std::regex element(
        R"re(<text x="([-0-9.]+)" y="([-0-9.]+)" class="([^"]*)">([^<]*)</text>)re");
    std::vector<PlotText> texts;
    for (std::sregex_iterator at(svg.begin(), svg.end(), element), end; at != end; ++at) {
        PlotText text{.css_class = (*at)[3], .words = (*at)[4]};
        const auto has = [&](const char *word) {
            return text.css_class.find(word) != std::string::npos;
        };
        const double size = has("title") ? 14 : has("tick") ? 11 : 12;
        std::size_t letters = 0;
        for (const char c : std::regex_replace(text.words, std::regex("&[a-z]+;"), "."))
            letters += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
        const double width = 0.6 * size * static_cast<double>(letters);
        const double x = std::stod((*at)[1]), y = std::stod((*at)[2]);
        text.left = x - (has("right") ? width : has("middle") ? width / 2 : 0);
        text.right = text.left + width;
        text.top = y - 0.75 * size;
        text.bottom = y + 0.2 * size;
        texts.push_back(text);
    }
    return texts;
}

/// The texts of which two lie on each other, or that leave the plot; empty where all is well.
inline std::string faults_of_texts(const std::string &svg) {
    const std::vector<PlotText> texts = texts_of_plot(svg);
    std::string faults;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (texts[i].left < 0 || texts[i].right > 400) faults += texts[i].words + " leaves it; ";
        for (std::size_t j = i + 1; j < texts.size(); ++j)
            if (texts[i].overlaps(texts[j]))
                faults += texts[i].words + " lies on " + texts[j].words + "; ";
    }
    return faults;
}

} // namespace bowhist
