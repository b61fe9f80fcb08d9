#pragma once

#include "bench/cases/assign_problem.hpp"
#include "bench/scene.hpp"

#include <bowhist/core/observer.hpp>

#include <memory>

namespace bowhist {

/// Stops with the bench, and reports no progress. The bench's observer outlives it.
class Quiet : public Observer {
  public:
    explicit Quiet(const Observer &bench) : bench_(bench) {}
    bool interrupted() const override { return bench_.interrupted(); }

  private:
    const Observer &bench_;
};

/// Descriptors to train with: given or synthetic ones.
Descriptors train_descriptors(const Scene &scene);

inline constexpr const char *too_few_descriptors = "there are fewer descriptors than words";

/// Descriptors, the words that an iteration starts from, and the right results.
struct TrainSample {
    std::shared_ptr<AssignProblem> problem;
    std::vector<std::int32_t> words; ///< by the rule
    std::vector<float> centroids;    ///< the words' means by the definition
    Iteration found;
    double squares = 0; ///< Σ|x|²

    /// The result of an iteration: words, centroids and counts as they are; inertia, a sum in
    /// float64, as 1 if it is right.
    std::vector<std::uint32_t> bits(std::span<const std::int32_t> its_words,
                                    std::span<const float> its_centroids,
                                    const Iteration &its) const;
};

/// It starts from the requested words, else from those that a training would start from.
std::shared_ptr<const TrainSample> make_train_sample(const Scene &scene);

} // namespace bowhist
