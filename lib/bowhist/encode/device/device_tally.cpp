#include <bowhist/device/device.hpp>
#include <bowhist/encode/device/device_tally.hpp>

#include <fmt/format.h>

#include <utility>

namespace bowhist {
namespace {

constexpr Range group = {256, 1};

cl_uint as_uint(std::size_t size) {
    return static_cast<cl_uint>(size);
}

} // namespace

DeviceTally::DeviceTally(std::shared_ptr<Device> device, TallyShape shape)
    : device_(std::move(device)), shape_(std::move(shape)),
      add_(shape_.exponent ? device_->kernel("tally_rows.cl", "add_rows",
                                             fmt::format("-DDIMENSIONS={}", shape_.dimensions))
                           : device_->kernel("tally_rows.cl", "count_rows")) {
    if (cell_count(shape_.grids) > 1) place_ = device_->kernel("cell_bags.cl", "place_in_cells");
}

void DeviceTally::clear(Buffer<cl_uint> &tallies, std::size_t images) {
    reserve(*device_, tallies, images * shape_.size());
    device_->fill<cl_uint>(tallies, 0, images * shape_.size());
}

void DeviceTally::add(const DeviceDescriptors &x, const DeviceDescriptors &rows,
                      const Buffer<cl_int> &words, const std::vector<LaunchImage> &images,
                      const Buffer<cl_uint> &tallies) {
    if (x.capacity == 0) return;
    if (!place_) return add(rows, words, rows.bag, tallies);
    reserve(*device_, bags_, rows.capacity);
    bundle_.add(images, images_);
    bundle_.send(*device_);
    const std::size_t cells = cell_count(shape_.grids);
    std::size_t first = 0; // cell of the grid
    for (const CellGrid &grid : shape_.grids) {
        device_->launch(*place_, {x.capacity, 1}, group, x.keypoints, x.bag, images_, x.count,
                        as_uint(shape_.rows_each - 1), as_uint(grid.across), as_uint(grid.down),
                        as_uint(cells), as_uint(first), bags_);
        add(rows, words, bags_, tallies);
        first += grid.size();
    }
}

void DeviceTally::add(const DeviceDescriptors &rows, const Buffer<cl_int> &words,
                      const Buffer<cl_uint> &bags, const Buffer<cl_uint> &tallies) {
    const cl_uint k = as_uint(shape_.words);
    if (shape_.exponent)
        device_->launch(add_, {rows.capacity * shape_.dimensions, 1}, group, rows.values, words,
                        bags, rows.count, k, cl_int{*shape_.exponent}, tallies);
    else
        device_->launch(add_, {rows.capacity, 1}, group, words, bags, rows.count, k,
                        as_uint(shape_.nearest), tallies);
}

} // namespace bowhist
