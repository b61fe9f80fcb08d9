#include <bowhist/serve/pages.hpp>

#include <bowhist/core/as_number.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/library/file_places.hpp>
#include <bowhist/report/group_card.hpp>
#include <bowhist/report/html.hpp>
#include <bowhist/report/look/look.hpp>
#include <bowhist/report/page.hpp>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>

namespace bowhist {

PageHead served_head(const ServeRequest &request, const std::string &title) {
    return {.title = title + " · " + request.library.filename().native(),
            .kind = PageKind::served,
            .filter = "Filter this page",
            .back = "/",
            .back_text = "All images",
            .tools = "<nav class=\"serve\" aria-label=\"Pages\"><a href=\"/\">Search</a> <a "
                     "href=\"/groups\">Groups</a> <a href=\"/duplicates\">Duplicates</a> <a "
                     "href=\"/words\">Words</a> <a href=\"/status\">Status</a></nav>",
            .script = serve_js.text,
            .script_sha256 = serve_js.sha256,
            .styles = {&serve_css}};
}

HttpAnswer html_answer(std::string page, const PageHead &head) {
    return {.type = "text/html; charset=utf-8",
            .body = std::move(page),
            .headers = {
                {"Content-Security-Policy", content_policy(head) + "; frame-ancestors 'none'"}}};
}

HttpAnswer served_page(const Served &served, const std::string &title, const std::string &body,
                       const std::string &back, const std::string &back_text) {
    PageHead head = served_head(served.request, title);
    head.back = back;
    head.back_text = back_text;
    return html_answer(page_head(head) + body + std::string(page_end), head);
}

HttpAnswer waiting_page(const Served &served, const std::string &what, std::size_t done,
                        std::size_t total) {
    HttpAnswer answer =
        served_page(served, what,
                    fmt::format("<h1>{} are being looked for</h1>\n<p class=\"lead\">{} of {} are "
                                "done. The page reloads "
                                "by itself.</p>\n",
                                what, done, total));
    answer.headers.emplace_back("Refresh", "2");
    return answer;
}

std::string linked_image(const LibraryImage &image, const std::string &note, bool is_odd) {
    return fmt::format(
        "<figure data-item data-name=\"{0}\"{5}><a href=\"/images/{1}\" data-card title=\"{0}\">"
        "<img loading=\"lazy\" decoding=\"async\" width=\"{7}\" height=\"{8}\" alt=\"{2}\" "
        "src=\"/thumbnails/{1}\"></a>"
        "<figcaption>{6}{3}{4}</figcaption></figure>\n",
        html_escape(image.path), image.id,
        html_escape(std::string_view(image.path).substr(image.path.rfind('/') + 1)),
        note.empty() ? "" : html_escape(note) + " ", name_of_file(image.path),
        is_odd ? " class=\"odd\"" : "", is_odd ? "<span class=\"mark\">odd</span> " : "",
        image.width, image.height);
}

std::string search_form() {
    return "<form class=\"drop\" method=\"post\" action=\"/search\" "
           "enctype=\"multipart/form-data\" data-drop><label>Drop an image here, paste one, or "
           "choose a file: <input type=\"file\" name=\"image\" accept=\"image/*\" "
           "required></label><button>Search</button><output></output></form>\n";
}

std::string links_to_parts(std::size_t items, std::size_t each, std::size_t part,
                           const std::string &link) {
    return page_links((items + each - 1) / each, part - 1,
                      [&](std::size_t to) { return fmt::format("{}{}", link, to + 1); });
}

HttpAnswer problem_page(const Served &served, int status, const std::string &reason) {
    const std::string what = status == 503 ? "Not now" : "No answer";
    std::string sentence = reason; // messages begin with a small letter
    if (!sentence.empty() && sentence[0] >= 'a' && sentence[0] <= 'z') sentence[0] ^= 32;
    HttpAnswer answer =
        served_page(served, what,
                    fmt::format("<h1>{}</h1>\n<p class=\"lead\" role=\"alert\">{}.</p>\n", what,
                                html_escape(sentence)));
    answer.status = status;
    return answer;
}

// The pages of images: all of them, one, and what is like it.
namespace {

using namespace std::chrono_literals;

constexpr std::size_t images_a_page = 100;
constexpr std::size_t most_neighbors = 60;

/// Results, without the image itself.
std::string grid_of(const std::vector<SharedImage> &found, std::int64_t itself = 0) {
    std::string grid = "<div class=\"grid\" data-grid>\n";
    for (const SharedImage &one : found)
        if (one.image.id != itself)
            grid += linked_image(one.image, fmt::format("{:.3f}", one.score));
    return grid + "</div>\n";
}

/// The image, large, on which a part can be drawn.
std::string view_of(const LibraryImage &image, const std::optional<ImageRegion> &part) {
    const std::string outline =
        part
            ? fmt::format("<svg viewBox=\"0 0 {} {}\" aria-hidden=\"true\"><rect x=\"{}\" y=\"{}\" "
                          "width=\"{}\" height=\"{}\"/></svg>",
                          image.width, image.height, part->x, part->y, part->width, part->height)
            : "";
    return fmt::format("<div class=\"view\" data-region data-width=\"{0}\" data-height=\"{1}\" "
                       "data-link=\"/images/{2}\"><img width=\"{0}\" height=\"{1}\" alt=\"{3}\" "
                       "src=\"/views/{2}\">{4}</div>\n",
                       image.width, image.height, image.id, html_escape(image.path), outline) +
           (shows_its_row(image) ? ""
                                 : "<p>The file is not what was indexed: its thumbnail is shown. "
                                   "<code>bowhist index</code> reads it again.</p>\n");
}

/// A path that breaks behind slashes first.
std::string breakable(std::string_view path) {
    std::string text;
    for (const char c : html_name(path)) (text += c) += c == '/' ? "<wbr>" : "";
    return text;
}

std::string facts_of(const LibraryImage &image, const LibraryGroups &groups) {
    std::string facts =
        fmt::format("{} × {}, {} bytes", image.width, image.height, image.stamp.size);
    if (image.captured) { // a space for the T, and no break at hyphens
        for (const char c : ", " + html_escape(*image.captured))
            facts += c == 'T' ? " " : c == '-' ? "\u2011" : std::string(1, c);
    }
    const auto group = groups.members.find(image.id);
    if (group != groups.members.end() && group->second >= 0)
        facts += fmt::format(", <a href=\"/groups/{0}\">group {0}</a>", group->second);
    return facts;
}

} // namespace

HttpAnswer first_page(const Served &served, const HttpRequest &request) {
    const auto snapshot = served.live.now();
    const std::size_t count = snapshot->status().images;
    const std::size_t page = number_in(request, "page", 1, 1'000'000'000, 1);
    std::string body = fmt::format(
        "<h1>{}</h1>\n<p class=\"lead\">{} can be searched.</p>\n{}<h2>All images</h2>\n"
        "<div class=\"grid\" data-grid>\n",
        html_escape(served.request.library.filename().native()), counted(count, "image"),
        search_form());
    for (const LibraryImage &image : snapshot->images((page - 1) * images_a_page, images_a_page))
        body += linked_image(image, "");
    body += "</div>\n" + links_to_parts(count, images_a_page, page, "/?page=");
    return served_page(served, "Search", body);
}

HttpAnswer sent_page(const Served &served, const HttpRequest &request) {
    const auto snapshot = served.live.now();
    const auto found = images_like(served, *snapshot, sent_image(request), {most_neighbors});
    return served_page(
        served, "Results",
        "<h1>Most like the image that was sent</h1>\n<p class=\"lead\">The number is "
        "the score, from 0 to 1.</p>\n" +
            grid_of(found) + search_form());
}

HttpAnswer image_page(const Served &served, const HttpRequest &request, std::string_view id) {
    const auto snapshot = served.live.now();
    const LibraryImage image = image_of(*snapshot, id);
    const auto part = region_in(request);
    Copies::State copies; // only with their switch
    if (number_in(request, "distinct", 0, 1, 0) == 1) {
        copies = served.copies.get(2s);
        if (!copies.problem.empty()) return problem_page(served, 422, copies.problem);
        if (!copies.found) return waiting_page(served, "Copies", copies.done, copies.total);
    }
    std::string neighbors;
    try {
        const auto found =
            images_like(served, *snapshot, image, {most_neighbors + 1, part, copies.found});
        neighbors = grid_of(found, part ? 0 : image.id);
    } catch (const Error &error) { // its file is gone, or has no keypoints
        neighbors = fmt::format("<p>{}</p>\n", html_escape(error.what()));
    }
    const std::string asked =
        part ? fmt::format("{},{},{},{}", part->x, part->y, part->width, part->height) : "";
    const std::string body = fmt::format(
        "<h1>{}</h1>\n<p class=\"lead\">{}</p>\n{}<form action=\"/images/{}\"><p><label>Search for "
        "a part: draw it on the image, or give X,Y,W,H in pixels: <input name=\"region\" "
        "value=\"{}\" pattern=\"[0-9]+,[0-9]+,[0-9]+,[0-9]+\"></label> "
        "<label><input type=\"checkbox\" name=\"distinct\" value=\"1\"{}> one of each group of "
        "copies</label> <button>Search</button></p></form>\n<h2>Most like {}</h2>\n{}",
        breakable(image.path), facts_of(image, snapshot->groups()), view_of(image, part), image.id,
        asked, copies.found ? " checked" : "", part ? "this part" : "it", neighbors);
    const std::string name = image.path.substr(image.path.rfind('/') + 1);
    return part ? served_page(served, name, body, fmt::format("/images/{}", image.id),
                              "The whole image")
                : served_page(served, name, body);
}

// The pages of groups and words, and what the library holds.
namespace {

constexpr std::size_t groups_a_page = 60;

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

namespace {

/// The files that are skipped, each with its reason.
std::string table_of_skips(const Snapshot &snapshot) {
    const std::size_t all = snapshot.status().skipped;
    if (all == 0) return {};
    std::string rows;
    for (const SkippedFile &skip : snapshot.skips())
        rows += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", html_name(skip.path),
                            html_escape(skip.reason));
    const std::string others =
        all > Snapshot::most_skips
            ? fmt::format("<p>The first {} of {}; bowhist status -v names all.</p>\n",
                          Snapshot::most_skips, all)
            : "";
    return fmt::format("<h2>Skipped files</h2>\n<div class=\"wide\"><table>\n<tbody>\n{}"
                       "</tbody></table></div>\n{}",
                       rows, others);
}

} // namespace

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
                                   "<tbody>\n{}</tbody></table></div>\n{}",
                                   html_name(served.request.library.native()), rows,
                                   table_of_skips(*snapshot)));
}

} // namespace bowhist
