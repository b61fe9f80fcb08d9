// The pages of images: all of them, one, and what is like it.
#include <bowhist/serve/pages.hpp>

#include <bowhist/core/counted.hpp>
#include <bowhist/library/file_places.hpp>
#include <bowhist/report/html.hpp>

#include <fmt/format.h>

namespace bowhist {
namespace {

constexpr std::size_t images_a_page = 100;
constexpr std::size_t most_neighbors = 60;

/// Results, without the image itself.
std::string grid_of(const std::vector<SharedImage> &found, std::int64_t itself = 0) {
    std::string grid = "<div class=\"grid\" data-grid>\n";
    for (const SharedImage &one : found)
        if (one.image.id != itself)
            grid += linked_image(one.image, fmt::format("{:.3f}", one.score));
    return grid + "</div>\n";
}

/// The image, large, on which a part can be drawn.
std::string view_of(const LibraryImage &image, const std::optional<ImageRegion> &part) {
    const std::string outline =
        part
            ? fmt::format("<svg viewBox=\"0 0 {} {}\" aria-hidden=\"true\"><rect x=\"{}\" y=\"{}\" "
                          "width=\"{}\" height=\"{}\"/></svg>",
                          image.width, image.height, part->x, part->y, part->width, part->height)
            : "";
    return fmt::format("<div class=\"view\" data-region data-width=\"{0}\" data-height=\"{1}\" "
                       "data-link=\"/images/{2}\"><img width=\"{0}\" height=\"{1}\" alt=\"{3}\" "
                       "src=\"/views/{2}\">{4}</div>\n",
                       image.width, image.height, image.id, html_escape(image.path), outline) +
           (shows_its_row(image) ? ""
                                 : "<p>The file is not what was indexed: its thumbnail is shown. "
                                   "<code>bowhist index</code> reads it again.</p>\n");
}

/// A path that breaks behind slashes first.
std::string breakable(std::string_view path) {
    std::string text;
    for (const char c : html_name(path)) (text += c) += c == '/' ? "<wbr>" : "";
    return text;
}

std::string facts_of(const LibraryImage &image, const LibraryGroups &groups) {
    std::string facts =
        fmt::format("{} × {}, {} bytes", image.width, image.height, image.stamp.size);
    if (image.captured) { // a space for the T, and no break at hyphens
        for (const char c : ", " + html_escape(*image.captured))
            facts += c == 'T' ? " " : c == '-' ? "\u2011" : std::string(1, c);
    }
    const auto group = groups.members.find(image.id);
    if (group != groups.members.end() && group->second >= 0)
        facts += fmt::format(", <a href=\"/groups/{0}\">group {0}</a>", group->second);
    return facts;
}

} // namespace

HttpAnswer first_page(const Served &served, const HttpRequest &request) {
    const auto snapshot = served.live.now();
    const std::size_t count = snapshot->status().images;
    const std::size_t page = number_in(request, "page", 1, 1'000'000'000, 1);
    std::string body = fmt::format(
        "<h1>{}</h1>\n<p class=\"lead\">{} can be searched.</p>\n{}<h2>All images</h2>\n"
        "<div class=\"grid\" data-grid>\n",
        html_escape(served.request.library.filename().native()), counted(count, "image"),
        search_form());
    for (const LibraryImage &image : snapshot->images((page - 1) * images_a_page, images_a_page))
        body += linked_image(image, "");
    body += "</div>\n" + links_to_parts(count, images_a_page, page, "/?page=");
    return served_page(served, "Search", body);
}

HttpAnswer sent_page(const Served &served, const HttpRequest &request) {
    const auto snapshot = served.live.now();
    const auto found =
        images_like(served, *snapshot, sent_image(request), std::nullopt, most_neighbors);
    return served_page(
        served, "Results",
        "<h1>Most like the image that was sent</h1>\n<p class=\"lead\">The number is "
        "the score, from 0 to 1.</p>\n" +
            grid_of(found) + search_form());
}

HttpAnswer image_page(const Served &served, const HttpRequest &request, std::string_view id) {
    const auto snapshot = served.live.now();
    const LibraryImage image = image_of(*snapshot, id);
    const auto part = region_in(request);
    std::string neighbors;
    try {
        const auto found = images_like(served, *snapshot, image, part, most_neighbors + 1);
        neighbors = grid_of(found, part ? 0 : image.id);
    } catch (const Error &error) { // its file is gone, or has no keypoints
        neighbors = fmt::format("<p>{}</p>\n", html_escape(error.what()));
    }
    const std::string asked =
        part ? fmt::format("{},{},{},{}", part->x, part->y, part->width, part->height) : "";
    const std::string body = fmt::format(
        "<h1>{}</h1>\n<p class=\"lead\">{}</p>\n{}<form action=\"/images/{}\"><p><label>Search for "
        "a part: draw it on the image, or give X,Y,W,H in pixels: <input name=\"region\" "
        "value=\"{}\" pattern=\"[0-9]+,[0-9]+,[0-9]+,[0-9]+\"></label> "
        "<button>Search</button></p></form>\n<h2>Most like {}</h2>\n{}",
        breakable(image.path), facts_of(image, snapshot->groups()), view_of(image, part), image.id,
        asked, part ? "this part" : "it", neighbors);
    const std::string name = image.path.substr(image.path.rfind('/') + 1);
    return part ? served_page(served, name, body, fmt::format("/images/{}", image.id),
                              "The whole image")
                : served_page(served, name, body);
}

} // namespace bowhist
