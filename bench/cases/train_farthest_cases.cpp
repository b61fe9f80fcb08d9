#include "bench/cases/train_cases.hpp"
#include "bench/device_case.hpp"
#include "bench/device_output.hpp"

#include <bowhist/assign/level.hpp>
#include <bowhist/assign/rule.hpp>
#include <bowhist/device/device.hpp>
#include <bowhist/train/device_word_search.hpp>
#include <bowhist/train/word_distances.hpp>

#include <algorithm>

namespace bowhist {
namespace {

Work farthest_work(const Subject &subject) {
    const auto n = static_cast<double>(subject.n);
    const auto k = static_cast<double>(subject.k);
    const auto d = static_cast<double>(subject.d);
    return {.bytes_read = sizeof(float) * (n * (d + 1) + k * d),
            .bytes_written = sizeof(float) * d,
            .operations = 3 * n * d};
}

/// Words that a device found, which then looks for the descriptor that is farthest from its own.
class FarthestSearch {
  public:
    FarthestSearch(const Scene &scene, std::shared_ptr<const TrainSample> sample,
                   const Level &level)
        : sample_(std::move(sample)), rows_(sample_->problem->descriptors()),
          sums_(rows_, sample_->problem->k()), observer_(scene.observer),
          level_(training_level(scene, level)) {
        renew();
    }

    /// Finds the words again. @throws Error{Fault::device} where the host would measure them
    void renew() {
        search_.reset(); // it may fill the device's memory
        search_ = make_word_search(rows_, level_, sample_->problem->vocabulary(), observer_, true);
        auto *on_device = dynamic_cast<DeviceWordSearch *>(search_.get());
        if (on_device == nullptr || !on_device->finds_farthest(1))
            throw Error(Fault::device, "it has no float64, no room, or too few descriptors for it");
        search_->run(sums_);
    }

    std::vector<float> farthest() { return search_->farthest(1).values; }

  private:
    std::shared_ptr<const TrainSample> sample_;
    RowsInMemory rows_;
    CentroidSums sums_;
    Observer &observer_;
    LevelChoice level_;
    std::unique_ptr<WordSearch> search_;
};

/// The descriptor that is farthest from its word.
std::vector<float> farthest_by_definition(const TrainSample &sample) {
    const Descriptors &rows = sample.problem->descriptors();
    double farthest = -1;
    std::size_t found = 0;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const auto word = static_cast<std::size_t>(sample.words[row]);
        const double distance =
            squared_distance(rows.row(row), sample.problem->vocabulary().row(word));
        if (distance > farthest) found = row;
        farthest = std::max(farthest, distance);
    }
    return {rows.row(found).begin(), rows.row(found).end()};
}

} // namespace

std::vector<Case> farthest_cases(const Scene &scene,
                                 const std::shared_ptr<const TrainSample> &sample) {
    const AssignProblem &problem = *sample->problem;
    const auto right = std::make_shared<std::vector<float>>(farthest_by_definition(*sample));
    const auto found = std::make_shared<std::vector<float>>(right->size());
    const auto output = std::make_shared<HostOutput<float>>(found, problem.dimensions(), right);
    const Subject here = iteration_subject(scene, problem, "farthest-host", Place::host);
    const Case row{here, farthest_work(here)};
    const auto on_host = [=] {
        const AssignProblem &its = *sample->problem;
        *found =
            farthest(RowsInMemory(its.descriptors()), sample->words, its.vocabulary(), 1).values;
    };
    std::vector<Case> cases{host_case(scene, row, on_host, output)};
    const Subject there = iteration_subject(scene, problem, "farthest-device", Place::device);
    const auto obstacle_of = [&](std::string_view level) {
        return find_level(level).obstacle(scene.device.get(), there.d, there.k);
    };
    const Level &finder = find_level(obstacle_of("gpu6") ? "gpu1" : "gpu6"); // of the words
    if (const auto obstacle = obstacle_of(finder.id))
        return {cases.front(), not_here(there, *obstacle)};
    cases.push_back(prepared(there, [&] {
        const auto search = std::make_shared<FarthestSearch>(scene, sample, finder);
        const auto on_device = [=] { *found = search->farthest(); };
        return device_case({there, farthest_work(there)}, scene.device, on_device, output,
                           [=] { search->renew(); });
    }));
    return cases;
}

} // namespace bowhist
