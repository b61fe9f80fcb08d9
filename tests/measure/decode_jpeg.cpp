// Decodes images to grey, by this bowhist and by OpenCV with and without its reduced modes, in
// turn:
//
//     decode_jpeg MAX_SIDE ROUNDS IMAGE...
//
// One thread. Prints the milliseconds of CPU time an image, medians of the rounds with their
// range, and how many times as fast ours is.

#include "print_median.hpp"

#include <bowhist/pictures/picture.hpp>

#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <vector>

namespace {

cv::Mat shrink(const cv::Mat &image, int side) {
    const int longer = std::max(image.cols, image.rows);
    if (side == 0 || longer <= side) return image;
    const double scale = static_cast<double>(side) / longer;
    const cv::Size size(std::max(1, static_cast<int>(std::lround(image.cols * scale))),
                        std::max(1, static_cast<int>(std::lround(image.rows * scale))));
    cv::Mat small;
    cv::resize(image, small, size, 0, 0, cv::INTER_AREA);
    return small;
}

void by_opencv(const char *path, int side) {
    shrink(cv::imread(path, cv::IMREAD_GRAYSCALE), side);
}

/// As bowhist did it before: reduced as far as libjpeg can.
void by_opencv_reduced(const char *path, int side, int longer) {
    const int flags = side == 0 || longer < 2 * side ? cv::IMREAD_GRAYSCALE
                      : longer < 4 * side            ? cv::IMREAD_REDUCED_GRAYSCALE_2
                      : longer < 8 * side            ? cv::IMREAD_REDUCED_GRAYSCALE_4
                                                     : cv::IMREAD_REDUCED_GRAYSCALE_8;
    shrink(cv::imread(path, flags), side);
}

/// Of this thread's CPU time: the machine may have other work.
double now() {
    timespec time = {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

double milliseconds(const std::function<void()> &work) {
    const double start = now();
    work();
    return now() - start;
}

} // namespace

int main(int argc, char **argv) {
    if (argc < 4) return 2;
    cv::setNumThreads(1);
    const int side = std::atoi(argv[1]);
    const int rounds = std::atoi(argv[2]);
    const std::vector<const char *> paths(argv + 3, argv + argc);
    std::vector<int> longer; // found beforehand, as a header would say
    for (const char *path : paths) {
        const cv::Mat image = cv::imread(path, cv::IMREAD_GRAYSCALE);
        longer.push_back(std::max(image.cols, image.rows));
    }
    std::vector<double> ours, reduced, plain, against_reduced, against_plain;
    for (int round = 0; round < rounds; ++round) {
        double a = 0;
        double b = 0;
        double c = 0;
        for (std::size_t i = 0; i < paths.size(); ++i) { // image by image: the machine is shared
            a += milliseconds([&] { bowhist::read_image(paths[i], {.max_side = side}); });
            b += milliseconds([&] { by_opencv_reduced(paths[i], side, longer[i]); });
            c += milliseconds([&] { by_opencv(paths[i], side); });
        }
        ours.push_back(a / static_cast<double>(paths.size()));
        reduced.push_back(b / static_cast<double>(paths.size()));
        plain.push_back(c / static_cast<double>(paths.size()));
        against_reduced.push_back(b / a);
        against_plain.push_back(c / a);
    }
    std::printf("%zu pictures at most %d a side, %d rounds\n", paths.size(), side, rounds);
    print("bowhist, ms", ours);
    print("OpenCV reduced, ms", reduced);
    print("OpenCV, ms", plain);
    print("OpenCV reduced / bowhist", against_reduced);
    print("OpenCV / bowhist", against_plain);
}
