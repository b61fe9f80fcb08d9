#include <bowhist/report/results_page.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/image.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/library/library.hpp>
#include <bowhist/pictures/header/picture_header.hpp>
#include <bowhist/pictures/image_views.hpp>
#include <bowhist/report/html.hpp>
#include <bowhist/report/look/look.hpp>
#include <bowhist/report/page.hpp>
#include <bowhist/report/thumbnails.hpp>
#include <bowhist/search/library_search.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>

namespace bowhist {
namespace {

/// An image with its size, which lines need.
struct SizedImage {
    std::string path = {}; ///< bytes
    PageImage shown = {};
    int width = 0; ///< pixels of the upright original; 0: it cannot be read
    int height = 0;
};

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

/// The image of a query; its part is outlined.
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

/// A result in a grid: its thumbnail, rank and score; if it was checked, how many keypoints agree,
/// in a button with the data of their lines (look/results.js).
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

constexpr std::size_t queries_of_a_part = 10;
constexpr std::size_t queries_of_a_page = 20; ///< in a folder
constexpr std::size_t results_of_a_part = 40;
constexpr std::size_t links_of_a_part = 100;

/// A thumbnail of a file, and the size of its image.
ImageViews views_of(const std::string &file) {
    const ImageLimits limits{.keep_damaged = true};
    ImageFile bytes = read_image_file(file, limits);
    return decode_views(bytes, file, limits,
                        {.greys = {{page_thumbnail_side}}, .thumbnail_side = page_thumbnail_side});
}

} // namespace

class ResultsPage::Impl {
  public:
    Impl(PageFiles &files, const ResultsPageOptions &options, Observer &observer)
        : files_(files), options_(options), observer_(observer),
          thumbnails_(files.has_folder() ? files.further_page() : files.page().destination(),
                      observer, [&files](std::string_view jpeg) {
                          return files.has_folder() ? files.add_thumbnail(jpeg) : data_url(jpeg);
                      }) {
        libraries_.push_back(std::make_unique<Library>(options.library));
        for (const auto &path : options.also) libraries_.push_back(std::make_unique<Library>(path));
    }

    void write(const std::string &query, const std::vector<FoundImage> &found) {
        ++queries_;
        if (!files_.has_folder() && bytes_ > most_bytes_of_results) return;
        waiting_.push_back(section(query, found));
        bytes_ += waiting_.back().size();
        if (!files_.has_folder()) return;
        links_.push_back(fmt::format("{1}\"><bdi>{0}</bdi></a> <small>{2}</small></div>\n",
                                     html_escape(query), place_of(queries_),
                                     counted(found.size(), "result")));
        if (waiting_.size() == queries_of_a_page) add_page();
    }

    void finish() {
        if (files_.has_folder())
            write_index();
        else
            write_page();
        thumbnails_.report_missing(shown_);
    }

  private:
    PageHead head(std::string title) const {
        return {.title = std::move(title),
                .filter = "Filter pictures",
                .script = results_js.text,
                .script_sha256 = results_js.sha256,
                .styles = {&results_css}};
    }

    std::string heading() const {
        std::string names = fmt::format("<bdi>{}</bdi>", html_escape(options_.library.native()));
        for (const auto &path : options_.also)
            names += fmt::format(", <bdi>{}</bdi>", html_escape(path.native()));
        return fmt::format("<h1>Results of {} in {}</h1>\n",
                           queries_ == 1 ? "a search" : fmt::format("{} searches", queries_),
                           names);
    }

    void write_page() {
        AtomicFile &page = files_.page();
        page.write(page_head(head("Results of a search")));
        page.write(heading() + "<p class=\"lead\">The best first, with rank and score.</p>\n");
        if (waiting_.size() < queries_) {
            const std::string line =
                fmt::format("The page has room for the first {} of {} queries; --html DIR/ has "
                            "room for all",
                            waiting_.size(), queries_);
            page.write(fmt::format("<p>{}.</p>\n", line));
            observer_.warning(line);
        }
        const Parts parts(waiting_.size(), queries_of_a_part, "Queries", "<div>");
        for (std::size_t i = 0; i < waiting_.size(); ++i) page.write(parts.before(i) + waiting_[i]);
        page.write(parts.end());
        page.write(page_end);
    }

    /// "q0.html#query-7", of the seventh.
    static std::string place_of(std::size_t query) {
        return fmt::format("q{}.html#query-{}", (query - 1) / queries_of_a_page, query);
    }

