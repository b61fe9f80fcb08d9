#include <bowhist/report/copy_pair.hpp>

#include <bowhist/core/printable.hpp>
#include <bowhist/duplicates/pixels/maps.hpp>
#include <bowhist/report/html.hpp>
#include <bowhist/report/page.hpp>

#include <fmt/format.h>

namespace bowhist {
namespace {

/// A map between pixels, whose centers are whole numbers, as one of a drawing, where they are
/// halves.
AffineMap in_drawing(AffineMap map) {
    map.tx += 0.5 - 0.5 * (map.a11 + map.a12);
    map.ty += 0.5 - 0.5 * (map.a21 + map.a22);
    return map;
}

/// The outline of an image in another, as far as it lies inside.
std::string outline(const LibraryImage &image, const AffineMap &map, const LibraryImage &in) {
    const AffineMap there = in_drawing(map);
    const double right = image.width, bottom = image.height;
    const double places[4][2] = {{0, 0}, {right, 0}, {right, bottom}, {0, bottom}};
    std::string points;
    for (const auto &[x, y] : places)
        points += fmt::format("{:.1f},{:.1f} ", there.a11 * x + there.a12 * y + there.tx,
                              there.a21 * x + there.a22 * y + there.ty);
    return fmt::format("<svg width=\"{}\" height=\"{}\" aria-hidden=\"true\"><polygon "
                       "points=\"{}\"/></svg>",
                       in.width, in.height, points);
}

std::string pixels(const PairImage &image) {
    if (image.url.empty()) return fmt::format("<use href=\"#{}\"/>", image.id);
    return fmt::format("<image id=\"{}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" "
                       "href=\"{}\"/>",
                       image.id, image.image->width, image.image->height, html_escape(image.url));
}

std::string view_box(const PairImage &image) {
    return fmt::format("viewBox=\"0 0 {} {}\"", image.image->width, image.image->height);
}

/// "4000 × 3000 · 2.3 MB"
std::string size_of(const LibraryImage &image) {
    const auto bytes = static_cast<double>(image.stamp.size);
    const std::string size = bytes < 1e6 ? fmt::format("{:.0f}\u00a0kB", bytes / 1e3)
                                         : fmt::format("{:.1f}\u00a0MB", bytes / 1e6);
    return fmt::format("{}\u00a0×\u00a0{} · {}", image.width, image.height, size);
}

/// The name of its file; with its folder where the other one has the same.
std::string_view caption(std::string_view path, std::string_view other) {
    const auto name = [](std::string_view of) { return of.substr(of.rfind('/') + 1); };
    const std::size_t slash = path.rfind('/');
    if (name(path) != name(other) || slash == path.npos || slash == 0) return name(path);
    return path.substr(path.rfind('/', slash - 1) + 1);
}

/// The pixels of an image. @param above  further elements of the drawing
std::string drawing(const PairImage &shown, const std::string &above) {
    if (!shown.is_there) return "<span class=\"missing\">cannot be shown</span>";
    const std::string &path = shown.image->path;
    return fmt::format("<svg {} role=\"img\" aria-label=\"{}\">{}{}</svg>", view_box(shown),
                       html_escape(path.substr(path.rfind('/') + 1)), pixels(shown), above);
}

std::string name_link(const PairImage &shown, std::string_view name) {
    return fmt::format("<a href=\"{}\" title=\"{}\"><bdi>{}</bdi></a>", html_escape(shown.link),
                       html_escape(shown.image->path), html_name(name));
}

/// @param map  of the other image into this one
std::string figure(const PairImage &shown, const LibraryImage &other, const AffineMap &map) {
    const LibraryImage &image = *shown.image;
    const char *remark = shown.kept ? "<span class=\"kept\">kept</span> " : "";
    return fmt::format("<figure>{}<figcaption>{} <small class=\"numbers\">{}{}</small><label "
                       "data-needs-script><input type=\"checkbox\" data-mark {}{} "
                       "aria-label=\"Drop {}\"> drop</label></figcaption></figure>\n",
                       drawing(shown, outline(other, map, image)),
                       name_link(shown, caption(image.path, other.path)), remark, size_of(image),
                       path_attributes(image.path), shown.spare ? " data-spare" : "",
                       html_escape(image.path));
}

/// Without a checkbox.
std::string plain_figure(const PairImage &shown) {
    const std::string &path = shown.image->path;
    return fmt::format("<figure>{}<figcaption>{} <small class=\"numbers\">{}</small></figcaption>"
                       "</figure>\n",
                       drawing(shown, ""), name_link(shown, path.substr(path.rfind('/') + 1)),
                       size_of(*shown.image));
}

/// Why an image is in no group, for a person.
const char *words_of(const Kinds &kinds) {
    if (kinds.frame) return "a frame of an animation";
    if (kinds.collage) return "a collage";
    if (kinds.ambiguous) return "agrees with pictures that differ";
    return "too small to tell";
}

/// The pixels that a score was measured on; nothing if all bytes are equal.
std::string comparison_of(int compared) {
    return compared > 0 ? fmt::format(" · compared at {}\u00a0pixels", compared) : "";
}

/// Both, laid over each other in the one that the copy is held against.
std::string overlay(const CopyPair &pair) {
    if (!pair.with.is_there || !pair.copy.is_there) return {};
    const AffineMap map = in_drawing(pair.row->map);
    return fmt::format("<svg class=\"over\" {} role=\"img\" aria-label=\"Both over each other\">"
                       "<use href=\"#{}\"/><g class=\"top\"><use href=\"#{}\" "
                       "transform=\"matrix({:.6f} {:.6f} {:.6f} {:.6f} {:.3f} {:.3f})\"/></g>"
                       "</svg>\n",
                       view_box(pair.with), pair.with.id, pair.copy.id, map.a11, map.a21, map.a12,
                       map.a22, map.tx, map.ty);
}

/// One tab stop; arrows choose.
std::string views(std::size_t number) {
    std::string text = "<span class=\"views\" role=\"radiogroup\" aria-label=\"View\">";
    for (const auto &[value, name] :
         {std::pair("side", "Side by side"), std::pair("flicker", "Flicker"),
          std::pair("difference", "Difference")})
        text +=
            fmt::format("<label><input type=\"radio\" name=\"view-{}\" value=\"{}\"{}>{}</label>",
                        number, value, std::string_view(value) == "side" ? " checked" : "", name);
    return text + "</span>";
}

} // namespace

std::string pair_element(const CopyPair &pair) {
    const Duplicate &copy = *pair.row;
    const bool is_flat = copy.map.determinant() == 0;
    const LibraryImage &with = *pair.with.image;
    const std::string text = fmt::format("{} {}", copy.image.path, with.path);
    return fmt::format(
               "<div class=\"pair\" data-pair data-item data-name=\"{} {}\"><div class=\"two\">\n",
               html_escape(text), copy.kinds.text()) +
           figure(pair.with, copy.image, copy.map) +
           figure(pair.copy, with, is_flat ? AffineMap{} : inverse(copy.map)) + "</div>\n" +
           overlay(pair) +
           fmt::format(
               "<div class=\"tools\"><span class=\"facts numbers\"><b>{}</b> · score {:.3f} "
               "{} · overlap {:.2f}{}</span>{}{}</div></div>\n",
               copy.kinds.text(), copy.score,
               copy.agree > 0 ? " · " + counted(copy.agree, "agreeing place") : "", copy.overlap,
               comparison_of(copy.compared),
               pair.with.is_there && pair.copy.is_there ? views(pair.number) : "", pair.tools);
}

std::string apart_element(const ApartPicture &apart) {
    const ApartImage &row = *apart.row;
    std::string text = row.image.path, figures;
    for (const LibraryImage &image : row.with) text += " " + image.path;
    for (const PairImage &image : apart.with) figures += plain_figure(image);
    const std::size_t others = row.with.size() - apart.with.size();
    return fmt::format("<div class=\"pair apart\" data-item data-name=\"{} {}\"><div "
                       "class=\"two\">\n{}<div class=\"with\">{}</div></div>\n<div "
                       "class=\"tools\"><span class=\"facts numbers\"><b>{}</b>{} · score "
                       "{:.3f}{}</span></div></div>\n",
                       html_escape(text), row.kinds.text(), plain_figure(apart.picture), figures,
                       words_of(row.kinds),
                       others > 0 ? fmt::format(" · resembles {} more", others) : "", row.score,
                       comparison_of(row.compared));
}

std::string apart_heading(std::size_t pictures) {
    return fmt::format(
        "<h2>In no group <small>{}</small></h2>\n<p class=\"lead\">These pictures show what others "
        "show, but are no copies of them. They stay.</p>\n",
        counted(pictures, "picture"));
}

std::string drop_list(const std::string &scope, const std::string &spare) {
    return fmt::format(
        "<div class=\"tray\" data-needs-script>\n<output data-drop-count>0 to drop</output>\n"
        "<button type=\"button\" data-drop-spare=\"{}\">Mark copies that are not kept{}</button>\n"
        "<button type=\"button\" data-drop-none>Clear</button>\n"
        "<button type=\"button\" data-drop-list=\"lines\">Download list</button>\n"
        "<button type=\"button\" data-drop-list=\"nul\">Download list with NULs</button>\n</div>\n",
        html_escape(spare), scope.empty() ? "" : fmt::format(" ({})", html_escape(scope)));
}

} // namespace bowhist
