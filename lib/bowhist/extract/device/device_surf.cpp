#include <bowhist/core/default_floats.hpp>
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

constexpr std::size_t dimensions = PATCH_CELLS * PATCH_CELLS * PATCH_CHANNELS;
constexpr std::size_t describing_groups = 8192; ///< more than any device has at work at a time
constexpr Range group = {SURF_GROUP, 1};

/// Groups of surf_respond.cl.
std::size_t response_tiles(const SurfLevel &level, const SurfLayer &layer) {
    const int rows = level.height - 2 * layer.border();
    if (std::min(rows, level.width - 2 * layer.border()) <= 0) return 0;
    const auto lobe = static_cast<std::size_t>(layer.lobe);
    const std::size_t walks = divided_up(static_cast<std::size_t>(rows), SURF_WALK * lobe) * lobe;
    return divided_up(walks, SURF_WALKS) * static_cast<std::size_t>(words_along(level.width));
}

} // namespace

/// One octave of all images.
struct DeviceSurf::Octave {
    DeviceGreys::Layout layout = {};
    Parts pixels = {};  ///< of each image: groups
    Parts rows = {};    ///< of each image
    Parts columns = {}; ///< of each image: groups

    void add(int width, int height) {
        layout.add(width, height);
        pixels.add(divided_up(area(width, height), SURF_GROUP));
        rows.add(static_cast<std::size_t>(height));
        columns.add(divided_up(static_cast<std::size_t>(width) + 1, SURF_GROUP));
    }
    void join(Bundle &bundle) {
        layout.join(bundle);
        for (Parts *parts : {&pixels, &rows, &columns}) parts->join(bundle);
    }
};

/// The parts of a launch. The buffers are those on the device, once the bundle is sent.
struct DeviceSurf::Plan {
    std::vector<Octave> octaves;
    std::vector<SurfLevel> levels; ///< image by image, octave by octave
    std::vector<SurfPlane> planes; ///< level by level, layer by layer
    std::vector<SurfSearch> searches;
    std::size_t sums = 0;
    std::size_t responses = 0;
    std::vector<cl_uint> last_words = {}; ///< of bits, behind each image's
    Parts tiles_of_planes = {};
    Parts tiles_of_searches = {};
    Parts words_of_searches = {}; ///< of bits
    Buffer<SurfLevel> its_levels = {};
    Buffer<SurfPlane> its_planes = {};
    Buffer<SurfSearch> its_searches = {};
    Buffer<cl_uint> its_last_words = {};

    void add(const SurfLevel &level, int octave, const std::vector<SurfLayer> &layers,
             float threshold) {
        const std::size_t size = area(level.width, level.height);
        const auto number = as_uint(levels.size());
        for (std::size_t i = 1; i + 1 < layers.size(); ++i) {
            const int margin = layers[i + 1].border() + 1; // the neighbors' filters fit, too
            const int width = level.width - 2 * margin;
            const int height = level.height - 2 * margin;
            if (std::min(width, height) <= 0) continue;
            const float factor = layers[i].factor(octave);
            searches.push_back({.responses = as_uint(responses + (i - 1) * size),
                                .plane = as_uint(size),
                                .words = as_uint(words_of_searches.total),
                                .pitch = level.width,
                                .margin = margin,
                                .width = width,
                                .height = height,
                                .lobe = layers[i].lobe,
                                .factor = factor,
                                .threshold = threshold / factor,
                                .is_first = is_first_layer(octave, i) ? 1 : 0,
                                .level = number});
            const int words = words_along(width);
            tiles_of_searches.add(area(words, (height + SURF_GROUP - 1) / SURF_GROUP));
            words_of_searches.add(area(words, height));
        }
        for (const SurfLayer &layer : layers) {
            planes.push_back({.level = level,
                              .responses = as_uint(responses),
                              .lobe = layer.lobe,
                              .apart = layer.apart(),
                              .unit = layer.unit(),
                              .weight = layer.weight()});
            responses += size;
            tiles_of_planes.add(response_tiles(level, layer));
        }
        levels.push_back(level);
        sums += area(level.width + 1, level.height + 1);
    }
    void send(Bundle &bundle, Device &device) {
        bundle.add(levels, its_levels);
        bundle.add(planes, its_planes);
        bundle.add(searches, its_searches);
        bundle.add(last_words, its_last_words);
        for (Parts *parts : {&tiles_of_planes, &tiles_of_searches, &words_of_searches})
            parts->join(bundle);
        for (Octave &octave : octaves) octave.join(bundle);
        bundle.send(device);
    }
};

