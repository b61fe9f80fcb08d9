#include <bowhist/show/cut_patches.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/pictures/decode_raster.hpp>
#include <bowhist/pictures/jpeg/encode_jpeg.hpp>
#include <bowhist/pictures/patch.hpp>

#include <fmt/format.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <new>
#include <utility>

namespace bowhist {
namespace {

constexpr double window = 20;   ///< scales that a descriptor sees, a side
constexpr int most_side = 4096; ///< pixels of a decoded image: no patch needs more

/// Pixels a side that show the smallest of the patches in full.
int side_to_decode(std::span<const DescribedPlace> places, int side) {
    double wanted = side;
    for (const DescribedPlace &place : places) {
        const double patch = std::max(1.0, window * place.keypoint.scale);
        wanted = std::max(wanted, std::max(place.width, place.height) * side / patch);
    }
    return static_cast<int>(std::min<double>(std::ceil(wanted), most_side));
}

/// The place of a described patch in the image that was decoded to look at.
PatchPlace place_in(const Raster &image, const DescribedPlace &place) {
    const double across = double(image.width) / place.width;
    const double down = double(image.height) / place.height;
    const double cosine = std::cos(double{place.keypoint.orientation});
    const double sine = std::sin(double{place.keypoint.orientation});
    const double side = window * place.keypoint.scale;
    PatchPlace found{.x = (place.keypoint.x + 0.5) * across - 0.5,
                     .y = (place.keypoint.y + 0.5) * down - 0.5,
                     .right_x = side * cosine * across,
                     .right_y = side * sine * down,
                     .bottom_x = -side * sine * across,
                     .bottom_y = side * cosine * down};
    if (!place.mirrored) return found;
    found.x = image.width - 1 - found.x;
    found.right_x = -found.right_x;
    found.bottom_x = -found.bottom_x;
    return found;
}

/// Patches of each image together: places in `wanted`.
std::vector<std::vector<std::size_t>> by_image(std::span<const WantedPatch> wanted,
                                               std::size_t images) {
    std::vector<std::vector<std::size_t>> of_image(images);
    for (std::size_t i = 0; i < wanted.size(); ++i)
        if (wanted[i].place.width > 0) of_image.at(wanted[i].image).push_back(i);
    std::erase_if(of_image, [](const auto &some) { return some.empty(); });
    return of_image;
}

} // namespace

std::vector<std::string> cut_patches(const std::filesystem::path &file,
                                     std::span<const DescribedPlace> places, int side,
                                     ImageLimits limits) {
    limits.max_side = side_to_decode(places, side);
    limits.enlarge = false;
    limits.keep_damaged = true;
    ImageFile bytes = read_image_file(file, limits);
    const Raster image = decode_raster(bytes, file, limits, Color::bgr, nullptr);
    std::vector<std::string> patches;
    for (const DescribedPlace &place : places)
        patches.push_back(encode_jpeg(cut_patch(image, place_in(image, place), side)));
    return patches;
}

std::vector<std::string> cut_patches(const std::vector<std::string> &files,
                                     std::span<const WantedPatch> wanted, int side,
                                     const ImageLimits &limits, Observer &observer) {
    const auto images = by_image(wanted, files.size());
    std::vector<std::string> patches(wanted.size());
    std::mutex mutex; // guards what follows, and the observer
    std::size_t done = 0, missing = 0;
    const auto cut = [&](const std::vector<std::size_t> &some) {
        std::vector<DescribedPlace> places;
        for (const std::size_t i : some) places.push_back(wanted[i].place);
        auto made = cut_patches(files[wanted[some.front()].image], places, side, limits);
        for (std::size_t i = 0; i < some.size(); ++i) patches[some[i]] = std::move(made[i]);
    };
    const auto miss = [&](const std::string &why) {
        const std::lock_guard lock(mutex);
        if (missing++ == 0) observer.warning(fmt::format("no patches: {}", why));
    };
    tbb::parallel_for(std::size_t{0}, images.size(), [&](std::size_t i) {
        observer.stop_if_interrupted();
        try {
            // isolated: in a decoder that waits for loops of TBB's, a thread could take up another
            // image, and wait for the room that its first one holds
            tbb::this_task_arena::isolate([&] { cut(images[i]); });
        } catch (const std::bad_alloc &) {
            miss("there is not enough memory for a picture");
        } catch (const Error &error) {
            if (error.fault != Fault::input) throw;
            miss(error.what());
        }
        const std::lock_guard lock(mutex);
        observer.progress("patches", ++done, images.size());
    });
    if (missing > 1)
        observer.warning(
            fmt::format("{} could not be read for patches", counted(missing, "picture")));
    return patches;
}

} // namespace bowhist
