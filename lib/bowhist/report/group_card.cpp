#include <bowhist/report/group_card.hpp>

#include <bowhist/report/html.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace bowhist {
namespace {

constexpr std::size_t fewest = 8; ///< images of a group that have an odd one among them

/// @param members  by rising distance
void mark_odd(std::vector<Member> &members) {
    if (members.size() < fewest) return;
    const std::size_t quarter = (members.size() - 1) / 4;
    const double lower = members[quarter].distance;
    const double upper = members[members.size() - 1 - quarter].distance;
    for (Member &member : members) // no product is added to, so that machines agree
        member.is_odd = 2 * (member.distance - upper) > 3 * (upper - lower);
}

} // namespace

std::vector<std::vector<Member>> members_of_groups(const Grouping &grouping) {
    std::vector<std::vector<Member>> groups(grouping.groups + 1);
    for (std::size_t row = 0; row < grouping.group.size(); ++row)
        groups[static_cast<std::size_t>(grouping.group[row] + 1)].push_back(
            {.row = row,
             .distance = grouping.distance[row],
             .is_odd = grouping.group[row] == Grouping::nowhere});
    for (std::size_t group = 1; group < groups.size(); ++group) {
        std::ranges::stable_sort(groups[group], {}, &Member::distance);
        mark_odd(groups[group]);
    }
    return groups;
}

namespace {

/// Images and text. The title names the card, so that only the first image has words of its own.
std::string inside(const GroupCard &card) {
    std::string text = "<span class=\"mosaic\">";
    for (const PageImage &image : card.images)
        text += image_element(image, &image == &card.images.front()
                                         ? image.path.substr(image.path.rfind('/') + 1)
                                         : "");
    text += fmt::format("</span><span class=\"text\"><span class=\"name\"><strong><bdi>{}</bdi>"
                        "</strong> <small class=\"numbers\">{}</small></span>",
                        html_escape(card.title), card.count);
    if (!card.remark.empty())
        text += fmt::format("<small><bdi>{}</bdi></small>", html_escape(card.remark));
    if (!card.patches.empty()) {
        text += "<span class=\"patches\" aria-hidden=\"true\">";
        for (const std::string &url : card.patches)
            text += fmt::format("<img loading=\"lazy\" alt=\"\" src=\"{}\">", html_escape(url));
        text += "</span>";
    }
    return text + "</span>";
}

/// The text that an overview's filter looks through if the group's other images lie elsewhere.
std::string searched(const GroupCard &card) {
    std::string text = card.title + " " + card.remark;
    for (const PageImage &image : card.images)
        text.append(" ").append(image.path.substr(image.path.rfind('/') + 1));
    return html_escape(text);
}

} // namespace

std::string linked_card(const GroupCard &card, std::string_view url) {
    return fmt::format("<div class=\"card\" id=\"{}\" data-item data-name=\"{}\"><a href=\"{}\" "
                       "data-card>{}</a></div>\n",
                       card.id, searched(card), html_escape(url), inside(card));
}

std::string opening_card(const GroupCard &card) {
    return fmt::format("<details class=\"card\" id=\"{}\" data-holder data-name=\"{}\"><summary "
                       "data-card>{}</summary><div class=\"inside\">\n",
                       card.id, html_escape(card.title), inside(card));
}

} // namespace bowhist
