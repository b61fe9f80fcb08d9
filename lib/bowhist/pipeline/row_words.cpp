#include <bowhist/pipeline/device_encoder.hpp>

#include <utility>

namespace bowhist {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

class WordsOfLevel : public RowWords {
  public:
    explicit WordsOfLevel(DeviceAssigner &assigner) : assigner_(assigner) {}

    const std::shared_ptr<Device> &device() const override { return assigner_.device(); }
    std::size_t batch_rows() const override { return assigner_.batch_rows(); }

    const Buffer<cl_int> &find(const DeviceDescriptors &rows, std::size_t count,
                               std::size_t bags) override {
        Device &device = *assigner_.device();
        reserve(device, found_.words, count);
        reserve(device, found_.unproven, count + 1);
        reserve(device, found_.histograms, bags * vocabulary().size());
        device.fill<cl_uint>(found_.histograms, 0, found_.histograms.size);
        assigner_.queue(rows, found_);
        cl_uint unproven = 0;
        device.download(std::span(&unproven, 1), found_.unproven);
        unproven_ += unproven + assigner_.search().contested();
        return found_.words;
    }

    std::vector<std::int32_t> find(std::span<const float> rows) override {
        return assigner_.run({rows, {}, 1}).words;
    }

    void note(std::uint64_t rows, std::chrono::steady_clock::time_point start) override {
        assigner_.take_times();
        assigner_.note(rows, std::exchange(unproven_, 0), seconds_since(start));
    }

    const AssignmentReport &report() const override { return assigner_.report(); }
    void put_back(const AssignmentReport &report) override { assigner_.put_back(report); }
    const Vocabulary &vocabulary() const override { return assigner_.search().vocabulary(); }

  private:
    DeviceAssigner &assigner_;
    DeviceWords found_;
    std::uint64_t unproven_ = 0; ///< since the last note()
};

class WordsNearest : public RowWords {
  public:
    WordsNearest(DeviceNearestWords &nearest, const Vocabulary &words)
        : nearest_(nearest), words_(words) {}

    const std::shared_ptr<Device> &device() const override { return nearest_.device(); }
    std::size_t batch_rows() const override { return nearest_.batch_rows(); }

    const Buffer<cl_int> &find(const DeviceDescriptors &rows, std::size_t count,
                               std::size_t /*bags*/) override {
        return nearest_.find(rows.values, count);
    }

    std::vector<std::int32_t> find(std::span<const float> rows) override {
        return nearest_.host().find(rows);
    }

    void note(std::uint64_t rows, std::chrono::steady_clock::time_point start) override {
        nearest_.take_times();
        nearest_.note(rows, seconds_since(start));
    }

    const AssignmentReport &report() const override { return nearest_.report(); }
    void put_back(const AssignmentReport &report) override { nearest_.put_back(report); }
    const Vocabulary &vocabulary() const override { return words_; }

  private:
    DeviceNearestWords &nearest_;
    const Vocabulary &words_;
};

} // namespace

std::unique_ptr<RowWords> words_by(DeviceAssigner &assigner) {
    return std::make_unique<WordsOfLevel>(assigner);
}

std::unique_ptr<RowWords> words_by(DeviceNearestWords &nearest, const Vocabulary &words) {
    return std::make_unique<WordsNearest>(nearest, words);
}

} // namespace bowhist
