// OpenCV: the matcher that its bags of words use, and the function underneath it.
#include "tests/peers/contender.hpp"

#include <opencv2/core.hpp>
#include <opencv2/features2d.hpp>

#include <memory>

namespace bowhist::peers {
namespace {

/// OpenCV's view of rows that are ours; it only reads them.
cv::Mat view(const std::vector<float> &values, std::size_t dimensions) {
    return {static_cast<int>(values.size() / dimensions), static_cast<int>(dimensions), CV_32F,
            const_cast<float *>(values.data())}; // NOLINT(*-const-cast)
}

Contender matcher(const Problem &problem) {
    struct State {
        cv::BFMatcher matcher{cv::NORM_L2};
        std::vector<cv::DMatch> matches;
    };
    const auto state = std::make_shared<State>();
    const cv::Mat descriptors = view(problem.descriptors.values, problem.descriptors.dimensions);
    state->matcher.add({view(problem.vocabulary.values, problem.vocabulary.dimensions)});
    return {"OpenCV BFMatcher", [=] { state->matcher.match(descriptors, state->matches); },
            [state] {
                std::vector<std::int32_t> words;
                for (const cv::DMatch &match : state->matches) words.push_back(match.trainIdx);
                return words;
            }};
}

Contender batch_distance(const Problem &problem) {
    const auto distances = std::make_shared<cv::Mat>();
    const auto words = std::make_shared<cv::Mat>();
    const cv::Mat descriptors = view(problem.descriptors.values, problem.descriptors.dimensions);
    const cv::Mat centroids = view(problem.vocabulary.values, problem.vocabulary.dimensions);
    return {"OpenCV batchDistance",
            [=] {
                cv::batchDistance(descriptors, centroids, *distances, CV_32F, *words,
                                  cv::NORM_L2SQR, 1);
            },
            [words] { return std::vector<std::int32_t>(words->begin<int>(), words->end<int>()); }};
}

} // namespace

std::vector<Contender> opencv_contenders(const Problem &problem) {
    cv::setNumThreads(problem.threads);
    return {matcher(problem), batch_distance(problem)};
}

} // namespace bowhist::peers
