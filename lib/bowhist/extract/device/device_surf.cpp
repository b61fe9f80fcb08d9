#include <bowhist/core/round_up.hpp>
#include <bowhist/extract/device/device_surf.hpp>
#include <bowhist/extract/device/parts.hpp>
#include <bowhist/ops/image_batch.hpp>
#include <bowhist/ops/scan.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace bowhist {
namespace {

constexpr std::size_t dimensions = CELLS * CELLS * CHANNELS;
constexpr std::size_t words_per_group = SURF_GROUP / 32;
constexpr std::size_t describing_groups = 8192; ///< more than any device has at work at a time

std::size_t area(int width, int height) {
    return static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
}

} // namespace

/// The parts of a launch, and where the device finds them.
struct DeviceSurf::Plan {
    std::vector<SurfPicture> pictures;
    std::vector<SurfPlane> planes;
    std::vector<SurfSearch> searches;
    Parts sums;        ///< of each picture
    Parts rows;        ///< of each picture
    Parts columns;     ///< of each picture: groups
    Parts responses;   ///< of each plane
    Parts groups;      ///< of each plane
    Parts find_groups; ///< of each search
    Buffer<SurfPicture> its_pictures = {};
    Buffer<SurfPlane> its_planes = {};
    Buffer<SurfSearch> its_searches = {};
    Buffer<cl_uint> first_rows = {};
    Buffer<cl_uint> first_columns = {};
    Buffer<cl_uint> first_groups = {};
    Buffer<cl_uint> first_find_groups = {};

    void add(const SurfPicture &picture, const SurfOctave &layers) {
        const int columns_of_layer = layers.front().samples(picture.width);
        const int rows_of_layer = layers.front().samples(picture.height);
        const std::size_t size = area(columns_of_layer, rows_of_layer);
        const auto image = static_cast<cl_uint>(pictures.size() - 1);
        const std::size_t first_plane = responses.total;
        for (const SurfLayer &layer : layers) {
            planes.push_back({picture, as_uint(responses.total), columns_of_layer, rows_of_layer,
                              layer.first(), layer.step, layer.lobe, layer.unit()});
            responses.add(size);
            groups.add(divided_up(size, SURF_GROUP));
        }
        for (std::size_t i = 1; i + 1 < layers.size(); ++i) {
            const SurfLayer &largest = layers[i + 1];
            const int first = largest.first() + 1;
            const int width = std::max(0, largest.end(picture.width) - 1 - first);
            const int height = std::max(0, largest.end(picture.height) - 1 - first);
            if (width == 0 || height == 0) continue;
            searches.push_back({as_uint(first_plane + (i - 1) * size), as_uint(size),
                                columns_of_layer, first, width, height, layers[i].step,
                                layers[i].lobe, layers[i].lobe_step, image});
            find_groups.add(divided_up(area(width, height), SURF_GROUP));
        }
    }
};

DeviceSurf::DeviceSurf(std::shared_ptr<Device> device, const Recipe &recipe)
    : device_(std::move(device)), recipe_(recipe), octaves_(surf_octaves(recipe)),
      sum_rows_(device_->kernel("surf_integral.cl", "sum_rows")),
      sum_columns_(device_->kernel("surf_integral.cl", "sum_columns")),
      respond_(device_->kernel("surf_respond.cl", "respond")),
      find_(device_->kernel("surf_find.cl", "find")),
      place_(device_->kernel("surf_find.cl", "place")),
      describe_(device_->kernel(
          "surf_describe.cl", "describe",
          fmt::format("-DTAPS={} -DUPRIGHT={}", surf_cells(recipe).taps, recipe.upright ? 1 : 0))),
      weights_(uploaded<cl_float>(*device_, surf_cells(recipe).weights)) {
    const SurfCircle circle = surf_circle();
    circle_x_ = uploaded<cl_int>(*device_, circle.x);
    circle_y_ = uploaded<cl_int>(*device_, circle.y);
    circle_weights_ = uploaded<cl_float>(*device_, circle.weights);
    found_.dimensions = dimensions;
    found_.count = device_->allocate<cl_uint>(1);
}

/// The responses are the largest buffer: of all octaves a third more than of the finest.
std::size_t DeviceSurf::most_pixels() const {
    const std::size_t bytes = octaves_.front().size() * sizeof(cl_float) * 3 / 2;
    return std::min<std::uint64_t>(device_->limits().allocation_bytes, std::uint64_t{1} << 32) /
           bytes;
}

