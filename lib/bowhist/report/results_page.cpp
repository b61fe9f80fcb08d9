#include <bowhist/report/results_page.hpp>

#include <bowhist/core/counted.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/library/library.hpp>
#include <bowhist/pictures/header/picture_header.hpp>
#include <bowhist/pictures/image_views.hpp>
#include <bowhist/report/html.hpp>
#include <bowhist/report/look/look.hpp>
#include <bowhist/report/page.hpp>
#include <bowhist/report/result_figure.hpp>
#include <bowhist/report/thumbnails.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace bowhist {
namespace {

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
