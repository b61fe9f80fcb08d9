#include <bowhist/serve/pages.hpp>

#include <bowhist/report/html.hpp>
#include <bowhist/report/look/look.hpp>
#include <bowhist/report/page.hpp>

#include <fmt/format.h>

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

} // namespace bowhist
