#include <bowhist/core/counted.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/pictures/picture.hpp>
#include <bowhist/report/contact_sheet.hpp>
#include <bowhist/report/html.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace bowhist {
namespace {

constexpr int thumbnail_side = 160; // pixels: some twenty on a screen, a few kilobytes each

constexpr std::string_view page_head = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Pictures by group</title>
<style>
:root { color-scheme: light dark; font: 15px/1.4 system-ui, sans-serif; }
body { margin: 2rem; }
nav { display: flex; flex-wrap: wrap; gap: .2rem .8rem; }
section { margin: 2rem 0; }
h2 { font-size: 1.1rem; border-bottom: 1px solid #8886; padding-bottom: .3rem; }
h2 small { font-weight: normal; opacity: .7; }
.sheet { display: flex; flex-wrap: wrap; align-items: start; gap: .6rem; }
figure { margin: 0; width: 160px; }
figure img, .missing { width: 160px; height: 160px; object-fit: contain; background: #8882;
  border-radius: 4px; }
.missing { display: flex; align-items: center; justify-content: center; opacity: .7; }
figcaption { font-size: .72rem; overflow-wrap: anywhere; white-space: pre-wrap; opacity: .8;
  -webkit-user-select: all; user-select: all; }
</style>
</head>
<body>
)";

/// The pictures of one group, nearest to its centre first.
std::vector<std::size_t> members(const Grouping &grouping, std::size_t group) {
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < grouping.group.size(); ++row)
        if (grouping.group[row] == group) rows.push_back(row);
    std::ranges::stable_sort(rows, {}, [&](std::size_t row) { return grouping.distance[row]; });
    return rows;
}

/// Thumbnails, and how many could not be made: the first with its reason, all together at the end.
class Thumbnails {
  public:
    Thumbnails(const std::filesystem::path &page, Observer &observer)
        : folder_(whole(page).parent_path()), observer_(observer) {}

    std::string make(const std::string &image) {
        try {
            return fmt::format(
                R"(<a href="{}"><img loading="lazy" alt="{}" src="data:image/jpeg;base64,{}"></a>)",
                url_escape(from_page_to(image)), html_escape(image),
                base64(thumbnail_jpeg(image, thumbnail_side)));
        } catch (const Error &error) {
            if (missing_++ == 0) observer_.warning(fmt::format("no thumbnail: {}", error.what()));
            return R"(<div class="missing">no picture</div>)";
        }
    }

    void tell_missing(std::size_t pictures) {
        if (missing_ > 1)
            observer_.warning(
                fmt::format("{} of {} pictures have no thumbnail; run where their paths "
                            "lead to them (an .npy holds none: give .npz, .csv or .jsonl)",
                            missing_, pictures));
    }

  private:
    static std::filesystem::path whole(const std::filesystem::path &path) {
        std::error_code unknown; // where the working directory is gone: a link that leads nowhere
        return std::filesystem::absolute(path, unknown).lexically_normal();
    }

    /// By their names, as browsers go: links between folders are not looked at.
    std::string from_page_to(const std::string &image) const {
        return whole(image).lexically_relative(folder_).native();
    }

    std::filesystem::path folder_;
    Observer &observer_;
    std::size_t missing_ = 0;
};

} // namespace

void write_contact_sheet(AtomicFile &page, const std::vector<std::string> &images,
                         const Grouping &grouping, Observer &observer) {
    page.write(page_head);
    page.write(fmt::format("<h1>{} in {}</h1>\n"
                           "<p>Click a picture to open it, and its path to select it for copying."
                           "</p>\n<nav>",
                           counted(images.size(), "picture"), counted(grouping.groups, "group")));
    for (std::size_t group = 0; group < grouping.groups; ++group)
        page.write(fmt::format("<a href=\"#group-{0}\">{0}</a>", group));
    page.write("</nav>\n");
    std::size_t done = 0;
    Thumbnails thumbnails(page.destination(), observer);
    for (std::size_t group = 0; group < grouping.groups; ++group) {
        const std::vector<std::size_t> rows = members(grouping, group);
        page.write(fmt::format("<section id=\"group-{0}\"><h2>Group {0} <small>{1}</small></h2>\n"
                               "<div class=\"sheet\">\n",
                               group, counted(rows.size(), "picture")));
        for (const std::size_t row : rows) {
            observer.stop_if_interrupted();
            page.write(fmt::format("<figure title=\"{}&#10;distance {:.3f}\">{}<figcaption>{}"
                                   "</figcaption></figure>\n",
                                   html_escape(images[row]), grouping.distance[row],
                                   thumbnails.make(images[row]), html_escape(images[row])));
            observer.progress("thumbnails", ++done, images.size());
        }
        page.write("</div></section>\n");
    }
    thumbnails.tell_missing(images.size());
    page.write("</body>\n</html>\n");
}

} // namespace bowhist
