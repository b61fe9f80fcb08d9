#include <bowhist/report/result_figure.hpp>

#include <bowhist/report/html.hpp>

#include <fmt/format.h>

namespace bowhist {
namespace {

std::string text_of(const AffineMap &map) {
    return fmt::format("{:.3f} {:.3f} {:.1f} / {:.3f} {:.3f} {:.1f}", map.a11, map.a12, map.tx,
                       map.a21, map.a22, map.ty);
}

/// The corners of a query, or of its part, where they lie in a result.
std::string outline_of(const AffineMap &map, const ImageRegion &part) {
    const double left = part.x - 0.5, top = part.y - 0.5;
    const double right = left + part.width, bottom = top + part.height;
    const double corners[4][2] = {{left, top}, {right, top}, {right, bottom}, {left, bottom}};
    std::string points;
    for (const auto &[x, y] : corners)
        points += fmt::format("{:.1f},{:.1f} ", map.a11 * x + map.a12 * y + map.tx,
                              map.a21 * x + map.a22 * y + map.ty);
    return points;
}

std::string lines_of(const std::vector<AgreeingPair> &pairs) {
    std::string lines;
    for (const AgreeingPair &pair : pairs)
        lines += fmt::format("{}{:.0f},{:.0f},{:.0f},{:.0f}", lines.empty() ? "" : ";", pair.x,
                             pair.y, pair.found_x, pair.found_y);
    return lines;
}

/// How many agree, and a button for their lines.
std::string agreement(const SizedImage &asked, const SizedImage &image, const FoundPlace &place,
                      const std::optional<ImageRegion> &region) {
    const std::string count = fmt::format("{} agree", place.agree);
    if (asked.width == 0 || image.width == 0)
        return fmt::format("<span class=\"agree\">{}</span>", count);
    const ImageRegion part = region.value_or(ImageRegion{0, 0, asked.width, asked.height});
    return fmt::format(
        "<span class=\"agree also\">{0}</span><button type=\"button\" class=\"agree\" "
        "data-needs-script data-from=\"{1},{2}\" data-to=\"{3},{4}\" data-outline=\"{5}\" "
        "data-text=\"{6} of {7} agree. Map: {8}\" data-lines=\"{9}\" "
        "aria-label=\"{0}: show their lines\">{0}</button>",
        count, asked.width, asked.height, image.width, image.height, outline_of(place.map, part),
        place.agree, html_escape(image.path.substr(image.path.rfind('/') + 1)), text_of(place.map),
        lines_of(place.pairs));
}

} // namespace

std::string asked_element(const SizedImage &query, const std::optional<ImageRegion> &region) {
    const std::string name = query.path.substr(query.path.rfind('/') + 1);
    if (query.shown.thumbnail.empty()) return "<span class=\"missing\">cannot be shown</span>";
    if (!region || query.width == 0)
        return fmt::format("<img class=\"shown\" width=\"{}\" height=\"{}\" alt=\"{}\" src=\"{}\">",
                           query.shown.width, query.shown.height, html_escape(name),
                           html_escape(query.shown.thumbnail));
    return fmt::format(
        "<svg class=\"shown\" viewBox=\"0 0 {0} {1}\" role=\"img\"><title>{2}</title>"
        "<image width=\"{0}\" height=\"{1}\" preserveAspectRatio=\"none\" href=\"{3}\"/>"
        "<rect class=\"region\" x=\"{4}\" y=\"{5}\" width=\"{6}\" height=\"{7}\"/></svg>",
        query.width, query.height, html_escape(name), html_escape(query.shown.thumbnail), region->x,
        region->y, region->width, region->height);
}

std::string result_figure(const SizedImage &asked, const SizedImage &image, std::size_t rank,
                          const FoundImage &found, const std::optional<ImageRegion> &region) {
    std::string note = fmt::format("rank {}, score {:.3f}", rank, found.score);
    const bool agrees = found.place && found.place->agree > 0;
    if (found.place) note += fmt::format(", {} agree", found.place->agree);
    if (agrees) note += fmt::format(", map {}", text_of(found.place->map));
    return fmt::format(
        "<figure data-item data-name=\"{0}\"><a href=\"{1}\" data-thumb {2} data-note=\"{3}\" "
        "title=\"{0}\">{4}</a><figcaption><b>{5}</b> <span class=\"score\">{6:.3f}</span> "
        "{7}</figcaption>{8}</figure>\n",
        html_escape(found.path), html_escape(image.shown.link), path_attributes(found.path), note,
        image_element(image.shown, found.path.substr(found.path.rfind('/') + 1)), rank, found.score,
        name_of_file(found.path),
        agrees        ? agreement(asked, image, *found.place, region)
        : found.place ? "<span class=\"agree\">none agree</span>"
                      : "");
}

} // namespace bowhist
