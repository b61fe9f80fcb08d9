#include <bowhist/report/contact_sheet.hpp>

#include <bowhist/core/printable.hpp>
#include <bowhist/group/agreement.hpp>
#include <bowhist/report/group_card.hpp>
#include <bowhist/report/html.hpp>
#include <bowhist/report/page.hpp>
#include <bowhist/report/thumbnails.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <span>
#include <string>

namespace bowhist {
namespace {

constexpr std::size_t most_columns = 50; ///< labels beside groups

/// The labels that a table shows, ascending: the most frequent, of equal ones the first.
std::vector<std::size_t> columns_of(const Agreement &agreement) {
    std::vector<std::size_t> images(agreement.labels.size(), 0);
    for (const auto &row : agreement.counts)
        for (const LabelCount &one : row) images[one.label] += one.images;
    std::vector<std::size_t> columns(agreement.labels.size());
    std::iota(columns.begin(), columns.end(), std::size_t{0});
    std::ranges::stable_sort(columns, std::ranges::greater{},
                             [&](std::size_t label) { return images[label]; });
    columns.resize(std::min(columns.size(), most_columns));
    std::ranges::sort(columns);
    return columns;
}

std::size_t most_of(const std::vector<LabelCount> &row) {
    std::size_t most = 0;
    for (const LabelCount &one : row) most = std::max(most, one.images);
    return most;
}

/// A group's images of each of these labels; the most frequent one stands out.
std::string cells_of(const std::vector<LabelCount> &row, const std::vector<std::size_t> &columns) {
    std::string cells;
    const std::size_t most = most_of(row);
    auto one = row.begin();
    for (const std::size_t column : columns) {
        while (one != row.end() && one->label < column) ++one;
        const std::size_t images = one != row.end() && one->label == column ? one->images : 0;
        const char *kind = images == 0      ? " class=\"nothing\""
                           : images == most ? " class=\"most\""
                                            : "";
        cells += fmt::format("<td{}>{}</td>", kind, images);
    }
    return cells;
}

/// Groups against labels, as an HTML section that opens.
std::string agreement_table(const Agreement &agreement) {
    const std::vector<std::size_t> columns = columns_of(agreement);
    const bool all = columns.size() == agreement.labels.size();
    std::string table = fmt::format(
        "<details class=\"section\"><summary><h2>Groups and labels</h2> <small>{}: purity {:.3f}, "
        "NMI {:.3f}, ARI {:.3f}{}</small></summary>\n"
        "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Groups and labels\">"
        "<table><thead><tr><th scope=\"col\">group</th>",
        counted(agreement.labels.size(), "label"), agreement.purity, agreement.nmi, agreement.ari,
        all ? "" : fmt::format("; the {} most frequent labels:", columns.size()));
    for (const std::size_t column : columns)
        table += fmt::format("<th scope=\"col\"><bdi>{}</bdi></th>",
                             html_escape(agreement.labels[column]));
    table += "</tr></thead><tbody>\n";
    for (std::size_t row = 0; row < agreement.groups.size(); ++row)
        table += fmt::format("<tr><th scope=\"row\">{}</th>", agreement.groups[row]) +
                 cells_of(agreement.counts[row], columns) + "</tr>\n";
    return table + "</tbody></table></div></details>\n";
}

/// "dress 83 of 100", as text: the most frequent label of a group; empty of one without labels.
std::string most_frequent_label(const Agreement &agreement, std::int32_t group) {
    const auto found = std::ranges::lower_bound(agreement.groups, group);
    if (found == agreement.groups.end() || *found != group) return {};
    const auto &row = agreement.counts[static_cast<std::size_t>(found - agreement.groups.begin())];
    std::size_t images = 0;
    for (const LabelCount &one : row) images += one.images;
    const std::size_t most = most_of(row);
    const auto label = std::ranges::find(row, most, &LabelCount::images);
    return fmt::format("{} {} of {}", agreement.labels[label->label], most, images);
}

constexpr std::size_t cards_of_a_part = 100;   ///< or more, so that there are 200 parts at most
constexpr std::size_t images_of_a_part = 200;  ///< in one file
constexpr std::size_t images_of_a_page = 1000; ///< in a folder
constexpr std::size_t images_at_once = 50;     ///< are decoded; they divide a part and a page

/// A group as the page shows it: its number, or Grouping::nowhere.
struct ShownGroup {
    std::int32_t number = 0;
    std::vector<Member> members = {};
    GroupCard card = {};
};

/// "Spread 0.123. Words that set it apart: 3, 17."
std::string facts_of(const Grouping &grouping, const ShownGroup &group) {
    if (group.number < 0) return "No group is close to these.";
    const GroupSummary &summary = grouping.summaries[static_cast<std::size_t>(group.number)];
    const std::string words = summary.words.empty() ? ""
                                                    : fmt::format(" Words that set it apart: {}.",
                                                                  fmt::join(summary.words, ", "));
    return fmt::format("The most typical first. Spread {:.3f}.{}", summary.spread, words);
}

class Sheet {
  public:
    Sheet(PageFiles &files, const std::vector<std::string> &images, const Grouping &grouping,
          const Agreement *agreement, Observer &observer, const KnownImages &known)
        : files_(files), images_(images), grouping_(grouping), agreement_(agreement),
          observer_(observer), known_(known),
          thumbnails_(files.has_folder() ? files.further_page() : files.page().destination(),
                      observer, [this](std::string_view jpeg) { return url_of(jpeg); }),
          groups_(shown_groups()) {}

