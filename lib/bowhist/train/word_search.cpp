#include <bowhist/assign/device/device_assigner.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/train/device_word_search.hpp>
#include <bowhist/train/shared_word_search.hpp>
#include <bowhist/train/train_launch.hpp>
#include <bowhist/train/word_distances.hpp>
#include <bowhist/train/word_search.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

namespace bowhist {
namespace {

class HostWordSearch : public WordSearch {
  public:
    HostWordSearch(const DescriptorRows &rows, std::unique_ptr<Assigner> assigner,
                   Vocabulary vocabulary)
        : rows_(rows), assigner_(std::move(assigner)), vocabulary_(std::move(vocabulary)) {}

    void replace(const Vocabulary &vocabulary) override {
        assigner_->replace(vocabulary);
        vocabulary_ = vocabulary;
    }

    void forget() override { words_.clear(); }

    Iteration run(CentroidSums &sums) override {
        std::size_t moved = 0;
        words_.resize(rows_.size(), -1);
        sums.clear();
        rows_.read([&](std::size_t first, std::span<const float> values) {
            if (values.empty()) return;
            const std::vector<std::int32_t> words = assigner_->run({values, {}, 1}).words;
            moved += sums.add(values, words, std::span(words_).subspan(first, words.size()));
        });
        sums.finish();
        return {sums.inertia(vocabulary_), moved, sums.empty().size()};
    }

    void move(const CentroidSums &sums) override {
        sums.move(vocabulary_);
        assigner_->replace(vocabulary_);
    }

    FarRows far_rows(std::size_t count) override {
        return bowhist::far_rows(rows_, words_, vocabulary_, count);
    }

    Vocabulary vocabulary() override { return vocabulary_; }
    std::vector<std::int32_t> &words() override { return words_; }
    const AssignmentReport &report() override { return assigner_->report(); }

  private:
    const DescriptorRows &rows_;
    std::unique_ptr<Assigner> assigner_;
    Vocabulary vocabulary_;
    std::vector<std::int32_t> words_; ///< none before the first run
};

constexpr std::size_t most_counted = std::numeric_limits<std::uint32_t>::max(); // of one word
constexpr std::size_t sent_rows = std::size_t{1} << 20; // of a part, unless memory is short
constexpr std::size_t least_sent_rows = 4096;
constexpr std::size_t any_bytes = std::numeric_limits<std::size_t>::max(); // as many as have room

/// On the device, where they stay or are sent in each run. @throws OutOfMemory
std::unique_ptr<WordSearch> on_device_search(const DescriptorRows &rows, const LevelChoice &level,
                                             const Vocabulary &vocabulary, Observer &observer,
                                             std::optional<std::size_t> most_kept) {
    if (!most_kept) try {
            return std::make_unique<DeviceWordSearch>(rows, level.prepare(vocabulary));
        } catch (const OutOfMemory &error) {
            observer.note(
                fmt::format("{} descriptors have no room on the device, and are sent there "
                            "in each iteration ({})",
                            rows.size(), error.what()));
        }
    for (std::size_t part = sent_rows;; part /= 2) {
        try {
            return std::make_unique<DeviceWordSearch>(rows, level.prepare(vocabulary), part,
                                                      most_kept.value_or(any_bytes));
        } catch (const OutOfMemory &) {
            if (part / 2 < least_sent_rows) throw;
        }
    }
}

} // namespace

bool adds_up_as_the_host(const Device &device) {
    const Premises &premises = device.premises();
    constexpr std::size_t largest_group =
        std::max({ORDER_GROUP, SUM_GROUP, MOVE_GROUP, FARTHEST_GROUP});
    return device.limits().work_group_size >= largest_group && device.info().subnormals &&
           premises.keeps_subnormals && premises.rounds_to_nearest &&
           device.limits().loop_steps == Premises{}.loop_steps;
}

std::unique_ptr<WordSearch> make_word_search(const DescriptorRows &rows, const LevelChoice &level,
                                             const Vocabulary &vocabulary, Observer &observer,
                                             bool anywhere, std::optional<std::size_t> most_kept) {
    if (level.each().size() > 1)
        return std::make_unique<SharedWordSearch>(rows, level.each(), vocabulary, observer,
                                                  anywhere, most_kept);
    std::unique_ptr<Assigner> assigner = level.prepare(vocabulary);
    const DeviceAssigner *on_device = assigner->on_device();
    if (on_device != nullptr && adds_up_as_the_host(*on_device->device()) &&
        (anywhere || on_device->device()->overlaps()) && rows.size() > 0 &&
        rows.size() <= most_counted) {
        assigner.reset(); // its memory is needed
        try {
            return on_device_search(rows, level, vocabulary, observer, most_kept);
        } catch (const OutOfMemory &error) {
            observer.warning(fmt::format("no room for {} descriptors on the device; the host adds "
                                         "them up ({})",
                                         rows.size(), error.what()));
            assigner = level.prepare(vocabulary);
        }
    }
    return std::make_unique<HostWordSearch>(rows, std::move(assigner), vocabulary);
}

} // namespace bowhist
