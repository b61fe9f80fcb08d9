#include <bowhist/report/copies_page.hpp>

#include <bowhist/core/counted.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/pictures/picture.hpp>
#include <bowhist/report/copy_pair.hpp>
#include <bowhist/report/html.hpp>
#include <bowhist/report/page.hpp>
#include <bowhist/report/thumbnails.hpp>

#include <fmt/format.h>
#include <xxhash.h>

#include <filesystem>
#include <set>
#include <utility>
#include <vector>

namespace bowhist {
namespace {

constexpr int side = 480;                   ///< pixels
constexpr std::size_t pairs_of_a_part = 30; ///< about, as groups stay together
constexpr std::size_t pairs_of_a_page = 300;

/// Groups first … last - 1.
struct Range {
    std::size_t first = 0;
    std::size_t last = 0;
};

std::size_t pairs_of(const DuplicateGroup &group) {
    return group.images.size() - 1;
}

/// Cuts groups where there are `most` pairs, or more.
std::vector<Range> cut(const Duplicates &found, Range all, std::size_t most) {
    std::vector<Range> ranges;
    std::size_t pairs = most;
    for (std::size_t group = all.first; group < all.last; ++group) {
        if (pairs >= most) ranges.push_back({group, group});
        if (pairs >= most) pairs = 0;
        pairs += pairs_of(found.groups[group]);
        ranges.back().last = group + 1;
    }
    return ranges;
}

/// The name under which a page keeps its marks: another for other copies.
std::string name_of_marks(const Duplicates &found) {
    std::string paths;
    for (const DuplicateGroup &group : found.groups)
        for (const Duplicate &image : group.images) paths.append(image.image.path).push_back('\0');
    return fmt::format("bowhist-drop-{:016x}", XXH3_64bits(paths.data(), paths.size()));
}

class CopiesPage {
  public:
    CopiesPage(PageFiles &files, const Duplicates &found, Observer &observer)
        : files_(files), found_(found), observer_(observer), marks_(name_of_marks(found)) {
        for (const DuplicateGroup &group : found.groups) images_ += group.images.size();
    }

    void write() {
        for (const DuplicateGroup &group : found_.groups) {
            urls_.emplace_back();
            for (const Duplicate &image : group.images) urls_.back().push_back(url_of(image.image));
        }
        const Range all{0, found_.groups.size()};
        pages_ = files_.has_folder() ? cut(found_, all, pairs_of_a_page) : std::vector{all};
        if (pages_.empty()) pages_ = {all};
        std::string folder;
        if (files_.has_folder()) {
            for (std::size_t page = 1; page < pages_.size(); ++page)
                files_.add_page(
                    page_file("copies", page),
                    text_of(page, {.up = "../", .folder = "", .at = files_.further_page()}));
            folder = files_.finish_folder();
        }
        files_.page().write(
            text_of(0, {.up = "", .folder = folder, .at = files_.page().destination()}));
        if (missing_ > 0)
            observer_.warning(
                fmt::format("{} on the page could not be read", counted(missing_, "picture")));
    }

  private:
    /// Where a page lies.
    struct Place {
        std::string up;     ///< URL from it to the folder of the first page
        std::string folder; ///< URL from it to the folder of further pages
        std::filesystem::path at;
    };

    /// Of its pixels, from the folder; empty where they cannot be shown.
    std::string url_of(const LibraryImage &image) {
        observer_.stop_if_interrupted();
        std::string jpeg;
        try {
            jpeg = thumbnail_jpeg(image.file(), side);
        } catch (const Error &error) {
            if (error.fault != Fault::input) throw;
            ++missing_;
            return {};
        }
        observer_.progress("thumbnails", ++done_, images_);
        return files_.has_folder() ? files_.add_thumbnail(jpeg) : data_url(jpeg);
    }

    std::string text_of(std::size_t page, const Place &place) {
        pairs_ = 0;
        shown_.clear();
        std::string text =
            page_head({.title = "Copies", .filter = "Filter copies", .marks = marks_});
        text += fmt::format(
            "<h1>{} of copies among {}</h1>\n<p class=\"lead\">Each copy stands beside the picture "
            "that it is held against. The outline is what the other one shows.</p>\n",
            counted(found_.groups.size(), "group"), counted(found_.images, "picture"));
        const std::string numbers = page_links(pages_.size(), page, [&](std::size_t to) {
            return to == 0 && page == 0 ? url_escape(files_.page_name())
                   : to == 0            ? place.up + url_escape(files_.page_name())
                                        : place.folder + page_file("copies", to);
        });
        text += numbers;
        const auto parts = cut(found_, pages_[page], pairs_of_a_part);
        for (const Range &part : parts) {
            const bool is_first = &part == &parts.front();
            if (!is_first)
                text += fmt::format("<details class=\"more\" data-holder><summary>Groups {} to {}"
                                    "</summary>\n",
                                    part.first + 1, part.last);
            for (std::size_t group = part.first; group < part.last; ++group)
                append_group(text, group, place);
            if (!is_first) text += "</details>\n";
        }
        text += numbers;
        text += drop_list;
        return text.append(page_end);
    }

    void append_group(std::string &text, std::size_t number, const Place &place) {
        const DuplicateGroup &group = found_.groups[number];
        text += fmt::format("<section id=\"group-{0}\" data-copies data-holder><h2>Group {0} "
                            "<small>{1}{2}</small></h2>\n<p class=\"nothing-left\" "
                            "data-nothing-left hidden>Nothing of this group stays.</p>\n",
                            number + 1, counted(group.images.size(), "picture"),
                            group.scene ? ", photographs of the same thing" : "");
        const Parts parts(pairs_of(group), pairs_of_a_part, "Pairs", "<div>");
        for (std::size_t image = 1; image < group.images.size(); ++image) {
            text += parts.before(image - 1);
            text += pair_element({.number = ++pairs_,
                                  .with = pair_image(number, group.images[image].with, place),
                                  .copy = pair_image(number, image, place)});
        }
        text += parts.end() + "</section>\n";
    }

    PairImage pair_image(std::size_t group, std::size_t image, const Place &place) {
        const Duplicate &shown = found_.groups[group].images[image];
        const std::string &url = urls_[group][image];
        PairImage pair{.image = &shown,
                       .id = fmt::format("image-{}-{}", group + 1, image),
                       .link = link_to(place.at, shown.image.file()),
                       .is_there = !url.empty()};
        const bool is_inside = url.starts_with("data:");
        if (shown_.insert({group, image}).second)
            pair.url = is_inside || url.empty() ? url : place.folder + url;
        return pair;
    }

    PageFiles &files_;
    const Duplicates &found_;
    Observer &observer_;
    std::string marks_;
    std::vector<std::vector<std::string>> urls_ = {}; ///< [group][image]
    std::vector<Range> pages_ = {};
    std::set<std::pair<std::size_t, std::size_t>> shown_ = {}; ///< on the page that is made
    std::size_t pairs_ = 0;                                    ///< of it
    std::size_t missing_ = 0;
    std::size_t images_ = 0;
    std::size_t done_ = 0;
};

} // namespace

void write_copies_page(PageFiles &files, const Duplicates &found, Observer &observer) {
    std::size_t pairs = 0;
    for (const DuplicateGroup &group : found.groups) pairs += pairs_of(group);
    if (pairs > most_pairs_inside) files.use_folder();
    CopiesPage(files, found, observer).write();
}

} // namespace bowhist