DeviceSurf::DeviceSurf(std::shared_ptr<Device> device, const Recipe &recipe, bool locates)
    : device_(std::move(device)), recipe_(recipe), layers_(surf_layers(recipe)), greys_(*device_),
      halve_(device_->kernel("surf_halve.cl", "halve")),
      sum_rows_(device_->kernel("surf_integral.cl", "sum_along_rows")),
      sum_columns_(device_->kernel("surf_integral.cl", "sum_down_columns")),
      respond_(device_->kernel("surf_respond.cl", "respond")),
      find_(device_->kernel("surf_find.cl", "find")), strongest_(*device_, recipe),
      spread_(*device_, recipe), place_(device_->kernel("surf_find.cl", "place")),
      refine_(device_->kernel("surf_refine.cl", "refine")),
      describe_(device_->kernel("surf_describe.cl", "describe",
                                fmt::format("-DTAPS={} -DSTEP={:.9f}f -DUPRIGHT={}",
                                            surf_cells(recipe).taps, surf_cells(recipe).step,
                                            recipe.upright ? 1 : 0))),
      weights_(uploaded<cl_float>(*device_, surf_cells(recipe).weights)),
      circle_(uploaded<cl_float>(*device_, surf_circle())) {
    if (!strongest_.is_idle()) {
        list_ = device_->kernel("surf_strongest.cl", "list");
        gather_ = device_->kernel("surf_strongest.cl", "gather");
    }
    if (!spread_.is_idle()) list_cells_ = device_->kernel("surf_strongest.cl", "list_cells");
    if (locates) locate_ = device_->kernel("surf_keypoints.cl", "locate");
    found_.dimensions = dimensions;
    found_.count = device_->allocate<cl_uint>(2);
}

/// The responses are the largest buffer: of all octaves a third more than of the finest.
std::size_t DeviceSurf::most_pixels() const {
    const std::size_t bytes = layers_.size() * sizeof(cl_float) * 3 / 2;
    return std::min<std::uint64_t>(device_->limits().allocation_bytes, std::uint64_t{1} << 32) /
           bytes;
}

DeviceSurf::Plan DeviceSurf::plan(const std::vector<LaunchImage> &images) {
    Plan plan;
    plan.octaves.resize(static_cast<std::size_t>(recipe_.octaves));
    for (std::size_t image = 0; image < images.size(); ++image) {
        int width = images[image].width;
        int height = images[image].height;
        for (int octave = 0; octave < recipe_.octaves; ++octave) {
            plan.octaves[static_cast<std::size_t>(octave)].add(width, height);
            plan.add({as_uint(plan.sums), width, height, as_uint(image)}, octave, layers_,
                     static_cast<float>(recipe_.threshold));
            width = (width + 1) / 2;
            height = (height + 1) / 2;
        }
        plan.last_words.push_back(as_uint(plan.words_of_searches.total));
    }
    plan.send(bundle_, *device_);
    return plan;
}

const DeviceDescriptors &DeviceSurf::extract(const DeviceImageList &images) {
    const DefaultFloats floats; // for factors; and OpenCL may take the caller's for its own
    const Plan plan = this->plan(images.images);
    device_->fill<cl_uint>(found_.count, 0, found_.count.size);
    if (plan.words_of_searches.total == 0) {
        found_.capacity = 0;
        return found_;
    }
    // The default threshold finds about a keypoint per 90 pixels of photographs.
    constexpr std::size_t pixels_per_keypoint = 80;
    std::size_t room = 256;
    for (const LaunchImage &image : images.images)
        room += area(image.width, image.height) / pixels_per_keypoint;
    room_ = std::max(room, wanted_);
    found_.capacity = strongest_.most_of(room_, images.images.size());
    reserve(*device_, found_.values, found_.capacity * dimensions);
    reserve(*device_, found_.bag, found_.capacity);
    reserve(*device_, keypoints_, room_);
    greys_.start(images.pixels);
    integrate(plan);
    find(plan);
    const auto groups = [](std::size_t keypoints) {
        return Range{std::min(keypoints, describing_groups) * SURF_DESCRIBE_GROUP, 1};
    };
    constexpr Range describing_group = {SURF_DESCRIBE_GROUP, 1};
    device_->launch(refine_, groups(room_), describing_group, sums_, plan.its_levels, found_.count,
                    keypoints_);
    if (!strongest_.is_idle()) keep_strongest(plan);
    const Buffer<SurfKeypoint> &keypoints = strongest_.is_idle() ? keypoints_ : kept_keypoints_;
    device_->launch(describe_, groups(found_.capacity), describing_group, sums_, plan.its_levels,
                    keypoints, found_.count, weights_, circle_, found_.values, found_.bag);
    if (locate_) {
        reserve(*device_, found_.keypoints, found_.capacity);
        device_->launch(*locate_, {found_.capacity, 1}, group, keypoints, found_.count,
                        as_uint(plan.octaves.size()), found_.keypoints);
    }
    return found_;
}

