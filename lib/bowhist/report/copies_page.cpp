#include <bowhist/report/copies_page.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/pictures/picture.hpp>
#include <bowhist/report/copy_pair.hpp>
#include <bowhist/report/html.hpp>
#include <bowhist/report/page.hpp>
#include <bowhist/report/thumbnails.hpp>

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <span>
#include <vector>

namespace bowhist {
namespace {

constexpr int side = 400; ///< pixels
constexpr std::size_t pairs_of_a_part = 30;
constexpr std::size_t pairs_of_a_page = 300; ///< in a folder; one file has fewer

/// Copies first … last - 1 of a group, which stand together. Images first … last - 1 of those in no
/// group follow the groups.
struct Slice {
    std::size_t group = 0;
    std::size_t first = 1;
    std::size_t last = 1;
};

std::size_t pairs_of(const DuplicateGroup &group) {
    return group.images.size() - 1;
}

/// All copies, then what is in no group; a group of many has several slices.
std::vector<Slice> slices_of(const Duplicates &found) {
    std::vector<Slice> slices;
    for (std::size_t group = 0; group < found.groups.size(); ++group) {
        const std::size_t images = found.groups[group].images.size();
        for (std::size_t first = 1; first < images; first += pairs_of_a_part)
            slices.push_back({group, first, std::min(first + pairs_of_a_part, images)});
    }
    for (std::size_t first = 0; first < found.apart.size(); first += pairs_of_a_part)
        slices.push_back(
            {found.groups.size(), first, std::min(first + pairs_of_a_part, found.apart.size())});
    return slices;
}

/// Cuts them where there are `most` pairs, or more.
std::vector<std::span<const Slice>> cut(std::span<const Slice> slices, std::size_t most) {
    std::vector<std::span<const Slice>> runs;
    std::size_t begin = 0, pairs = 0;
    for (std::size_t i = 0; i < slices.size(); ++i) {
        pairs += slices[i].last - slices[i].first;
        if (pairs < most && i + 1 < slices.size()) continue;
        runs.push_back(slices.subspan(begin, i + 1 - begin));
        begin = i + 1;
        pairs = 0;
    }
    return runs;
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
        : files_(files), found_(found), observer_(observer), marks_(name_of_marks(found)) {}

    void write() {
        make_thumbnails();
        const std::vector<Slice> slices = slices_of(found_);
        pages_ = cut(slices, pairs_of_a_page);
        if (pages_.empty()) pages_.emplace_back();
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
    }

  private:
    /// The place of a page.
    struct Place {
        std::string up;     ///< URL from it to the folder of the first page
        std::string folder; ///< URL from it to the folder of further pages
        std::filesystem::path at;
    };

    /// Makes the thumbnails of all images, once each.
    void make_thumbnails() {
        std::vector<const LibraryImage *> images;
        for (const DuplicateGroup &group : found_.groups)
            for (const Duplicate &image : group.images) images.push_back(&image.image);
        for (const ApartImage &apart : found_.apart) {
            images.push_back(&apart.image);
            for (std::size_t i = 0; i < shown_with(apart); ++i) images.push_back(&apart.with[i]);
        }
        std::size_t done = 0, missing = 0;
        for (const LibraryImage *image : images) {
            const auto [known, is_new] = urls_.try_emplace(image->file());
            if (is_new) {
                known->second = url_of(*image);
                missing += known->second.empty();
            }
            observer_.progress("thumbnails", ++done, images.size());
        }
        if (missing > 0)
            observer_.warning(
                fmt::format("{} on the page could not be read", counted(missing, "picture")));
    }

    /// The URL of a thumbnail, made from the image's file; empty if it cannot be shown.
    std::string url_of(const LibraryImage &image) {
        observer_.stop_if_interrupted();
        std::string jpeg;
        try {
            jpeg = thumbnail_jpeg(image.file(), side);
        } catch (const Error &error) {
            if (error.fault != Fault::input) throw;
            return {};
        }
        return files_.has_folder() ? files_.add_thumbnail(jpeg) : data_url(jpeg);
    }

    static std::size_t shown_with(const ApartImage &apart) {
        return std::min(apart.with.size(), most_shown_with);
    }

    std::string text_of(std::size_t page, const Place &place) {
        pairs_ = 0;
        ids_.clear();
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
        const auto parts = cut(pages_[page], pairs_of_a_part);
        for (const std::span<const Slice> part : parts) {
            const bool is_first = part.data() == parts.front().data();
            if (!is_first)
                text += fmt::format("<details class=\"more\" data-holder><summary>{}</summary>\n",
                                    name_of(part));
            for (const Slice &slice : part)
                if (slice.group < found_.groups.size())
                    append_slice(text, slice, place);
                else
                    append_apart(text, slice, place);
            if (!is_first) text += "</details>\n";
        }
        text += numbers;
        text += drop_list(
            pages_.size() > 1 ? fmt::format("this page: {} of {}", page + 1, pages_.size()) : "");
        return text.append(page_end);
    }

    /// "Groups 31 to 60"
    std::string name_of(std::span<const Slice> part) const {
        const std::size_t groups = found_.groups.size();
        if (part.front().group == groups) return "More in no group";
        const bool ends_apart = part.back().group == groups;
        return fmt::format("Groups {} to {}{}", part.front().group + 1,
                           part.back().group + (ends_apart ? 0 : 1),
                           ends_apart ? ", and pictures in no group" : "");
    }

    void append_slice(std::string &text, const Slice &slice, const Place &place) {
        const DuplicateGroup &group = found_.groups[slice.group];
        const bool is_first = slice.first == 1;
        text +=
            fmt::format("<section id=\"group-{0}{1}\" data-copies=\"{0}\" data-holder><h2>Group "
                        "{0} <small>{2}{3}</small></h2>\n<p class=\"nothing-left\" "
                        "data-nothing-left hidden>Nothing of this group stays.</p>\n",
                        slice.group + 1, is_first ? "" : fmt::format("-{}", slice.first),
                        is_first ? counted(group.images.size(), "picture") : "continued",
                        group.scene ? ", photographs of the same thing" : "");
        for (std::size_t image = slice.first; image < slice.last; ++image) {
            const Duplicate &copy = group.images[image];
            const PairImage with = pair_image(group.images[copy.with], place);
            text += pair_element(
                {.row = &copy, .number = ++pairs_, .with = with, .copy = pair_image(copy, place)});
        }
        text += "</section>\n";
    }

    void append_apart(std::string &text, const Slice &slice, const Place &place) {
        text += "<section data-holder>";
        if (slice.first == 0) text += apart_heading(found_.apart.size());
        for (std::size_t i = slice.first; i < slice.last; ++i) {
            const ApartImage &row = found_.apart[i];
            ApartPicture apart{.row = &row, .picture = shown_image(row.image, place)};
            for (std::size_t with = 0; with < shown_with(row); ++with)
                apart.with.push_back(shown_image(row.with[with], place));
            text += apart_element(apart);
        }
        text += "</section>\n";
    }

    PairImage pair_image(const Duplicate &image, const Place &place) {
        PairImage pair = shown_image(image.image, place);
        pair.kept = image.kept;
        pair.spare = is_spare(image);
        return pair;
    }

    /// The first time on a page with its pixels, then with the id of their element.
    PairImage shown_image(const LibraryImage &image, const Place &place) {
        const std::string &url = urls_.at(image.file());
        const auto [known, is_new] = ids_.try_emplace(image.file(), ids_.size() + 1);
        PairImage pair{.image = &image,
                       .id = fmt::format("image-{}", known->second),
                       .link = link_to(place.at, image.file()),
                       .is_there = !url.empty()};
        const bool is_inside = url.starts_with("data:");
        if (is_new) pair.url = is_inside || url.empty() ? url : place.folder + url;
        return pair;
    }

    PageFiles &files_;
    const Duplicates &found_;
    Observer &observer_;
    std::string marks_;
    std::map<std::string, std::string> urls_ = {}; ///< of each file's pixels
    std::vector<std::span<const Slice>> pages_ = {};
    std::map<std::string, std::size_t> ids_ = {}; ///< of files on the page that is made
    std::size_t pairs_ = 0;                       ///< of it
};

} // namespace

void write_copies_page(PageFiles &files, const Duplicates &found, Observer &observer) {
    std::size_t pairs = found.apart.size();
    for (const DuplicateGroup &group : found.groups) pairs += pairs_of(group);
    if (pairs > most_pairs_inside) files.use_folder();
    CopiesPage(files, found, observer).write();
}

} // namespace bowhist
