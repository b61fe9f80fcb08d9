// The pages of groups and words, and what the library holds.
#include <bowhist/serve/pages.hpp>

#include <bowhist/core/as_number.hpp>
#include <bowhist/core/counted.hpp>
#include <bowhist/report/html.hpp>
#include <bowhist/report/look/look.hpp>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace bowhist {
namespace {

constexpr std::size_t groups_a_page = 60;
constexpr std::size_t images_a_page = 100;
constexpr std::size_t images_a_card = 4;

using Members = std::map<std::int32_t, std::vector<std::int64_t>>;

Members members_of(const LibraryGroups &groups) {
    Members members;
    for (const auto &[image, group] : groups.members) members[group].push_back(image);
    return members;
}

/// Markup.
std::string name_of(const LibraryGroups &groups, std::int32_t group) {
    if (group < 0) return "Fit nowhere";
    const auto name = groups.names.find(group);
    const bool has_name = name != groups.names.end() && !name->second.empty();
    return has_name ? fmt::format("<bdi>{}</bdi>", html_escape(name->second))
                    : fmt::format("Group {}", group);
}

std::string card_of(Snapshot &snapshot, std::int32_t group,
                    const std::vector<std::int64_t> &images) {
    std::string mosaic;
    std::size_t shown = 0;
    for (const std::int64_t id : images) {
        if (shown == images_a_card) break;
        const auto image = snapshot.image(id); // those that are gone stay in their groups
        if (!image) continue;
        ++shown;
        mosaic += fmt::format("<img loading=\"lazy\" alt=\"\" src=\"/thumbnails/{}\">", id);
    }
    return fmt::format("<article class=\"card\" data-item><a href=\"/groups/{}\" data-card><span "
                       "class=\"mosaic\">{}</span><span class=\"text\"><span class=\"name\">"
                       "<strong>{}</strong> <small>{}</small></span></span></a></article>\n",
                       group, mosaic, name_of(snapshot.groups(), group),
                       counted(images.size(), "image"));
}

} // namespace

HttpAnswer groups_page(const Served &served, const HttpRequest &request) {
    const auto snapshot = served.live.now();
    const Members members = members_of(snapshot->groups());
    if (members.empty())
        return served_page(served, "Groups",
                           "<h1>Groups</h1>\n<p>The library keeps no groups; make some: "
                           "<code>bowhist cluster photos.bow</code></p>\n");
    std::vector<std::int32_t> order;
    for (const auto &[group, images] : members) order.push_back(group);
    std::ranges::stable_sort(order, {}, [&](std::int32_t group) {
        return std::pair(group < 0, -static_cast<std::int64_t>(members.at(group).size()));
    });
    const std::size_t page = number_in(request, "page", 1, 1'000'000'000, 1);
    const std::size_t first = std::min((page - 1) * groups_a_page, order.size());
    std::string body = fmt::format("<h1>{}</h1>\n<p class=\"lead\">The largest first.</p>\n<div "
                                   "class=\"cards\">\n",
                                   counted(order.size(), "group"));
    for (std::size_t i = first; i < std::min(first + groups_a_page, order.size()); ++i)
        body += card_of(*snapshot, order[i], members.at(order[i]));
    return served_page(served, "Groups",
                       body + "</div>\n" +
                           links_to_parts(order.size(), groups_a_page, page, "/groups?page="));
}

HttpAnswer group_page(const Served &served, const HttpRequest &request, std::string_view number) {
    const auto snapshot = served.live.now();
    const auto group = as_number<std::int32_t>(number);
    const Members members = members_of(snapshot->groups());
    const auto found = group ? members.find(*group) : members.end();
    if (found == members.end()) throw Refusal(404, "there is no group of this number");
    const std::size_t page = number_in(request, "page", 1, 1'000'000'000, 1);
    const auto &images = found->second;
    const std::size_t first = std::min((page - 1) * images_a_page, images.size());
    std::string body =
        fmt::format("<h1>{}</h1>\n<p class=\"lead\">{}</p>\n<div class=\"grid\" data-grid>\n",
                    name_of(snapshot->groups(), *group), counted(images.size(), "image"));
    for (std::size_t i = first; i < std::min(first + images_a_page, images.size()); ++i)
        if (const auto image = snapshot->image(images[i])) body += linked_image(*image, "");
    body += "</div>\n" + links_to_parts(images.size(), images_a_page, page,
                                        fmt::format("/groups/{}?page=", *group));
    return served_page(served, fmt::format("Group {}", *group), body, "/groups", "All groups");
}

HttpAnswer words_page(const Served &served) {
    using namespace std::chrono_literals;
    const Words::State state = served.words.get(2s);
    if (!state.problem.empty()) return problem_page(served, 422, state.problem);
    if (!state.found) return waiting_page(served, "Words", state.done, state.total);
    PageHead head = served_head(served.request, "");
    head.styles.insert(head.styles.end(), {&words_css, &plot_css});
    HttpAnswer answer = html_answer("", head);
    answer.shared = state.found;
    return answer;
}

HttpAnswer status_page(const Served &served) {
    const auto snapshot = served.live.now();
    const LibraryStatus &status = snapshot->status();
    std::string rows;
    const auto row = [&](const std::string &what, const std::string &value) {
        rows += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", html_escape(what),
                            html_escape(value));
    };
    row("images", std::to_string(status.images));
    row("paths", std::to_string(status.files));
    row("gone", std::to_string(status.gone));
    row("skipped", std::to_string(status.skipped));
    for (const auto &[reason, files] : status.reasons)
        row("skipped: " + reason, std::to_string(files));
    row("updated", status.updated == 0
                       ? "never"
                       : fmt::format("{:%Y-%m-%d %H:%M:%S} UTC",
                                     fmt::gmtime(static_cast<std::time_t>(status.updated))));
    row("holds", status.holds);
    for (const LibraryStatus::Root &root : status.roots)
        row(root.path.empty() ? "files that were named" : root.path,
            fmt::format("{} paths", root.files));
    for (const auto &[kind, model] : status.models)
        row(kind, fmt::format("{}, {}", model.size, model.fingerprint.substr(0, 8)));
    row("groups", std::to_string(status.groups.size()));
    row("bytes", std::to_string(status.file_bytes));
    return served_page(served, "Status",
                       fmt::format("<h1>What the library holds</h1>\n<div class=\"wide\"><table>\n"
                                   "<tbody>\n{}</tbody></table></div>\n",
                                   rows));
}

} // namespace bowhist
