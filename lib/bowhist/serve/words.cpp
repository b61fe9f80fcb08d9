#include <bowhist/serve/words.hpp>

#include <bowhist/report/words_page.hpp>
#include <bowhist/serve/pages.hpp>
#include <bowhist/show/show_words.hpp>

#include <fmt/format.h>

namespace bowhist {
namespace {

constexpr std::size_t most_images = 300; ///< that are read for patches
constexpr std::size_t most_words = 200;
constexpr int patch_side = 48;

} // namespace

Words::Words(const ServeRequest &request, LiveLibrary &live, const Observer &observer)
    : request_(request), live_(live),
      page_([this](Observer &progress) { return page(progress); }, observer) {}

std::string Words::page(Observer &observer) {
    const auto snapshot = live_.now();
    ShowRequest wanted;
    wanted.vocabulary = request_.library;
    wanted.most_images = most_images;
    wanted.stream = request_.stream;
    wanted.level = request_.level;
    const ShownVocabulary shown = show_words(wanted, observer);
    const WordPatches patches =
        cut_word_patches(shown, most_words, patch_side, request_.stream.image, observer);
    const auto show = [&](const std::string &name, const std::string &, std::string_view jpeg) {
        const auto image = snapshot->image(name);
        return PageImage{.path = name,
                         .link = image ? fmt::format("/images/{}", image->id) : "",
                         .thumbnail = jpeg.empty() ? "" : data_url(jpeg),
                         .full = image ? fmt::format("/views/{}", image->id) : ""};
    };
    std::string page;
    write_words_page(shown, patches,
                     {.vocabulary = request_.library.filename().native(),
                      .head = served_head(request_, ""),
                      .show = show,
                      .write = [&](std::string_view text) { page += text; }},
                     observer);
    return page;
}

} // namespace bowhist
