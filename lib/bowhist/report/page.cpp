#include <bowhist/report/page.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/pictures/picture.hpp>
#include <bowhist/report/html.hpp>

#include <fmt/format.h>

namespace bowhist {
namespace {

constexpr int thumbnail_side = 160; // pixels: some twenty on a screen, a few kilobytes each

constexpr std::string_view before_title = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
)";

constexpr std::string_view style = R"(<style>
:root { color-scheme: light dark; font: 15px/1.4 system-ui, sans-serif; }
body { margin: 2rem; }
nav { display: flex; flex-wrap: wrap; gap: .2rem .8rem; }
section { margin: 2rem 0; }
h2 { font-size: 1.1rem; border-bottom: 1px solid #8886; padding-bottom: .3rem; }
h2 small { font-weight: normal; opacity: .7; }
.sheet { display: flex; flex-wrap: wrap; align-items: start; gap: .6rem; }
figure { margin: 0; width: 160px; }
figure img, .missing { width: 160px; height: 160px; object-fit: contain; background: #8882;
  border-radius: 4px; }
.missing { display: flex; align-items: center; justify-content: center; opacity: .7; }
figcaption { font-size: .72rem; overflow-wrap: anywhere; white-space: pre-wrap; opacity: .8;
  -webkit-user-select: all; user-select: all; }
</style>
</head>
<body>
)";

std::filesystem::path whole(const std::filesystem::path &path) {
    std::error_code unknown; // where the working directory is gone: a link that leads nowhere
    return std::filesystem::absolute(path, unknown).lexically_normal();
}

/// By their names, as browsers go: links between folders are not followed.
std::string way(const std::filesystem::path &folder, const std::string &image) {
    return whole(image).lexically_relative(folder).native();
}

} // namespace

std::string page_head(std::string_view title) {
    return fmt::format("{}<title>{}</title>\n{}", before_title, html_escape(title), style);
}

Thumbnails::Thumbnails(const std::filesystem::path &page, Observer &observer)
    : folder_(whole(page).parent_path()), observer_(observer) {}

std::string Thumbnails::make(const std::string &image) {
    try {
        return show(image, thumbnail_jpeg(image, thumbnail_side));
    } catch (const Error &error) {
        if (missing_++ == 0) observer_.warning(fmt::format("no thumbnail: {}", error.what()));
        return R"(<div class="missing">no picture</div>)";
    }
}

std::string Thumbnails::show(const std::string &image, std::string_view jpeg) const {
    return fmt::format(
        R"(<a href="{}"><img loading="lazy" alt="{}" src="data:image/jpeg;base64,{}"></a>)",
        url_escape(way(folder_, image)), html_escape(image), base64(jpeg));
}

void Thumbnails::report_missing(std::size_t images) {
    if (missing_ > 1)
        observer_.warning(
            fmt::format("{} of {} pictures have no thumbnail; run where their paths "
                        "lead to them (an .npy holds none: give .npz, .csv or .jsonl)",
                        missing_, images));
}

} // namespace bowhist
