#include <bowhist/core/round_up.hpp>
#include <bowhist/ops/integral.hpp>
#include <bowhist/ops/ops_launch.hpp>
#include <bowhist/ops/scan.hpp>
#include <bowhist/ops/transpose.hpp>

#include <algorithm>

namespace bowhist {
namespace {

/// As many bands as keep every core busy, each high enough to be worth its first pass.
Bands bands_of(const Device &device, const DeviceImages<std::uint8_t> &pictures,
               std::size_t out_pitch) {
    constexpr std::size_t bands_a_core = 4;
    constexpr std::size_t lowest = 64; // rows: the sums above a band cost about as much as one row
    const std::size_t wanted =
        divided_up(device.info().compute_units * bands_a_core, pictures.count);
    const std::size_t bands =
        std::clamp<std::size_t>(wanted, 1, std::max<std::size_t>(pictures.height / lowest, 1));
    const std::size_t band = std::max<std::size_t>(divided_up(pictures.height, bands), 1);
    return {.width = as_uint(pictures.width),
            .height = as_uint(pictures.height),
            .in_pitch = as_uint(pictures.pitch),
            .out_pitch = as_uint(out_pitch),
            .bands = as_uint(std::max<std::size_t>(divided_up(pictures.height, band), 1)),
            .band = as_uint(band)};
}

void by_bands(Device &device, const DeviceImages<std::uint8_t> &pictures,
              const DeviceImages<std::uint32_t> &sums) {
    const Bands bands = bands_of(device, pictures, sums.pitch);
    const std::size_t number = bands.bands * pictures.count;
    const auto totals = device.allocate<std::uint32_t>(number * pictures.width);
    const auto above = device.allocate<std::uint32_t>(number * pictures.width);
    if (bands.bands > 1) {
        Kernel sum = device.kernel("integral_bands.cl", "sum_bands");
        device.launch(sum, {number, 1}, {1, 1}, pictures.pixels, totals, bands);
    }
    Kernel integrate = device.kernel("integral_bands.cl", "integrate_bands");
    device.launch(integrate, {number, 1}, {1, 1}, pictures.pixels, sums.pixels, totals, above,
                  bands);
}

/// rows × columns, transposed. The transpose moves four bytes an element, whatever they mean.
Buffer<std::uint32_t> transposed(Device &device, const Buffer<std::uint32_t> &in, std::size_t rows,
                                 std::size_t columns, const Buffer<std::uint32_t> &into) {
    transpose(device, DeviceImages<float>{{in.memory, in.size}, columns, rows, columns},
              {{into.memory, into.size}, rows, columns, rows});
    return into;
}

/// Transposed as one matrix, the columns of all pictures lie side by side: row x holds column x of
/// the first picture, then of the second … so that every `height` elements are a row to scan.
void by_transposes(Device &device, const DeviceImages<std::uint8_t> &pictures,
                   const DeviceImages<std::uint32_t> &sums) {
    const ScanMethod method = scan_method_for(device);
    const std::size_t columns = sums.width;
    const auto rows = allocate_images<std::uint32_t>(device, columns, pictures.rows());
    scan_rows(device, pictures, rows, ScanKind::exclusive, method);
    const auto scratch = device.allocate<std::uint32_t>(columns * sums.rows());
    const DeviceImages<std::uint32_t> standing{
        transposed(device, rows.pixels, pictures.rows(), columns, scratch), pictures.height,
        columns * pictures.count, pictures.height};
    const auto scanned =
        allocate_images<std::uint32_t>(device, sums.height, columns * pictures.count);
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

void integral(Device &device, const DeviceImages<std::uint8_t> &pictures,
              const DeviceImages<std::uint32_t> &sums, IntegralMethod method) {
    if (sums.width != pictures.width + 1 || sums.height != pictures.height + 1 ||
        sums.count != pictures.count)
        throw Error(Fault::usage, "an integral image is one wider and one higher than its picture; "
                                  "give sums of that size");
    if (method == IntegralMethod::transposes && sums.pitch != sums.width)
        throw Error(Fault::usage, "integral images by transposes lie without padding; give sums "
                                  "without a pitch, or take the bands");
    if (pictures.empty()) return device.fill<std::uint32_t>(sums.pixels, 0, sums.elements());
    if (method == IntegralMethod::bands)
        by_bands(device, pictures, sums);
    else
        by_transposes(device, pictures, sums);
}

} // namespace bowhist