void DeviceSurf::make_room(std::size_t wanted) {
    wanted_ = std::max(wanted_, wanted + wanted / 4); // the next images may have more
}

/// The octaves' images as sums, one octave after another.
void DeviceSurf::integrate(const Plan &plan) {
    const auto octaves = as_uint(plan.octaves.size());
    reserve(*device_, sums_, plan.sums);
    for (cl_uint number = 0; number < octaves; ++number) {
        const Octave &octave = plan.octaves[number];
        if (number > 0) {
            device_->launch(halve_, {octave.pixels.total * SURF_GROUP, 1}, group, greys_.greys(),
                            greys_.scratch(), plan.octaves[number - 1].layout.there,
                            octave.layout.there, octave.pixels.there, octave.pixels.count());
            greys_.replace();
        }
        for (int round = 0; round < (number == 0 ? first_smoothings : later_smoothings); ++round)
            greys_.smooth(*device_, octave.layout);
        device_->launch(sum_rows_, {octave.rows.total * SURF_GROUP, 1}, group, greys_.greys(),
                        octave.layout.there, octave.rows.there, octave.rows.count(),
                        plan.its_levels, octaves, number, sums_);
        device_->launch(sum_columns_, {octave.columns.total * SURF_GROUP, 1}, group,
                        octave.columns.there, octave.columns.count(), plan.its_levels, octaves,
                        number, sums_);
    }
}

/// Responses, their maxima, and these as keypoints, as many as there is room for.
void DeviceSurf::find(const Plan &plan) {
    reserve(*device_, responses_, plan.responses);
    device_->launch(respond_, {plan.tiles_of_planes.total * SURF_GROUP, 1}, group, sums_,
                    plan.its_planes, plan.tiles_of_planes.there, plan.tiles_of_planes.count(),
                    responses_);
    const std::size_t words = plan.words_of_searches.total;
    reserve(*device_, words_, words);
    reserve(*device_, counts_, words + 1);
    reserve(*device_, places_, words + 1);
    device_->launch(find_, {plan.tiles_of_searches.total * SURF_GROUP, 1}, group, responses_,
                    plan.its_searches, plan.tiles_of_searches.there, plan.tiles_of_searches.count(),
                    as_uint(words), words_, counts_);
    scan(*device_, counts_, places_, words + 1, ScanKind::exclusive, scan_method_for(*device_));
    device_->launch(place_, {words, 1}, group, responses_, plan.its_searches,
                    plan.words_of_searches.there, plan.words_of_searches.count(), words_, places_,
                    as_uint(words), as_uint(room_), keypoints_, found_.count);
}

/// Keeps each image's strongest keypoints and those that cells take, in their order.
void DeviceSurf::keep_strongest(const Plan &plan) {
    reserve(*device_, ends_, plan.last_words.size());
    const Buffer<cl_uint> ends = {ends_.memory, plan.last_words.size()};
    const auto room = as_uint(room_);
    reserve(*device_, responses_, room_);
    reserve(*device_, kept_, room_ + 1);
    reserve(*device_, kept_places_, room_ + 1);
    reserve(*device_, kept_keypoints_, found_.capacity);
    device_->launch(list_, {std::max(room_ + 1, ends.size), 1}, group, keypoints_, found_.count,
                    room, places_, plan.its_last_words, as_uint(ends.size), ends, responses_,
                    kept_);
    strongest_.keep(*device_, responses_, ends, kept_);
    if (!spread_.is_idle()) {
        reserve(*device_, cells_, room_);
        device_->launch(list_cells_, {room_, 1}, group, keypoints_, found_.count, plan.its_levels,
                        as_uint(plan.octaves.size()), spread_.side(), cells_);
        spread_.keep(*device_, responses_, cells_, ends, kept_);
    }
    scan(*device_, kept_, kept_places_, room_ + 1, ScanKind::exclusive, scan_method_for(*device_));
    device_->launch(gather_, {room_, 1}, group, keypoints_, kept_, kept_places_, room,
                    kept_keypoints_, found_.count);
}

} // namespace bowhist
