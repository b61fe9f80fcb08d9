#include <bowhist/encode/device/device_preparation.hpp>

#include <bowhist/core/round_up.hpp>
#include <bowhist/device/device.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <utility>

namespace bowhist {

#include <device/launch_keypoint.h> // of cl/: the kernels read the same files
#include <encode/prepare_launch.h>

static_assert(sizeof(LaunchKeypoint) == sizeof(Keypoint) &&
              offsetof(LaunchKeypoint, response) == offsetof(Keypoint, response));

namespace {

using Kind = PreparationStep::Kind;

constexpr Range group = {256, 1};

cl_uint as_uint(std::size_t size) {
    return static_cast<cl_uint>(size);
}

std::string mirror_options(bool mirrors, Mirroring mirroring) {
    const bool columns = mirroring == Mirroring::columns;
    return fmt::format("-DMIRRORS={:d} -DACROSS={} -DDOWN={} -DTURNED={}", mirrors, columns ? 3 : 0,
                       columns ? 0 : 3, columns ? 0 : 2);
}

} // namespace

/// Rows of `size` floats, each `pitch` floats behind the one before.
struct DevicePreparation::Rows {
    Buffer<float> values;
    cl_uint pitch;
    cl_uint size;
};

bool can_prepare(const Device &device) {
    const Premises &premises = device.premises();
    return device.info().rounds_to_nearest && premises.rounds_to_nearest && premises.rounds_twice &&
           premises.keeps_subnormals;
}

DevicePreparation::DevicePreparation(std::shared_ptr<Device> device, const Preparation &preparation)
    : device_(std::move(device)), steps_(preparation.steps), dimensions_(preparation.dimensions),
      components_(preparation.prepared_dimensions() - appended_numbers(steps_)),
      deviation_(preparation.deviation), mirrors_(has_step(steps_, Kind::mirror)),
      lay_out_(device_->kernel("prepare_copy.cl", "lay_out",
                               mirror_options(mirrors_, preparation.mirroring))) {
    const auto place = [&](const char *entry) {
        return device_->kernel("prepare_places.cl", entry, fmt::format("-DMIRRORS={:d}", mirrors_));
    };
    if (has_step(steps_, Kind::root)) {
        measure_roots_ = device_->kernel("prepare_root.cl", "measure_roots");
        take_roots_ = device_->kernel("prepare_root.cl", "take_roots");
    }
    if (has_step(steps_, Kind::whiten)) {
        project_ = device_->kernel("prepare_project.cl", "project");
        mean_ = uploaded(*device_, preparation.mean);
        projection_ = uploaded(*device_, preparation.projection);
    }
    if (has_step(steps_, Kind::position)) position_ = place("append_position");
    if (has_step(steps_, Kind::scale)) scale_ = place("append_scale");
    if (has_step(steps_, Kind::contrast)) contrast_ = place("append_contrast");
    prepared_.dimensions = preparation.prepared_dimensions();
    prepared_.count = device_->allocate<cl_uint>(2);
}

const DeviceDescriptors &DevicePreparation::prepare(const DeviceDescriptors &x,
                                                    const std::vector<LaunchImage> &images) {
    prepared_.capacity = x.capacity * (mirrors_ ? 2 : 1);
    device_->copy(x.count, x.count.size, prepared_.count, 0);
    if (x.capacity == 0) return prepared_;
    reserve(*device_, prepared_.values, prepared_.capacity * prepared_.dimensions);
    reserve(*device_, prepared_.bag, prepared_.capacity);
    const bool projects = mean_.size > 0;
    if (projects) reserve(*device_, descriptors_, prepared_.capacity * dimensions_);
    Rows rows = {projects ? descriptors_ : prepared_.values,
                 as_uint(projects ? dimensions_ : prepared_.dimensions), as_uint(dimensions_)};
    device_->launch(lay_out_, {x.capacity * dimensions_, 1}, group, x.values, x.bag, x.count,
                    rows.size, rows.pitch, rows.values, prepared_.bag, prepared_.count);
    for (const PreparationStep &step : steps_) {
        if (step.kind == Kind::root) take_roots(rows);
        if (step.kind == Kind::whiten) rows = project(rows);
    }
    append(x, images);
    return prepared_;
}

void DevicePreparation::take_roots(const Rows &rows) {
    reserve(*device_, factors_, prepared_.capacity);
    device_->launch(measure_roots_, {prepared_.capacity, 1}, group, rows.values, rows.pitch,
                    rows.size, prepared_.count, factors_);
    device_->launch(take_roots_, {prepared_.capacity * rows.size, 1}, group, rows.values,
                    rows.pitch, rows.size, prepared_.count, factors_);
}

DevicePreparation::Rows DevicePreparation::project(const Rows &rows) {
    const Rows projected = {prepared_.values, as_uint(prepared_.dimensions), as_uint(components_)};
    const std::size_t blocks = divided_up(prepared_.capacity, PROJECT_ROWS);
    device_->launch(project_, {blocks * components_, 1}, group, rows.values, rows.size, mean_,
                    projection_, projected.size, prepared_.count, projected.pitch,
                    projected.values);
    return projected;
}

void DevicePreparation::append(const DeviceDescriptors &x, const std::vector<LaunchImage> &images) {
    if (has_step(steps_, Kind::position)) {
        bundle_.add(images, images_);
        bundle_.send(*device_);
    }
    const auto pitch = as_uint(prepared_.dimensions);
    std::size_t column = components_;
    for (const PreparationStep &step : steps_) {
        if (step.appended() == 0) continue;
        const auto unit = static_cast<float>(step.weight * deviation_);
        if (step.kind == Kind::position)
            device_->launch(position_, {x.capacity, 1}, group, x.keypoints, x.bag, images_, x.count,
                            prepared_.values, pitch, as_uint(column), unit);
        else
            device_->launch(step.kind == Kind::scale ? scale_ : contrast_, {x.capacity, 1}, group,
                            x.keypoints, x.count, prepared_.values, pitch, as_uint(column), unit);
        column += step.appended();
    }
}

} // namespace bowhist
