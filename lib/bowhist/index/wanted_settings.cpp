#include <bowhist/index/wanted_settings.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/core/version.hpp>
#include <bowhist/index/upkeep.hpp>
#include <bowhist/pictures/header/picture_header.hpp>

#include <fmt/format.h>

namespace bowhist {
namespace {

/// Stands for the table of reasons (core/error.hpp): a library that kept others is cured.
constexpr int skip_rules = 2;

std::string text_of(const ImageLimits &limits) {
    return fmt::format("{} {} {} {}; {}; skips {}", limits.max_pixels,
                       limits.max_bytes.value_or(ImageLimits::most_bytes_alone),
                       limits.keep_damaged ? "damaged" : "sound", readable_formats(), version(),
                       skip_rules);
}

/// In what was asked for.
bool differ(const LibrarySettings &a, const LibrarySettings &b,
            const std::set<std::string> &given) {
    const auto one = [&](const char *name, bool LibrarySettings::*member) {
        return given.contains(name) && a.*member != b.*member;
    };
    return one("words", &LibrarySettings::words) || one("code", &LibrarySettings::code) ||
           one("positions", &LibrarySettings::positions) ||
           one("mirrored", &LibrarySettings::mirrored) ||
           one("thumbnails", &LibrarySettings::thumbnails);
}

} // namespace

LibrarySettings asked(const IndexRequest &request) {
    return {.words = request.words,
            .code = request.code,
            .positions = request.words && request.describe.positions,
            .mirrored = request.words && request.describe.positions && request.describe.mirrored,
            .thumbnails = request.describe.thumbnail_side > 0};
}

std::string settings_text(const IndexRequest &request) {
    return as_text(asked(request)) + "; " + text_of(request.describe.stream.image);
}

LibrarySettings settle(Catalogue &catalogue, const IndexRequest &request) {
    const LibrarySettings wanted = asked(request);
    const auto text = catalogue.about("holds");
    if (!text) {
        catalogue.set_about("holds", as_text(wanted));
        return wanted;
    }
    const LibrarySettings own = settings_of(*text);
    if (differ(own, wanted, request.settings_given))
        throw Error(Fault::usage,
                    fmt::format("{} holds {} of each picture, and {} was asked for; leave that "
                                "out, or make a new library",
                                catalogue.database().path(), as_text(own), as_text(wanted)));
    return own;
}

void settle_skips(Catalogue &catalogue, const IndexRequest &request) {
    const std::string limits = text_of(request.describe.stream.image);
    const auto before = catalogue.about("limits");
    if (request.retry || (before && before != limits)) forget_skips(catalogue);
    catalogue.set_about("limits", limits);
}

} // namespace bowhist
