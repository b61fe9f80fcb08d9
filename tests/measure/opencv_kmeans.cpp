// The peer: OpenCV's kmeans with its k-means++ start.
//
//   opencv_kmeans DESCRIPTORS.fbin K ITERATIONS SEED     prints the compactness (the inertia)
#include <opencv2/core.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>

int main(int /*argc*/, char **argv) {
    std::ifstream stream(argv[1], std::ios::binary);
    std::uint32_t shape[2] = {};
    stream.read(reinterpret_cast<char *>(shape), sizeof shape);
    cv::Mat rows(static_cast<int>(shape[0]), static_cast<int>(shape[1]), CV_32F);
    stream.read(reinterpret_cast<char *>(rows.data),
                static_cast<std::streamsize>(rows.total() * sizeof(float)));
    cv::theRNG().state = std::strtoull(argv[4], nullptr, 10) * 7919 + 1;
    cv::Mat labels;
    const double compactness = cv::kmeans(
        rows, std::atoi(argv[2]), labels,
        cv::TermCriteria(cv::TermCriteria::COUNT, std::atoi(argv[3]), 0), 1, cv::KMEANS_PP_CENTERS);
    std::printf("%.9g\n", compactness);
}
