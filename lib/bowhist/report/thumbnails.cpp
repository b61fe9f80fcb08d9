#include <bowhist/report/thumbnails.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/pictures/header/picture_header.hpp>
#include <bowhist/pictures/picture.hpp>
#include <bowhist/report/html.hpp>

#include <fmt/format.h>

#include <tbb/parallel_for.h>

#include <utility>

namespace bowhist {
namespace {

std::filesystem::path whole(const std::filesystem::path &path) {
    std::error_code unknown; // where the working directory is gone: a link that leads nowhere
    return std::filesystem::absolute(path, unknown).lexically_normal();
}

} // namespace

std::string link_to(const std::filesystem::path &page, const std::string &file) {
    // The link goes by names, as browsers do: symbolic links between folders are not followed.
    return url_escape(whole(file).lexically_relative(whole(page).parent_path()).native());
}

Thumbnails::Thumbnails(const std::filesystem::path &page, Observer &observer, Store store)
    : page_(page), observer_(observer), store_(std::move(store)) {}

Thumbnails::Decoded Thumbnails::decode(const std::string &path) try {
    return {.jpeg = thumbnail_jpeg(path, page_thumbnail_side)};
} catch (const Error &error) {
    if (error.fault == Fault::interrupted) throw;
    return {.reason = error.what()};
}

PageImage Thumbnails::made(const std::string &path, const Decoded &decoded) {
    if (decoded.reason.empty()) return show(path, decoded.jpeg);
    if (missing_++ == 0) observer_.warning(fmt::format("no thumbnail: {}", decoded.reason));
    return {.path = path, .link = link_to(page_, path)};
}

PageImage Thumbnails::make(const std::string &path) {
    return made(path, decode(path));
}

std::vector<PageImage> Thumbnails::make(std::span<const std::string *const> paths) {
    std::vector<Decoded> decoded(paths.size());
    tbb::parallel_for(std::size_t{0}, paths.size(),
                      [&](std::size_t i) { decoded[i] = decode(*paths[i]); });
    std::vector<PageImage> images;
    for (std::size_t i = 0; i < paths.size(); ++i) images.push_back(made(*paths[i], decoded[i]));
    return images;
}

PageImage Thumbnails::show(const std::string &path, std::string_view jpeg) const {
    const auto header = read_image_header(jpeg);
    return {.path = path,
            .link = link_to(page_, path),
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
