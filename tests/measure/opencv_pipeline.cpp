// The peer: OpenCV's own bag of words, as its documentation composes it: detect, then
// BOWImgDescriptorExtractor with a brute-force matcher. Prints nothing but the sum of the weights.
//
//   opencv_pipeline kaze|akaze c.bin MAX_SIDE IMAGE...
#include <opencv2/features2d.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string_view>

namespace {

cv::Ptr<cv::Feature2D> make_detector(std::string_view name) {
    if (name == "kaze") return cv::KAZE::create();
    if (name == "akaze") return cv::AKAZE::create(cv::AKAZE::DESCRIPTOR_KAZE);
    return nullptr;
}

cv::Mat read_vocabulary(const char *path) {
    std::ifstream stream(path, std::ios::binary);
    std::uint32_t shape[2] = {};
    stream.read(reinterpret_cast<char *>(shape), sizeof shape);
    cv::Mat centroids(static_cast<int>(shape[0]), static_cast<int>(shape[1]), CV_32F);
    stream.read(reinterpret_cast<char *>(centroids.data),
                static_cast<std::streamsize>(centroids.total() * sizeof(float)));
    return centroids;
}

cv::Mat read_image(const char *path, int max_side) {
    cv::Mat image = cv::imread(path, cv::IMREAD_GRAYSCALE);
    const int side = std::max(image.cols, image.rows);
    if (side > max_side) {
        const double scale = static_cast<double>(max_side) / side;
        cv::resize(image, image, {}, scale, scale, cv::INTER_AREA);
    }
    return image;
}

} // namespace

int main(int argc, char **argv) {
    const auto detector = argc > 4 ? make_detector(argv[1]) : nullptr;
    if (!detector) {
        std::fputs("usage: opencv_pipeline kaze|akaze c.bin MAX_SIDE PICTURE...\n", stderr);
        return 2;
    }
    cv::BOWImgDescriptorExtractor words(detector, cv::makePtr<cv::BFMatcher>(cv::NORM_L2));
    words.setVocabulary(read_vocabulary(argv[2]));
    double sum = 0;
    for (int i = 4; i < argc; ++i) {
        const cv::Mat image = read_image(argv[i], std::atoi(argv[3]));
        std::vector<cv::KeyPoint> keypoints;
        detector->detect(image, keypoints);
        cv::Mat histogram;
        if (!keypoints.empty()) words.compute(image, keypoints, histogram);
        sum += cv::sum(histogram)[0];
    }
    std::printf("%g\n", sum);
}
