#include <bowhist/library/settings.hpp>

#include <fmt/format.h>

namespace bowhist {

std::string as_text(const LibrarySettings &settings) {
    std::string text;
    const auto add = [&text](bool has, const char *word) {
        if (!has) return;
        if (!text.empty()) text += ' ';
        text += word;
    };
    add(settings.words, "words");
    add(settings.code, "code");
    add(settings.positions, "positions");
    add(settings.mirrored, "mirrored");
    add(settings.thumbnails, "thumbnails");
    return text;
}

LibrarySettings settings_of(const std::string &text) {
    const std::string words = fmt::format(" {} ", text);
    const auto has = [&](const char *word) { return words.find(word) != std::string::npos; };
    return {.words = has(" words "),
            .code = has(" code "),
            .positions = has(" positions "),
            .mirrored = has(" mirrored "),
            .thumbnails = has(" thumbnails ")};
}

} // namespace bowhist