    void write() {
        if (!files_.has_folder()) {
            write_overview([this](ShownGroup &group) { write_open_card(group); });
        } else {
            for (ShownGroup &group : groups_) write_pages(group);
            const std::string folder = files_.finish_folder();
            write_overview([&](ShownGroup &group) {
                for (PageImage &image : group.card.images)
                    if (!image.thumbnail.empty()) image.thumbnail.insert(0, folder);
                for (std::string &patch : group.card.patches) patch.insert(0, folder);
                files_.page().write(linked_card(group.card, folder + group.card.id + ".html"));
            });
        }
        thumbnails_.report_missing(images_.size());
    }

  private:
    std::vector<ShownGroup> shown_groups() const {
        std::vector<ShownGroup> groups;
        auto members = members_of_groups(grouping_);
        for (std::size_t i = 1; i <= members.size(); ++i) { // nowhere last
            auto &rows = members[i % members.size()];
            if (rows.empty()) continue; // its number is kept
            const auto number = static_cast<std::int32_t>(i % members.size()) - 1;
            groups.push_back({.number = number, .members = std::move(rows)});
            groups.back().card = card_of(groups.back());
        }
        return groups;
    }

    GroupCard card_of(const ShownGroup &group) const {
        GroupCard card{.count = counted(group.members.size(), "picture")};
        if (group.number < 0) {
            card.id = "nowhere";
            card.title = "Pictures that fit nowhere";
        } else {
            card.id = fmt::format("group-{}", group.number);
            card.title = title_of(grouping_, static_cast<std::size_t>(group.number));
            card.title.front() = 'G';
        }
        const auto odd = std::ranges::count(group.members, true, &Member::is_odd);
        if (agreement_ != nullptr) card.remark = most_frequent_label(*agreement_, group.number);
        if (odd > 0 && group.number >= 0)
            card.remark += fmt::format("{}{} odd", card.remark.empty() ? "" : " · ", odd);
        return card;
    }

    template <typename WriteGroup>
    void write_overview(WriteGroup write_group) {
        AtomicFile &page = files_.page();
        page.write(page_head(
            {.title = "Pictures by group",
             .filter = files_.has_folder() ? "Filter groups" : "Filter groups and pictures"}));
        page.write(fmt::format("<h1>{} in {}</h1>\n<p class=\"lead\">Each card shows the most "
                               "typical picture of a group and three more. Open it to see them "
                               "all.</p>\n",
                               counted(images_.size(), "picture"),
                               counted(grouping_.filled(), "group")));
        if (agreement_ != nullptr) page.write(agreement_table(*agreement_));
        page.write("<h2 class=\"unseen\">Groups</h2>\n");
        const Parts parts(groups_.size(), std::max(cards_of_a_part, (groups_.size() + 199) / 200),
                          "Groups", "<div class=\"cards\">");
        for (std::size_t i = 0; i < groups_.size(); ++i) {
            page.write(parts.before(i));
            write_group(groups_[i]);
        }
        page.write(parts.end());
        page.write(page_end);
    }

    /// A card, and behind it the group's images, in one file.
    void write_open_card(ShownGroup &group) {
        AtomicFile &page = files_.page();
        const Parts parts(group.members.size(), images_of_a_part, "Pictures",
                          "<div class=\"grid\" data-grid>");
        for (std::size_t first = 0; first < group.members.size(); first += images_at_once) {
            const std::vector<std::string> figures = figures_of(group, first);
            if (first == 0) {
                page.write(opening_card(group.card));
                page.write(fmt::format("<p class=\"lead\">{}</p>\n", facts_of(grouping_, group)));
            }
            for (std::size_t i = 0; i < figures.size(); ++i) {
                page.write(parts.before(first + i));
                page.write(figures[i]);
            }
        }
        page.write(parts.end());
        page.write(opening_card_end);
    }