DeviceSurf::Plan DeviceSurf::plan(const std::vector<LaunchPicture> &pictures) const {
    Plan plan;
    for (const LaunchPicture &picture : pictures) {
        plan.pictures.push_back(
            {picture.pixels, as_uint(plan.sums.total), picture.width, picture.height});
        plan.sums.add(area(picture.width + 1, picture.height + 1));
        plan.rows.add(static_cast<std::size_t>(picture.height));
        plan.columns.add(divided_up(static_cast<std::size_t>(picture.width) + 1, SURF_GROUP));
        for (const SurfOctave &layers : octaves_) plan.add(plan.pictures.back(), layers);
    }
    plan.its_pictures = uploaded(*device_, plan.pictures);
    plan.its_planes = uploaded(*device_, plan.planes);
    plan.its_searches = uploaded(*device_, plan.searches);
    plan.first_rows = uploaded(*device_, plan.rows.firsts);
    plan.first_columns = uploaded(*device_, plan.columns.firsts);
    plan.first_groups = uploaded(*device_, plan.groups.firsts);
    plan.first_find_groups = uploaded(*device_, plan.find_groups.firsts);
    return plan;
}

const DeviceDescriptors &DeviceSurf::extract(const DevicePictures &pictures) {
    const Plan plan = this->plan(pictures.pictures);
    device_->fill<cl_uint>(found_.count, 0, 1);
    all_words_ = plan.find_groups.total * words_per_group;
    if (all_words_ == 0) {
        found_.capacity = 0;
        return found_;
    }
    constexpr std::size_t pixels_per_keypoint = 128; // twice as many as a threshold of 100 finds
    const std::size_t room = pictures.pixels.size / pixels_per_keypoint + 256;
    found_.capacity = std::max(room, std::exchange(wanted_, 0));
    reserve(*device_, found_.values, found_.capacity * dimensions);
    reserve(*device_, found_.image, found_.capacity);
    reserve(*device_, keypoints_, found_.capacity);
    integrate(plan, pictures.pixels);
    find(plan);
    device_->launch(describe_,
                    {std::min(found_.capacity, describing_groups) * SURF_DESCRIBE_GROUP, 1},
                    {SURF_DESCRIBE_GROUP, 1}, sums_, plan.its_pictures, keypoints_, found_.count,
                    weights_, circle_x_, circle_y_, circle_weights_, found_.values);
    return found_;
}

bool DeviceSurf::wants_room() {
    if (all_words_ == 0) return false;
    cl_uint all = 0;
    device_->download(std::span(&all, 1), places_, all_words_);
    if (all <= found_.capacity) return false;
    wanted_ = all;
    return true;
}

void DeviceSurf::integrate(const Plan &plan, const Buffer<cl_uchar> &pixels) {
    reserve(*device_, sums_, plan.sums.total);
    const auto count = as_uint(plan.pictures.size());
    device_->launch(sum_rows_, {plan.rows.total * SURF_GROUP, 1}, {SURF_GROUP, 1}, pixels,
                    plan.its_pictures, plan.first_rows, count, sums_);
    device_->launch(sum_columns_, {plan.columns.total * SURF_GROUP, 1}, {SURF_GROUP, 1},
                    plan.its_pictures, plan.first_columns, count, sums_);
}

/// Responses, their maxima, and these as keypoints, as many as there is room for.
void DeviceSurf::find(const Plan &plan) {
    const Range group = {SURF_GROUP, 1};
    reserve(*device_, responses_, plan.responses.total);
    device_->launch(respond_, {plan.groups.total * SURF_GROUP, 1}, group, sums_, plan.its_planes,
                    plan.first_groups, as_uint(plan.planes.size()), responses_);
    reserve(*device_, words_, all_words_);
    reserve(*device_, counts_, all_words_ + 1);
    reserve(*device_, places_, all_words_ + 1);
    const auto searches = as_uint(plan.searches.size());
    device_->launch(find_, {plan.find_groups.total * SURF_GROUP, 1}, group, responses_,
                    plan.its_searches, plan.first_find_groups, searches,
                    static_cast<cl_float>(recipe_.threshold), words_, counts_);
    scan(*device_, counts_, places_, all_words_ + 1, ScanKind::exclusive,
         scan_method_for(*device_));
    device_->launch(place_, {round_up(all_words_, SURF_GROUP), 1}, group, responses_,
                    plan.its_searches, plan.first_find_groups, searches, words_, places_,
                    as_uint(all_words_), as_uint(found_.capacity), keypoints_, found_.image,
                    found_.count);
}

} // namespace bowhist
