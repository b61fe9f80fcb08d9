#include <bowhist/core/round_up.hpp>
#include <bowhist/ops/integral.hpp>
#include <bowhist/ops/ops_launch.hpp>
#include <bowhist/ops/scan.hpp>
#include <bowhist/ops/transpose.hpp>

#include <algorithm>

namespace bowhist {
namespace {

/// As many bands as keep every core busy, each high enough to be worth its first pass.
Bands bands_of(const Device &device, const DeviceImages<std::uint8_t> &images,
               std::size_t out_pitch) {
    constexpr std::size_t bands_a_core = 4;
    constexpr std::size_t lowest = 64; // rows: the sums above a band cost about as much as one row
    const std::size_t wanted = divided_up(device.info().compute_units * bands_a_core, images.count);
    const std::size_t bands =
        std::clamp<std::size_t>(wanted, 1, std::max<std::size_t>(images.height / lowest, 1));
    const std::size_t band = std::max<std::size_t>(divided_up(images.height, bands), 1);
    return {.width = as_uint(images.width),
            .height = as_uint(images.height),
            .in_pitch = as_uint(images.pitch),
            .out_pitch = as_uint(out_pitch),
            .bands = as_uint(std::max<std::size_t>(divided_up(images.height, band), 1)),
            .band = as_uint(band)};
}

void by_bands(Device &device, const DeviceImages<std::uint8_t> &images,
              const DeviceImages<std::uint32_t> &sums) {
    const Bands bands = bands_of(device, images, sums.pitch);
    const std::size_t number = bands.bands * images.count;
    const auto totals = device.allocate<std::uint32_t>(number * images.width);
    const auto above = device.allocate<std::uint32_t>(number * images.width);
    if (bands.bands > 1)
        launch(device, device.kernel("integral_bands.cl", "sum_bands"), {number, 1}, {1, 1},
               images.pixels, totals, bands);
    launch(device, device.kernel("integral_bands.cl", "integrate_bands"), {number, 1}, {1, 1},
           images.pixels, sums.pixels, totals, above, bands);
}

/// rows × columns, transposed. The transpose moves four bytes an element, whatever they mean.
Buffer<std::uint32_t> transposed(Device &device, const Buffer<std::uint32_t> &in, std::size_t rows,
                                 std::size_t columns, const Buffer<std::uint32_t> &into) {
    transpose(device, DeviceImages<float>{{in.memory, in.size}, columns, rows, columns},
              {{into.memory, into.size}, rows, columns, rows});
    return into;
}

/// Transposed as one matrix, the columns of all images lie side by side: row x holds column x of
/// the first image, then of the second … so that every `height` elements are a row to scan.
void by_transposes(Device &device, const DeviceImages<std::uint8_t> &images,
                   const DeviceImages<std::uint32_t> &sums) {
    const ScanMethod method = scan_method_for(device);
    const std::size_t columns = sums.width;
    const auto rows = allocate_images<std::uint32_t>(device, columns, images.rows());
    scan_rows(device, images, rows, ScanKind::exclusive, method);
    const auto scratch = device.allocate<std::uint32_t>(columns * sums.rows());
    const DeviceImages<std::uint32_t> standing{
        transposed(device, rows.pixels, images.rows(), columns, scratch), images.height,
        columns * images.count, images.height};
    const auto scanned =
        allocate_images<std::uint32_t>(device, sums.height, columns * images.count);
    scan_rows(device, standing, scanned, ScanKind::exclusive, method);
    transposed(device, scanned.pixels, columns, sums.rows(), sums.pixels);
}

} // namespace

std::string_view name_of(IntegralMethod method) {
    return method == IntegralMethod::transposes ? "transposes" : "bands";
}

IntegralMethod integral_method_for(const Device &device) {
    return device.info().kind == DeviceKind::cpu ? IntegralMethod::bands
                                                 : IntegralMethod::transposes;
}

void integral(Device &device, const DeviceImages<std::uint8_t> &images,
              const DeviceImages<std::uint32_t> &sums, IntegralMethod method) {
    if (sums.width != images.width + 1 || sums.height != images.height + 1 ||
        sums.count != images.count)
        throw Error(Fault::usage, "an integral image is one wider and one higher than its picture; "
                                  "give sums of that size");
    if (method == IntegralMethod::transposes && sums.pitch != sums.width)
        throw Error(Fault::usage, "integral images by transposes lie without padding; give sums "
                                  "without a pitch, or take the bands");
    if (images.empty()) return device.fill<std::uint32_t>(sums.pixels, 0, sums.elements());
    if (method == IntegralMethod::bands)
        by_bands(device, images, sums);
    else
        by_transposes(device, images, sums);
}

} // namespace bowhist
