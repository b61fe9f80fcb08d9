#include <bowhist/report/copies_page.hpp>

#include <bowhist/core/counted.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/duplicates/maps.hpp>
#include <bowhist/pictures/picture.hpp>
#include <bowhist/report/html.hpp>
#include <bowhist/report/page.hpp>

#include <fmt/format.h>

namespace bowhist {
namespace {

constexpr int side = 320; // pixels

/// Corners of an image in another.
std::string corners(const LibraryImage &image, const AffineMap &map) {
    std::string points;
    const double right = image.width - 0.5, bottom = image.height - 0.5;
    const double places[4][2] = {{-0.5, -0.5}, {right, -0.5}, {right, bottom}, {-0.5, bottom}};
    for (const auto &[x, y] : places)
        points += fmt::format("{:.1f},{:.1f} ", map.a11 * x + map.a12 * y + map.tx + 0.5,
                              map.a21 * x + map.a22 * y + map.ty + 0.5);
    return points;
}

class CopiesPage {
  public:
    CopiesPage(AtomicFile &page, const Duplicates &found, Observer &observer)
        : page_(page), found_(found), observer_(observer) {}

    void write() {
        page_.write(page_head({.title = "Copies", .filter = "Filter copies"}));
        page_.write(fmt::format("<h1>{} of copies among {}</h1>\n<p>Each copy stands beside the "
                                "picture that it is held against. Outlined is what of the one "
                                "the other shows.</p>\n",
                                counted(found_.groups.size(), "group"),
                                counted(found_.images, "picture")));
        for (std::size_t i = 0; i < found_.groups.size(); ++i) write_group(i + 1, found_.groups[i]);
        if (missing_ > 0)
            observer_.warning(
                fmt::format("{} on the page could not be read", counted(missing_, "picture")));
        page_.write(page_end);
    }

  private:
    void write_group(std::size_t number, const DuplicateGroup &group) {
        page_.write(fmt::format("<section id=\"group-{0}\"><h2>Group {0} <small>{1}</small></h2>\n",
                                number, counted(group.images.size(), "picture")));
        for (const Duplicate &image : group.images) {
            if (&image == &group.images.front()) continue;
            observer_.stop_if_interrupted();
            const Duplicate &with = group.images[image.with];
            page_.write("<div class=\"pair\">\n");
            page_.write(figure(with.image, image.image, image.map));
            const bool is_flat = image.map.determinant() == 0;
            page_.write(
                figure(image.image, with.image, is_flat ? AffineMap{} : inverse(image.map)));
            page_.write(fmt::format("</div>\n<p>{}, score {:.3f}, {}, overlap {:.2f}</p>\n",
                                    image.kinds.text(), image.score,
                                    counted(image.agree, "agreeing place"), image.overlap));
        }
        page_.write("</section>\n");
    }

    /// An image with the outline of another.
    std::string figure(const LibraryImage &image, const LibraryImage &other, const AffineMap &map) {
        std::string jpeg;
        try {
            jpeg = base64(thumbnail_jpeg(image.file(), side));
        } catch (const Error &error) {
            if (error.fault != Fault::input) throw;
            ++missing_;
        }
        return fmt::format("<figure><svg viewBox=\"0 0 {0} {1}\" role=\"img\"><image width=\"{0}\" "
                           "height=\"{1}\" href=\"data:image/jpeg;base64,{2}\"/><polygon "
                           "points=\"{3}\"/></svg><figcaption>{4}</figcaption></figure>\n",
                           image.width, image.height, jpeg, corners(other, map),
                           html_escape(image.path));
    }

    AtomicFile &page_;
    const Duplicates &found_;
    Observer &observer_;
    std::size_t missing_ = 0;
};

} // namespace

void write_copies_page(AtomicFile &page, const Duplicates &found, Observer &observer) {
    CopiesPage(page, found, observer).write();
}

} // namespace bowhist
