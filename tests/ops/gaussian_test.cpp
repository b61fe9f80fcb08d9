#include "tests/support/gaussian_reference.hpp"
#include "tests/support/levels.hpp"
#include "tests/support/padded_pictures.hpp"

#include <bowhist/core/error.hpp>

#include <catch2/catch.hpp>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

constexpr double sigmas[] = {0.5, 0.7, 1, 1.5, 2, 4, 8, 16, 32};

} // namespace

TEST_CASE("gaussian: every shape at every sigma, against float64", "[gaussian]") {
    const TestImage image = random_image(131, 70, 1);
    for (const double sigma : sigmas) {
        const auto on_paper = blurred(image, recursive_gaussian(sigma));
        const auto truth = blurred(image, true_gaussian(sigma));
        for (const GaussianShape &shape : gaussian_shapes()) {
            INFO(shape.id << ", sigma " << sigma);
            const TestImage blur = on_device(*shared_device(), image, sigma, {shape});
            CHECK(difference(blur.pixels, on_paper) < 2e-6);
            CHECK(difference(blur.pixels, truth) < 1e-3);
        }
    }
}

TEST_CASE("gaussian: the picture that the filter answers worst to", "[gaussian]") {
    // White where the filter answers more than the Gaussian, black where it answers less.
    for (const double sigma : sigmas) {
        const auto filter = recursive_gaussian(sigma);
        const auto gaussian = true_gaussian(sigma);
        const auto reach = std::min<std::size_t>(filter.size() - 1, 150);
        TestImage worst{2 * reach + 1, 2 * reach + 1, {}};
        for (std::size_t y = 0; y < worst.height; ++y)
            for (std::size_t x = 0; x < worst.width; ++x) {
                const auto from = [&](std::size_t place) {
                    return place < reach ? reach - place : place - reach;
                };
                worst.pixels.push_back(filter[from(x)] * filter[from(y)] >
                                               gaussian[from(x)] * gaussian[from(y)]
                                           ? 1.0F
                                           : 0.0F);
            }
        const auto truth = blurred(worst, gaussian);
        const TestImage blur = on_device(*shared_device(), worst, sigma, {});
        INFO("sigma " << sigma);
        CHECK(difference(blur.pixels, truth) < 1e-3);
    }
}

TEST_CASE("gaussian: any size, pitch and number of pictures", "[gaussian]") {
    const auto kernel = recursive_gaussian(2);
    for (const std::size_t width : {1, 15, 16, 17, 63, 64, 65, 1000})
        for (const std::size_t height : {1, 16, 17, 65}) {
            const std::vector<TestImage> images = {random_image(width, height, 1),
                                                   random_image(width, height, 2),
                                                   random_image(width, height, 3)};
            const auto expected = blurred(images[1], kernel);
            for (const GaussianShape &shape : gaussian_shapes())
                for (const Pitches pitches :
                     {Pitches{}, Pitches{width + 3, width + 1},
                      Pitches{(width + 31) / 32 * 32, (width + 15) / 16 * 16}}) {
                    INFO(shape.id << ", " << width << "×" << height << ", pitches " << pitches.in
                                  << " and " << pitches.out);
                    const auto blurs = on_device(*shared_device(), images, 2, {shape}, pitches);
                    CHECK(difference(blurs[1].pixels, expected) < 2e-6);
                }
        }
    const auto tall = random_image(17, 1000, 4);
    for (const GaussianShape &shape : gaussian_shapes())
        CHECK(difference(on_device(*shared_device(), tall, 2, {shape}).pixels,
                         blurred(tall, kernel)) < 2e-6);
}

TEST_CASE("gaussian: a pixel's answer is symmetric, a constant picture keeps its value",
          "[gaussian]") {
    TestImage dot{129, 129, std::vector<float>(129 * 129)};
    dot.pixels[64 * 129 + 64] = 1;
    const TestImage flat{65, 130, std::vector<float>(65 * 130, 0.75F)};
    for (const GaussianShape &shape : gaussian_shapes())
        for (const double sigma : {0.5, 5., 32., 1000.}) {
            INFO(shape.id << ", sigma " << sigma);
            const auto answer = on_device(*shared_device(), dot, sigma, {shape});
            CHECK(difference(mirrored(answer, true, true).pixels, answer.pixels) <
                  1e-6 * answer.at(64, 64));
            const auto still = on_device(*shared_device(), flat, sigma, {shape});
            CHECK(difference(still.pixels, flat.pixels) < 1e-6 * std::max(1., sigma / 10));
        }
}

