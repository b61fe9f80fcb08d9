#include "bench/cases/cases.hpp"
#include "bench/cases/train_sample.hpp"
#include "bench/device_case.hpp"

#include <bowhist/device/device.hpp>
#include <bowhist/train/seeding.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace bowhist {
namespace {

/// A start of k words among some descriptors, from a seed.
struct Task {
    const Descriptors &descriptors;
    std::size_t k;
    Start start;
    std::uint64_t seed;
    Observer &observer;

    std::size_t compared() const {
        return start == Start::greedy ? descriptors.size()
                                      : std::min(sampled_among(k), descriptors.size());
    }
    std::vector<float> started(Start way, std::size_t count) const {
        return start_centroids(RowsInMemory(descriptors), count, way, seed, observer).values;
    }
    std::vector<float> on_host() const { return started(start, k); }
    /// A random start of as many words as are compared is the sample that words are chosen among.
    std::vector<float> on_device(Device &device) const {
        Descriptors sample{descriptors.dimensions, {}};
        if (compared() < descriptors.size()) sample.values = started(Start::random, compared());
        const Descriptors &among = sample.size() > 0 ? sample : descriptors;
        std::vector<float> values;
        for (const auto row : choose_on_device(device, QuantizedRows(among), k, seed, observer))
            values.insert(values.end(), among.row(row).begin(), among.row(row).end());
        return values;
    }
};

Work work_of(const Task &task) {
    const double floats = sizeof(float) * static_cast<double>(task.descriptors.dimensions);
    const auto rows = static_cast<double>(task.compared());
    const auto drawn = static_cast<double>(1 + (task.k - 1) * draws_for(task.k));
    return {.bytes_read = floats * rows,
            .bytes_written = floats * static_cast<double>(task.k),
            .operations = floats / 2 * rows * drawn};
}

/// A start among some of the descriptors. Slow ones get fewer, but two for each word, so that
/// there is a choice.
Case start_case(const Scene &scene, std::shared_ptr<const Descriptors> descriptors, Subject subject,
                Start start) {
    const auto observer = std::make_shared<Quiet>(scene.observer);
    const auto task_of = [=, k = scene.k,
                          seed = scene.request.synthetic.seed](const Descriptors &some) {
        return Task{some, k, start, seed, *observer};
    };
    const auto run = [=, device = subject.place == Place::device ? scene.device : nullptr](
                         const Descriptors &some) {
        return device ? task_of(some).on_device(*device) : task_of(some).on_host();
    };
    if (scene.request.n == 0) {
        const auto time = [&](std::size_t rows) {
            const Descriptors some = repeated(*descriptors, rows);
            return time_on_host([&] { run(some); }).wall_seconds;
        };
        subject.n = fitting_rows(subject.n, time, std::max<std::size_t>(1024, 2 * scene.k));
    }
    if (subject.n < descriptors->size())
        descriptors = std::make_shared<const Descriptors>(repeated(*descriptors, subject.n));
    const Task task = task_of(*descriptors);
    const auto output = std::make_shared<HostOutput<float>>(
        subject.d, std::make_shared<std::vector<float>>(task.on_host()));
    const auto work = [=] { output->found = run(*descriptors); };
    const Case row{subject, work_of(task)};
    if (subject.place == Place::host) return host_case(row, work, output);
    Case there = device_case(row, scene.device, work, output);
    there.run = [work] { return time_on_host(work); }; // the host queues it step by step
    return there;
}

std::optional<std::string> device_obstacle_of_start(const Device *device, std::size_t dimensions,
                                                    Start start, std::size_t k) {
    if (device == nullptr) return no_device;
    if (start == Start::sampled && k > most_drawn_words)
        return fmt::format("more than {} words start on random rows", most_drawn_words);
    if (!can_choose(*device, dimensions))
        return "its work-groups or its local memory are too small";
    return std::nullopt;
}

} // namespace

std::vector<Case> train_start_cases(const Scene &scene) {
    const auto descriptors = std::make_shared<const Descriptors>(train_descriptors(scene));
    std::vector<Case> cases;
    for (const Start start : {Start::sampled, Start::greedy}) {
        Subject subject{.level = fmt::format("{}-host", name_of(start)),
                        .place = Place::host,
                        .n = descriptors->size(),
                        .k = scene.k,
                        .d = descriptors->dimensions};
        if (descriptors->size() < scene.k) {
            cases.push_back(not_here(subject, too_few_descriptors));
            continue;
        }
        cases.push_back(start_case(scene, descriptors, subject, start));
        subject.level = fmt::format("{}-device", name_of(start));
        subject.place = Place::device;
        const auto obstacle =
            device_obstacle_of_start(scene.device.get(), subject.d, start, scene.k);
        cases.push_back(obstacle ? not_here(subject, *obstacle) : prepared(subject, [&] {
            return start_case(scene, descriptors, subject, start);
        }));
    }
    return cases;
}

} // namespace bowhist
