#pragma once

#include "bench/cases/assign_problem.hpp"
#include "bench/scene.hpp"

#include <bowhist/core/iteration.hpp>

#include <memory>

namespace bowhist {

/// Stops when the bench shall, and says nothing of steps.
class Quiet : public Observer {
  public:
    explicit Quiet(const Observer &bench) : bench_(bench) {}
    bool interrupted() const override { return bench_.interrupted(); }

  private:
    const Observer &bench_;
};

/// Those to train with: given or synthetic ones.
Descriptors train_descriptors(const Scene &scene);

inline constexpr const char *too_few_descriptors = "there are fewer descriptors than words";

/// Descriptors, the words that an iteration starts from, and what it makes of them.
struct TrainSample {
    std::shared_ptr<AssignProblem> problem;
    std::vector<std::int32_t> words; ///< by the rule
    std::vector<float> centroids;    ///< the words' means by the definition
    Iteration found;
    double squares = 0; ///< Σ|x|²

    /// What an iteration found: words, centroids and counts as they are; inertia, a sum in
    /// float64, as whether it is right.
    std::vector<std::uint32_t> bits(std::span<const std::int32_t> its_words,
                                    std::span<const float> its_centroids,
                                    const Iteration &its) const;
};

/// The words are those that a training would start from, unless others were asked for.
std::shared_ptr<const TrainSample> make_train_sample(const Scene &scene, std::size_t k);

} // namespace bowhist
