#include <bowhist/report/thumbnails.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/pictures/header/picture_header.hpp>
#include <bowhist/pictures/picture.hpp>
#include <bowhist/report/html.hpp>

#include <fmt/format.h>

#include <utility>

namespace bowhist {
namespace {

std::filesystem::path whole(const std::filesystem::path &path) {
    std::error_code unknown; // where the working directory is gone: a link that leads nowhere
    return std::filesystem::absolute(path, unknown).lexically_normal();
}

/// By their names, as browsers go: links between folders are not followed.
std::string way(const std::filesystem::path &folder, const std::string &image) {
    return whole(image).lexically_relative(folder).native();
}

} // namespace

Thumbnails::Thumbnails(const std::filesystem::path &page, Observer &observer, Store store)
    : folder_(whole(page).parent_path()), observer_(observer), store_(std::move(store)) {}

PageImage Thumbnails::make(const std::string &path) {
    std::string jpeg;
    try {
        jpeg = thumbnail_jpeg(path, page_thumbnail_side);
    } catch (const Error &error) {
        if (error.fault == Fault::interrupted) throw;
        if (missing_++ == 0) observer_.warning(fmt::format("no thumbnail: {}", error.what()));
        return {.path = path, .link = url_escape(way(folder_, path))};
    }
    return show(path, jpeg);
}

PageImage Thumbnails::show(const std::string &path, std::string_view jpeg) const {
    const auto header = read_image_header(jpeg);
    return {.path = path,
            .link = url_escape(way(folder_, path)),
            .thumbnail = store_(jpeg),
            .width = header ? static_cast<int>(header->width) : 0,
            .height = header ? static_cast<int>(header->height) : 0};
}

void Thumbnails::report_missing(std::size_t images) {
    if (missing_ > 1)
        observer_.warning(
            fmt::format("{} of {} pictures have no thumbnail; run where their paths "
                        "lead to them (an .npy holds none: give .npz, .csv or .jsonl)",
                        missing_, images));
}

} // namespace bowhist