    /// The pages of a group, in the folder.
    void write_pages(ShownGroup &group) {
        const std::size_t pages = (group.members.size() + images_of_a_page - 1) / images_of_a_page;
        const std::string back =
            fmt::format("../{}#{}", url_escape(files_.page_name()), group.card.id);
        for (std::size_t page = 0; page < pages; ++page) {
            const std::size_t first = page * images_of_a_page;
            const std::size_t last = std::min(first + images_of_a_page, group.members.size());
            std::string text = page_head({.title = group.card.title,
                                          .filter = "Filter pictures",
                                          .back = back,
                                          .back_text = "All groups"});
            text += fmt::format("<h1><bdi>{}</bdi></h1>\n<p class=\"lead\">{}. {}</p>\n",
                                html_escape(group.card.title), group.card.count,
                                facts_of(grouping_, group));
            const std::string numbers = page_links(pages, page, [&](std::size_t to) {
                return url_escape(page_file(group.card.id, to));
            });
            text += numbers + "<div class=\"grid\" data-grid>\n";
            for (std::size_t i = first; i < last; i += images_at_once)
                for (const std::string &figure : figures_of(group, i)) text += figure;
            text += "</div>\n" + numbers;
            files_.add_page(page_file(group.card.id, page), text.append(page_end));
        }
    }

    /// Figures of up to images_at_once members; the first ones go on the card, too.
    std::vector<std::string> figures_of(ShownGroup &group, std::size_t first) {
        observer_.stop_if_interrupted();
        if (first == 0) add_patches(group);
        const std::size_t last = std::min(first + images_at_once, group.members.size());
        const auto members = std::span(group.members).subspan(first, last - first);
        std::vector<PageImage> images = thumbnails(members);
        std::vector<std::string> figures;
        for (std::size_t i = 0; i < members.size(); ++i) {
            PageImage &image = images[i];
            if (group.number >= 0) image.note = fmt::format("distance {:.3f}", members[i].distance);
            if (members[i].is_odd) image.mark = group.number < 0 ? "fits nowhere" : "odd";
            figures.push_back(image_figure(image));
            if (first + i < images_of_card) group.card.images.push_back(std::move(image));
        }
        observer_.progress("thumbnails", done_ += members.size(), images_.size());
        return figures;
    }

    void add_patches(ShownGroup &group) {
        if (!known_.patches || group.number < 0) return;
        for (const std::string &jpeg : known_.patches(static_cast<std::size_t>(group.number)))
            group.card.patches.push_back(url_of(jpeg));
    }

    std::string url_of(std::string_view jpeg) {
        return files_.has_folder() ? files_.add_thumbnail(jpeg) : data_url(jpeg);
    }

    std::vector<PageImage> thumbnails(std::span<const Member> members) {
        std::vector<PageImage> images(members.size());
        std::vector<const std::string *> files;
        std::vector<std::size_t> places;
        for (std::size_t i = 0; i < members.size(); ++i) {
            const std::size_t row = members[i].row;
            const std::string &file = known_.files.empty() ? images_[row] : known_.files[row];
            const std::string jpeg = known_.thumbnail ? known_.thumbnail(row) : std::string();
            if (!jpeg.empty()) {
                images[i] = thumbnails_.show(file, jpeg);
            } else {
                files.push_back(&file);
                places.push_back(i);
            }
        }
        std::vector<PageImage> made = thumbnails_.make(files);
        for (std::size_t i = 0; i < places.size(); ++i) images[places[i]] = std::move(made[i]);
        for (std::size_t i = 0; i < members.size(); ++i) images[i].path = images_[members[i].row];
        return images;
    }

    PageFiles &files_;
    const std::vector<std::string> &images_;
    const Grouping &grouping_;
    const Agreement *agreement_;
    Observer &observer_;
    const KnownImages &known_;
    Thumbnails thumbnails_;
    std::vector<ShownGroup> groups_;
    std::size_t done_ = 0;
};

} // namespace

void write_contact_sheet(PageFiles &files, const std::vector<std::string> &images,
                         const Grouping &grouping, const Agreement *agreement, Observer &observer,
                         const KnownImages &known) {
    if (images.size() > most_images_inside) files.use_folder();
    Sheet(files, images, grouping, agreement, observer, known).write();
}

} // namespace bowhist
