#include "app/size_forecast.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/extract/dense/dense_grid.hpp>
#include <bowhist/io/input_file.hpp>
#include <bowhist/pictures/header/picture_header.hpp>
#include <bowhist/tables/descriptors/descriptor_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>

namespace bowhist::app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t enough = 16; ///< images, to know about all

std::string readable(double bytes) {
    const char *unit = "bytes";
    for (const char *next : {"KB", "MB", "GB", "TB"}) {
        if (bytes < 1000) break;
        bytes /= 1000;
        unit = next;
    }
    return fmt::format("{:.{}f} {}", bytes, bytes < 10 ? 1 : 0, unit);
}

/// An image's size as its header has it; nothing where its first bytes do not say.
std::optional<std::pair<std::uint64_t, std::uint64_t>> size_of(const fs::path &image) {
    constexpr std::size_t beginning = 1 << 18;
    try {
        const auto header = read_image_header(InputFile(image, Fault::input).peek(beginning));
        if (!header || header->width == 0 || header->height == 0) return std::nullopt;
        return std::pair{header->width, header->height};
    } catch (const Error &) {
        return std::nullopt;
    }
}

/// The patches of an image that is shrunk, or enlarged, to the recipe's largest side.
double patches_of(const Recipe &recipe, std::uint64_t width, std::uint64_t height) {
    const double side = recipe.largest_side();
    const auto longest = static_cast<double>(std::max(width, height));
    const bool is_scaled = side > 0 && (longest > side || recipe.enlarge);
    const double scale = is_scaled ? side / longest : 1;
    const auto scaled = [&](std::uint64_t pixels) {
        constexpr double most = 1 << 20;
        return static_cast<int>(std::min(most, scale * static_cast<double>(pixels) + 1));
    };
    const int step = dense_step(recipe, scaled(width), scaled(height));
    return static_cast<double>(
        patch_count(patch_shapes(recipe), step, scaled(width), scaled(height)));
}

/// How many descriptors an image has at most; nothing where that is unknown.
std::optional<double> most_descriptors(const Recipe &recipe, const fs::path &image) {
    const auto limit = static_cast<double>(recipe.max_descriptors);
    std::optional<double> most;
    if (recipe.extractor == "dense")
        if (const auto size = size_of(image)) most = patches_of(recipe, size->first, size->second);
    if (limit > 0) most = std::min(limit, most.value_or(limit));
    return most;
}

/// Bytes of descriptors that are in a file already.
double stored_bytes(const Input &input) {
    if (const auto &collection = input.collection)
        return static_cast<double>(collection->images[input.place].rows * sizeof(float) *
                                   collection->dimensions);
    std::error_code unknown;
    const auto bytes = fs::file_size(input.path, unknown);
    return unknown ? 0 : static_cast<double>(bytes);
}

} // namespace

SizeForecast::SizeForecast(fs::path file, const InputList &list, const Recipe &recipe,
                           std::size_t dimensions, Observer &observer)
    : file_(std::move(file)), observer_(observer), inputs_(list.inputs.size()) {
    double bytes = 0;
    std::vector<const fs::path *> images;
    for (const Input &input : list.inputs) {
        if (is_descriptor_file(input.path))
            bytes += stored_bytes(input);
        else
            images.push_back(&input.path);
    }
    double descriptors = 0;
    std::size_t known = 0;
    const std::size_t apart = std::max<std::size_t>(1, images.size() / enough);
    for (std::size_t i = 0; i < images.size(); i += apart) {
        const auto most = most_descriptors(recipe, *images[i]);
        if (!most) continue;
        descriptors += *most;
        ++known;
    }
    if (!images.empty() && known == 0) return; // add() will see
    if (known > 0)
        bytes += descriptors / static_cast<double>(known) *
                 static_cast<double>(images.size() * dimensions * sizeof(float));
    announce(bytes, images.empty() ? "about" : "at most about", "");
}

void SizeForecast::add(const Descriptors &descriptors) {
    if (announced_) return;
    bytes_ += descriptors.values.size() * sizeof(float);
    if (++seen_ == enough)
        announce(static_cast<double>(bytes_) / enough * static_cast<double>(inputs_), "about",
                 ", by the first pictures");
}

void SizeForecast::announce(double bytes, const char *how_sure, const char *by) {
    constexpr double large = 64 << 20;
    announced_ = true;
    if (inputs_ == 0) return;
    std::error_code unknown;
    const fs::path folder = file_.has_parent_path() ? file_.parent_path() : ".";
    const fs::space_info disk = fs::space(folder, unknown);
    const bool has_room = unknown || bytes <= static_cast<double>(disk.available);
    const std::string line = fmt::format(
        "{} will hold {} {} ({} a picture{}){}; a smaller --max-descriptors or --max-side makes it "
        "smaller",
        file_, how_sure, readable(bytes), readable(bytes / static_cast<double>(inputs_)), by,
        has_room ? std::string()
                 : fmt::format(", and its disk has {} left",
                               readable(static_cast<double>(disk.available))));
    if (bytes < large && has_room)
        observer_.note(line);
    else
        observer_.warning(line);
}

} // namespace bowhist::app