    void add_page() {
        PageHead own = head("Results");
        own.back = fmt::format("../{}", url_escape(files_.page_name()));
        own.back_text = "All queries";
        std::string text = page_head(own);
        text +=
            fmt::format("<h1>Queries {} to {}</h1>\n", queries_ - waiting_.size() + 1, queries_);
        for (const std::string &section : waiting_) text += section;
        files_.add_page(fmt::format("q{}.html", (queries_ - 1) / queries_of_a_page),
                        text.append(page_end));
        waiting_.clear();
    }

    void write_index() {
        if (!waiting_.empty()) add_page();
        const std::string folder = files_.finish_folder();
        AtomicFile &page = files_.page();
        page.write(page_head({.title = "Results of searches", .filter = "Filter queries"}));
        page.write(heading());
        const Parts parts(links_.size(), links_of_a_part, "Queries", "<div>");
        for (std::size_t i = 0; i < links_.size(); ++i)
            page.write(parts.before(i) + "<div data-item><a href=\"" + folder + links_[i]);
        page.write(parts.end());
        page.write(page_end);
    }

    std::string section(const std::string &query, const std::vector<FoundImage> &found) {
        const SizedImage asked = asked_image(query);
        std::string text = fmt::format(
            "<section class=\"query\" id=\"query-{0}\" data-holder data-name=\"{1}\"><div "
            "class=\"asked\">{2}<div><h2>{3}</h2><p class=\"quiet\">{4}</p></div></div>\n",
            queries_, html_escape(query), asked_element(asked, options_.region),
            query == "-" ? "Standard input" : name_of_file(query),
            found.empty() ? "nothing was found" : counted(found.size(), "result"));
        const Parts parts(found.size(), results_of_a_part, "Results",
                          "<div class=\"grid\" data-grid>");
        for (std::size_t i = 0; i < found.size(); ++i) {
            observer_.stop_if_interrupted();
            text += parts.before(i) +
                    result_figure(asked, found_image(found[i]), i + 1, found[i], options_.region);
        }
        return text + parts.end() + "</section>\n";
    }

    SizedImage found_image(const FoundImage &found) {
        const Library &library = *libraries_[found.library];
        return image_of(found.path, library, library.find(found.path));
    }

    /// An image of a library, or a file.
    SizedImage asked_image(const std::string &path) {
        if (path != "-")
            for (const auto &library : libraries_)
                if (const auto known = library->find(path)) return image_of(path, *library, known);
        return image_of(path, *libraries_.front(), std::nullopt);
    }

    /// @param known  in the library; nothing for a file
    SizedImage image_of(const std::string &path, const Library &library,
                        const std::optional<LibraryImage> &known) {
        ++shown_;
        SizedImage image{.path = path};
        if (path == "-") return image;
        if (known) {
            image.width = known->width;
            image.height = known->height;
            const std::string jpeg = stored_thumbnail(library, *known);
            image.shown = !jpeg.empty() ? thumbnails_.show(known->file(), jpeg)
                                        : thumbnails_.make(known->file());
        } else {
            read(path, image);
        }
        image.shown.path = {}; // of what does not outlive this
        return image;
    }

    /// Empty where the library lacks it, or it is damaged.
    static std::string stored_thumbnail(const Library &library, const LibraryImage &image) {
        try {
            std::string jpeg = library.thumbnail(image);
            if (read_image_header(jpeg)) return jpeg;
        } catch (const Error &error) {
            if (error.fault != Fault::input) throw;
        }
        return {};
    }

    void read(const std::string &path, SizedImage &image) {
        try {
            const ImageViews views = views_of(path);
            image.width = views.width;
            image.height = views.height;
            image.shown = thumbnails_.show(path, views.thumbnail);
        } catch (const Error &error) {
            if (error.fault != Fault::input) throw;
            image.shown = thumbnails_.make(path); // and reports why
        }
    }

    PageFiles &files_;
    const ResultsPageOptions &options_;
    Observer &observer_;
    std::vector<std::unique_ptr<Library>> libraries_;
    Thumbnails thumbnails_;
    std::vector<std::string> waiting_; ///< sections
    std::vector<std::string> links_;   ///< of the index, from the page's name on
    std::size_t queries_ = 0;
    std::size_t bytes_ = 0;
    std::size_t shown_ = 0;
};

ResultsPage::ResultsPage(PageFiles &files, const ResultsPageOptions &options, Observer &observer)
    : impl_(std::make_unique<Impl>(files, options, observer)) {}

ResultsPage::~ResultsPage() = default;

void ResultsPage::write(const std::string &query, const std::vector<FoundImage> &found) {
    impl_->write(query, found);
}

void ResultsPage::finish() {
    impl_->finish();
}

} // namespace bowhist
