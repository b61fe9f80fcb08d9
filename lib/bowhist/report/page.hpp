#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// All pages share a head, a style and a script (report/look), which are part of each page: it loads
// nothing from elsewhere, and its Content-Security-Policy says so. So no element of a page has a
// style= or an on…= attribute: its looks are a class of look/page.css, and its behavior follows
// from data attributes, which look/page.js lists. Without scripts every page still shows its
// images, and what opens is a <details>.

namespace bowhist {

struct PageFile;

enum class PageKind {
    file,   ///< opened from a disk
    served, ///< by `bowhist serve`, which its script may ask for more
};

/// How a page begins.
struct PageHead {
    std::string title = {}; ///< as text
    PageKind kind = PageKind::file;
    std::string filter = "Filter";       ///< the label of the filter, as text: "Filter groups"
    std::string back = {};               ///< a URL: the way back; empty: to the top
    std::string back_text = "Top";       ///< as text
    std::string tools = {};              ///< further elements of the bar, as HTML
    std::string marks = {};              ///< the name under which the page keeps marks
    std::string_view script = {};        ///< a second script; its text
    std::string_view script_sha256 = {}; ///< base64
    std::vector<const PageFile *> styles = {}; ///< further ones (look/look.hpp)
};

/// The head of a page, from <!DOCTYPE> to the opened <main>: with the bar that has the way back and
/// the filter.
std::string page_head(const PageHead &head);

/// The page's Content-Security-Policy, which a server sends, too.
std::string content_policy(const PageHead &head);

/// Stands in the first lines of every page, which a later one may replace.
constexpr std::string_view page_mark = "<meta name=\"generator\" content=\"bowhist\">";

/// How every page ends.
constexpr std::string_view page_end = "</main>\n</body>\n</html>\n";

/// The name of a file, safe in HTML, whatever direction its letters have.
std::string name_of_file(std::string_view path);

/// An image in a grid: `<div class="grid" data-grid>`. Its caption is the name of its file; the
/// lightbox shows the whole path, which can be copied.
struct PageImage {
    std::string_view path;      ///< bytes
    std::string link = {};      ///< a URL of the whole image
    std::string thumbnail = {}; ///< a URL, data: too; empty: the image cannot be shown
    int width = 0, height = 0;  ///< pixels of the thumbnail
    std::string note = {};      ///< what else the lightbox says, as text: "distance 0.25"
    std::string mark = {};      ///< an odd one: why, as text
    std::string full = {};      ///< a URL that the lightbox shows in place of the link's
};
std::string image_figure(const PageImage &image);

/// Only its <img>, with these words for who cannot see it; or a line that there is no
/// thumbnail.
std::string image_element(const PageImage &image, std::string_view alt);

/// `data-path="…"`, and `data-bytes="…"` where the path is not UTF-8.
std::string path_attributes(std::string_view path);

/// A thumbnail as a URL of the page itself.
std::string data_url(std::string_view jpeg);

/// A long list in parts: the first is open, and each further one opens ("Groups 101 to 200").
///
///     Parts parts(groups.size(), 100, "Groups", "<div class=\"cards\">");
///     for (…) page.write(parts.before(i) + card);
///     page.write(parts.end());
class Parts {
  public:
    /// @param container  opening tag of a <div> that holds the items of a part
    Parts(std::size_t items, std::size_t most, std::string name, std::string container)
        : items_(items), most_(most), name_(std::move(name)), container_(std::move(container)) {}

    /// The text in front of item i; the items come in order.
    std::string before(std::size_t i) const;
    std::string end() const;

  private:
    std::string end_of(std::size_t i) const;

    std::size_t items_, most_;
    std::string name_, container_;
};

/// The file of a page of a list that has several: "group-3.html", then "group-3-2.html".
std::string page_file(std::string_view stem, std::size_t page);

/// Links between the pages of a list; empty for one page.
/// @param url  of each page
std::string page_links(std::size_t pages, std::size_t here,
                       const std::function<std::string(std::size_t)> &url);

} // namespace bowhist
