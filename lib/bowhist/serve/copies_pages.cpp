// The page of copies, and "not the same".
#include <bowhist/serve/pages.hpp>

#include <bowhist/core/counted.hpp>
#include <bowhist/duplicates/maps.hpp>
#include <bowhist/report/html.hpp>
#include <bowhist/report/page.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace bowhist {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t pairs_a_page = 50;

std::string corners(const LibraryImage &image, const AffineMap &map) {
    std::string points;
    const double right = image.width - 0.5, bottom = image.height - 0.5;
    const double places[4][2] = {{-0.5, -0.5}, {right, -0.5}, {right, bottom}, {-0.5, bottom}};
    for (const auto &[x, y] : places)
        points += fmt::format("{:.1f},{:.1f} ", map.a11 * x + map.a12 * y + map.tx + 0.5,
                              map.a21 * x + map.a22 * y + map.ty + 0.5);
    return points;
}

/// An image with the outline of another.
std::string figure(const LibraryImage &image, const LibraryImage &other, const AffineMap &map) {
    return fmt::format(
        "<figure><svg viewBox=\"0 0 {0} {1}\" role=\"img\" aria-label=\"{2}\"><image "
        "width=\"{0}\" height=\"{1}\" href=\"/views/{3}\"/><polygon "
        "points=\"{4}\"/></svg><figcaption><a href=\"/images/{3}\" title=\"{2}\">{5}"
        "</a></figcaption></figure>\n",
        image.width, image.height, html_escape(image.path), image.id, corners(other, map),
        name_of_file(image.path));
}

std::string pair_of(const Duplicate &image, const Duplicate &with, bool read_only) {
    const bool is_flat = image.map.determinant() == 0;
    const std::string button =
        read_only || image.image.hash == with.image.hash
            ? ""
            : fmt::format(
                  "<form method=\"post\" action=\"/not-same?a={}&amp;b={}\"><button>Not the "
                  "same</button></form>",
                  image.image.id, with.image.id);
    return fmt::format(
        "<div class=\"pair\" data-item><div class=\"two\">\n{}{}</div>\n<div "
        "class=\"tools\"><span class=\"facts\">{}, score {:.3f}</span>{}</div></div>\n",
        figure(with.image, image.image, image.map),
        figure(image.image, with.image, is_flat ? AffineMap{} : inverse(image.map)),
        image.kinds.text(), image.score, button);
}

struct Pair {
    const DuplicateGroup *group;
    const Duplicate *image;
};

std::vector<Pair> pairs_of(const Duplicates &found) {
    std::vector<Pair> pairs;
    for (const DuplicateGroup &group : found.groups)
        for (const Duplicate &image : group.images)
            if (&image != &group.images.front()) pairs.push_back({&group, &image});
    return pairs;
}

} // namespace

HttpAnswer duplicates_page(const Served &served, const HttpRequest &request) {
    const Copies::State state = served.copies.get(2s);
    if (!state.problem.empty()) return problem_page(served, 422, state.problem);
    if (!state.found) return waiting_page(served, "Copies", state.done, state.total);
    const std::vector<Pair> pairs = pairs_of(*state.found);
    const std::size_t page = number_in(request, "page", 1, 1'000'000'000, 1);
    const std::size_t first = std::min((page - 1) * pairs_a_page, pairs.size());
    std::string body = fmt::format(
        "<h1>{} of copies among {}</h1>\n<p class=\"lead\">Each copy stands beside the image that "
        "it is held against. Outlined is what of the one the other shows.</p>\n",
        counted(state.found->groups.size(), "group"), counted(state.found->images, "image"));
    for (std::size_t i = first; i < std::min(first + pairs_a_page, pairs.size()); ++i)
        body += pair_of(*pairs[i].image, pairs[i].group->images[pairs[i].image->with],
                        served.request.read_only);
    body += page_links(pairs.size(), pairs_a_page, page, "/duplicates?page=");
    return served_page(served, "Duplicates", body);
}

HttpAnswer not_same_page(const Served &served, const HttpRequest &request) {
    part_images(served, request);
    return {.status = 303, .type = "text/plain", .headers = {{"Location", "/duplicates"}}};
}

} // namespace bowhist
