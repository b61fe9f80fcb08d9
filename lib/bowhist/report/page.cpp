#include <bowhist/report/page.hpp>

#include <bowhist/io/surrogate_escape.hpp>
#include <bowhist/report/html.hpp>
#include <bowhist/report/look/look.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace bowhist {
namespace {

std::string bar(const PageHead &head) {
    return fmt::format(
        "<header class=\"bar\"><nav aria-label=\"Way back\"><a class=\"back\" href=\"{}\" "
        "data-back>{} {}</a></nav><span class=\"here\"><bdi>{}</bdi></span>{}"
        "<div class=\"search\" role=\"search\" data-needs-script><input type=\"search\" "
        "data-filter "
        "aria-label=\"{}\" placeholder=\"{}\" autocomplete=\"off\" spellcheck=\"false\">"
        "<output data-found></output><kbd aria-hidden=\"true\">/</kbd></div>"
        "<button type=\"button\" data-help data-needs-script aria-label=\"Keys\">?</button>"
        "</header>\n",
        head.back.empty() ? "#main" : html_escape(head.back), head.back.empty() ? "↑" : "←",
        html_escape(head.back_text), html_name(head.title), head.tools, html_escape(head.filter),
        html_escape(head.filter));
}

} // namespace

std::string content_policy(const PageHead &head) {
    const std::string further =
        head.script.empty() ? "" : fmt::format(" 'sha256-{}'", head.script_sha256);
    std::string styles;
    for (const PageFile *style : head.styles) styles += fmt::format(" 'sha256-{}'", style->sha256);
    return fmt::format("default-src 'none'; script-src 'sha256-{}'{}; style-src 'sha256-{}'{}; "
                       "img-src data: 'self'; {}base-uri 'none'; form-action {}",
                       page_js.sha256, further, page_css.sha256, styles,
                       head.kind == PageKind::served ? "connect-src 'self'; " : "",
                       head.kind == PageKind::served ? "'self'" : "'none'");
}

std::string page_head(const PageHead &head) {
    std::string styles;
    for (const PageFile *style : head.styles)
        styles += fmt::format("<style>{}</style>\n", style->text);
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n{}\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"referrer\" content=\"{}\">\n<title>{}</title>\n"
        "<link rel=\"icon\" href=\"data:,\">\n"
        "<style>{}</style>\n{}<script>{}</script>\n{}</head>\n<body{}>\n"
        "<a class=\"skip\" href=\"#main\">Skip to the content</a>\n{}"
        "<main id=\"main\" tabindex=\"-1\">\n",
        page_mark, content_policy(head),
        head.kind == PageKind::served ? "same-origin" : "no-referrer", html_escape(head.title),
        page_css.text, styles, page_js.text,
        head.script.empty() ? "" : fmt::format("<script>{}</script>\n", head.script),
        head.marks.empty() ? "" : fmt::format(" data-marks=\"{}\"", html_escape(head.marks)),
        bar(head));
}

std::string name_of_file(std::string_view path) {
    return fmt::format("<bdi>{}</bdi>", html_name(path.substr(path.rfind('/') + 1)));
}

std::string path_attributes(std::string_view path) {
    const std::u32string text = decode_path(path);
    const bool is_text =
        std::ranges::none_of(text, [](char32_t c) { return c >= 0xDC80 && c <= 0xDCFF; });
    return fmt::format("data-path=\"{}\"{}", html_escape(path),
                       is_text ? "" : fmt::format(" data-bytes=\"{}\"", url_escape(path)));
}

std::string data_url(std::string_view jpeg) {
    return "data:image/jpeg;base64," + base64(jpeg);
}

std::string image_element(const PageImage &image, std::string_view alt) {
    if (image.thumbnail.empty()) return "<span class=\"missing\">cannot be shown</span>";
    const std::string size =
        image.width > 0 ? fmt::format(" width=\"{}\" height=\"{}\"", image.width, image.height)
                        : "";
    return fmt::format("<img loading=\"lazy\" decoding=\"async\"{} alt=\"{}\" src=\"{}\">", size,
                       html_escape(alt), html_escape(image.thumbnail));
}

std::string image_figure(const PageImage &image) {
    const std::string_view name = image.path.substr(image.path.rfind('/') + 1);
    const auto attribute = [](const char *key, const std::string &value) {
        return value.empty() ? "" : fmt::format(" {}=\"{}\"", key, html_escape(value));
    };
    return fmt::format(
        "<figure data-item{}><a href=\"{}\" data-thumb {}{}{} title=\"{}\">{}</a><figcaption>{}{}"
        "</figcaption></figure>\n",
        image.mark.empty() ? "" : " class=\"odd\"", html_escape(image.link),
        path_attributes(image.path), attribute("data-note", image.note),
        attribute("data-full", image.full), html_escape(image.path), image_element(image, name),
        image.mark.empty()
            ? ""
            : fmt::format("<span class=\"mark\">{}</span> ", html_escape(image.mark)),
        name_of_file(image.path));
}

std::string Parts::before(std::size_t i) const {
    if (i % most_ != 0) return {};
    if (i == 0) return container_ + "\n";
    return fmt::format("{}<details class=\"more\" data-holder><summary>{} {} to {}</summary>{}\n",
                       end_of(i), name_, i + 1, std::min(i + most_, items_), container_);
}

std::string Parts::end() const {
    return items_ == 0 ? "" : end_of(items_);
}

/// Closes the part that ends before item i.
std::string Parts::end_of(std::size_t i) const {
    return i <= most_ ? "</div>\n" : "</div></details>\n";
}

std::string page_file(std::string_view stem, std::size_t page) {
    return page == 0 ? fmt::format("{}.html", stem) : fmt::format("{}-{}.html", stem, page + 1);
}

std::string page_links(std::size_t pages, std::size_t here,
                       const std::function<std::string(std::size_t)> &url) {
    if (pages < 2) return {};
    constexpr std::size_t near = 3;
    std::string links = "<nav class=\"pages\" aria-label=\"Pages\">";
    for (std::size_t to = 0; to < pages; ++to) {
        const std::size_t distance = to < here ? here - to : to - here;
        if (to == 0 || to + 1 == pages || distance <= near)
            links += fmt::format("<a class=\"button\"{} href=\"{}\">{}</a>",
                                 to == here ? " aria-current=\"page\"" : "", html_escape(url(to)),
                                 to + 1);
        else if (distance == near + 1)
            links += "<span>…</span>";
    }
    return links + "</nav>\n";
}

} // namespace bowhist
