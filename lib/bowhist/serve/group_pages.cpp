// The pages of groups and words, and what the library holds.
#include <bowhist/serve/pages.hpp>

#include <bowhist/core/as_number.hpp>
#include <bowhist/core/counted.hpp>
#include <bowhist/report/group_card.hpp>
#include <bowhist/report/html.hpp>
#include <bowhist/report/look/look.hpp>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>

namespace bowhist {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t groups_a_page = 60;
constexpr std::size_t images_a_page = 100;

PageImage shown(const LibraryImage &image) {
    return {.path = image.path, .thumbnail = fmt::format("/thumbnails/{}", image.id)};
}

/// As on a page of `cluster`, which leads to pages of groups.
std::string card_of(Snapshot &snapshot, const KeptGroup &group,
                    const std::vector<std::string> &patches) {
    GroupCard card{.id = fmt::format("group-{}", group.number),
                   .title = group.title,
                   .count = counted(group.members.size(), "image")};
    std::vector<LibraryImage> images; // of which the card shows paths
    for (const KeptGroup::Member &member : group.members) {
        if (images.size() == images_of_card) break;
        if (auto image = snapshot.image(member.id)) images.push_back(std::move(*image));
    }
    for (const LibraryImage &image : images) card.images.push_back(shown(image));
    for (const std::string &patch : patches) card.patches.push_back(data_url(patch));
    const auto odd = std::ranges::count(group.members, true, &KeptGroup::Member::is_odd);
    if (odd > 0 && group.number >= 0) card.remark = fmt::format("{} odd", odd);
    return linked_card(card, fmt::format("/groups/{}", group.number));
}

} // namespace

HttpAnswer groups_page(const Served &served, const HttpRequest &request) {
    const auto snapshot = served.live.now();
    if (snapshot->groups().members.empty())
        return served_page(served, "Groups",
                           "<h1>Groups</h1>\n<p>The library keeps no groups; make some: "
                           "<code>bowhist cluster photos.bow</code></p>\n");
    const Groups::State state = served.groups.get(2s);
    if (!state.problem.empty()) return problem_page(served, 422, state.problem);
    if (!state.found) return waiting_page(served, "Groups", state.done, state.total);
    const std::vector<KeptGroup> &groups = *state.found;
    const auto patches = served.groups.patches(500ms);
    const std::size_t page = number_in(request, "page", 1, 1'000'000'000, 1);
    const std::size_t first = std::min((page - 1) * groups_a_page, groups.size());
    std::string body =
        fmt::format("<h1>{}</h1>\n<p class=\"lead\">Each card shows the most typical image of a "
                    "group and three more. The largest group comes first.</p>\n<h2 "
                    "class=\"unseen\">Groups</h2>\n<div class=\"cards\">\n",
                    counted(groups.size(), "group"));
    for (std::size_t i = first; i < std::min(first + groups_a_page, groups.size()); ++i) {
        const auto own =
            patches ? patches->find(groups[i].number) : Groups::Patches::const_iterator();
        const bool has_patches = patches && own != patches->end();
        body +=
            card_of(*snapshot, groups[i], has_patches ? own->second : std::vector<std::string>());
    }
    return served_page(served, "Groups",
                       body + "</div>\n" +
                           links_to_parts(groups.size(), groups_a_page, page, "/groups?page="));
}

HttpAnswer group_page(const Served &served, const HttpRequest &request, std::string_view number) {
    const auto snapshot = served.live.now();
    const Groups::State state = served.groups.get(2s);
    if (!state.problem.empty()) return problem_page(served, 422, state.problem);
    if (!state.found) return waiting_page(served, "Groups", state.done, state.total);
    const auto wanted = as_number<std::int32_t>(number);
    const auto group = std::ranges::find_if(
        *state.found, [&](const KeptGroup &one) { return one.number == wanted; });
    if (group == state.found->end()) throw Refusal(404, "there is no group of this number");
    const std::size_t page = number_in(request, "page", 1, 1'000'000'000, 1);
    const auto &members = group->members;
    const std::size_t first = std::min((page - 1) * images_a_page, members.size());
    std::string body =
        fmt::format("<h1><bdi>{}</bdi></h1>\n<p class=\"lead\">{}{}</p>\n<div class=\"grid\" "
                    "data-grid>\n",
                    html_escape(group->title), counted(members.size(), "image"),
                    group->number < 0 ? "" : ", the most typical first");
    for (std::size_t i = first; i < std::min(first + images_a_page, members.size()); ++i)
        if (const auto image = snapshot->image(members[i].id))
            body += linked_image(*image, "", members[i].is_odd && group->number >= 0);
    body += "</div>\n" + links_to_parts(members.size(), images_a_page, page,
                                        fmt::format("/groups/{}?page=", group->number));
    return served_page(served, group->title, body, "/groups", "All groups");
}

HttpAnswer words_page(const Served &served) {
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
                       fmt::format("<h1>What the library holds</h1>\n<p "
                                   "class=\"lead\">{}</p>\n<div class=\"wide\"><table>\n"
                                   "<tbody>\n{}</tbody></table></div>\n",
                                   html_name(served.request.library.native()), rows));
}

} // namespace bowhist