TEST_CASE("gaussian: columns cut into segments give the same blur", "[gaussian]") {
    const TestImage image = random_image(1000, 65, 6);
    for (const double sigma : {0.5, 4., 32.}) {
        const auto expected = blurred(image, recursive_gaussian(sigma));
        for (const GaussianShape &shape : gaussian_shapes())
            for (const std::size_t segment_rows : {32, 64, 96, 2048}) {
                INFO(shape.id << ", sigma " << sigma << ", segments of " << segment_rows);
                const std::vector<TestImage> images(2, image);
                const auto blurs =
                    on_device(*shared_device(), images, sigma, {shape, segment_rows});
                CHECK(difference(blurs[0].pixels, expected) < 2e-6);
                CHECK(difference(blurs[1].pixels, expected) < 2e-6);
            }
    }
}

TEST_CASE("gaussian: a device with little of everything", "[gaussian]") {
    const auto small = limited_device([](DeviceLimits &limits) {
        limits.work_group_size = 16;
        limits.local_bytes = 1024;
    });
    const TestImage image = random_image(67, 45, 7);
    const auto expected = blurred(image, recursive_gaussian(1.5));
    for (const GaussianShape &shape : gaussian_shapes())
        for (const std::size_t segment_rows : {0, 32}) {
            INFO(shape.id);
            const auto blur = on_device(*small, image, 1.5, {shape, segment_rows});
            CHECK(difference(blur.pixels, expected) < 2e-6);
        }
}

TEST_CASE("gaussian: a column a work-item, for compilers that are slow", "[.]") {
    const TestImage image = random_image(67, 45, 8);
    const auto expected = blurred(image, recursive_gaussian(2));
    for (const GaussianShape &shape : gaussian_shapes()) {
        if (shape.width > 1) continue;
        INFO(shape.id);
        CHECK(difference(on_device(*shared_device(), image, 2, {shape}).pixels, expected) < 2e-6);
    }
}

TEST_CASE("gaussian: no pixels, and a result of another size", "[gaussian]") {
    Device &device = *shared_device();
    GaussianScratch scratch;
    device.take_launches();
    gaussian_blur(device, allocate_images<float>(device, 0, 5), 2,
                  allocate_images<float>(device, 0, 5), scratch);
    CHECK(device.take_launches().kernels.empty());
    CHECK_THROWS_AS(gaussian_blur(device, allocate_images<float>(device, 4, 5), 2,
                                  allocate_images<float>(device, 5, 4), scratch),
                    Error);
}

TEST_CASE("gaussian: a blur may take its own picture's place", "[gaussian]") {
    Device &device = *shared_device();
    const TestImage image = random_image(130, 83, 9);
    const auto expected = blurred(image, recursive_gaussian(3));
    for (const GaussianShape &shape : gaussian_shapes())
        for (const std::size_t segment_rows : {0, 32, 2048}) {
            INFO(shape.id << ", segments of " << segment_rows);
            const auto images = upload_padded(device, image.pixels, 130, 83, 1, 6);
            GaussianScratch scratch;
            gaussian_blur(device, images, 3, images, scratch, {shape, segment_rows});
            CHECK(difference(download_pixels(device, images), expected) < 2e-6);
        }
}

TEST_CASE("gaussian: scratch grows from small to large pictures", "[gaussian]") {
    Device &device = *shared_device();
    GaussianScratch scratch;
    for (const GaussianShape &shape : gaussian_shapes())
        for (const std::size_t side : {5, 100, 20}) {
            const TestImage image = random_image(side, side, 8);
            const auto in = allocate_images<float>(device, side, side);
            const auto out = allocate_images<float>(device, side, side);
            device.upload<float>(in.pixels, image.pixels);
            gaussian_blur(device, in, 1, out, scratch, {shape});
            const std::vector<float> blur = downloaded(device, out.pixels);
            CHECK(difference(blur, blurred(image, recursive_gaussian(1))) < 2e-6);
        }
}
