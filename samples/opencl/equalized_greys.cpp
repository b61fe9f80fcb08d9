// Equalizes the greys of an image: three operations in a row on an OpenCL device. The pixels go
// there once; only the results come back.
//
//   equalized_greys IMAGE
#include <bowhist/core/error.hpp>
#include <bowhist/ops/equalize.hpp>
#include <bowhist/ops/integral.hpp>
#include <bowhist/pictures/picture.hpp>

#include <iostream>

int main(int count, char **arguments) try {
    if (count != 2) throw bowhist::Error(bowhist::Fault::usage, "equalized_greys PICTURE");
    const bowhist::Image image = bowhist::read_image(arguments[1], {});
    const auto width = static_cast<std::size_t>(image.width);
    const auto height = static_cast<std::size_t>(image.height);

    bowhist::Device device({}); // the first GPU, else the first device
    const auto pixels = bowhist::allocate_images<std::uint8_t>(device, width, height);
    const auto sums = bowhist::allocate_images<std::uint32_t>(device, width + 1, height + 1);
    const auto histogram = device.allocate<std::uint32_t>(256);
    device.upload<std::uint8_t>(pixels.pixels, image.pixels);

    // Each call returns at once; the device does them in this order.
    const auto counting = bowhist::histogram_method_for(device);
    bowhist::equalize(device, pixels, pixels, counting);
    bowhist::histogram256(device, pixels, histogram, counting);
    bowhist::integral(device, pixels, sums, bowhist::integral_method_for(device));

    // A download waits for what was launched before it.
    std::vector<std::uint32_t> counts(256);
    std::vector<std::uint32_t> table(sums.elements());
    device.download(std::span(counts), histogram);
    device.download(std::span(table), sums.pixels);

    std::size_t median = 0;
    for (std::size_t seen = counts[0]; 2 * seen < width * height; seen += counts[++median]) {
    }
    // The sum of any rectangle takes four look-ups: here from a quarter to three quarters.
    const auto sum_to = [&](std::size_t x, std::size_t y) { return table[y * (width + 1) + x]; };
    const std::size_t x0 = width / 4;
    const std::size_t x1 = width - x0;
    const std::size_t y0 = height / 4;
    const std::size_t y1 = height - y0;
    const std::uint32_t sum = sum_to(x1, y1) - sum_to(x0, y1) - sum_to(x1, y0) + sum_to(x0, y0);
    std::cout << "on " << device.info().name << '\n'
              << "half of the pixels are " << median << " or darker\n"
              << "the mean grey of the middle is "
              << static_cast<double>(sum) / static_cast<double>((x1 - x0) * (y1 - y0)) << '\n';
    return 0;
} catch (const bowhist::Error &error) {
    std::cerr << error.what() << '\n';
    return 1;
}
