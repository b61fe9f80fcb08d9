#include <bowhist/learn/count_words.hpp>

#include <bowhist/encode/preparation.hpp>
#include <bowhist/pipeline/histogram_stream.hpp>
#include <bowhist/train/sample.hpp>

#include <algorithm>
#include <random>

namespace bowhist {
namespace {

/// Passes on how far it is. What was wrong with the inputs was reported before.
class ProgressOnly : public Observer {
  public:
    explicit ProgressOnly(Observer &to) : to_(to) {}
    void progress(std::string_view stage, std::size_t done, std::size_t total) override {
        to_.progress(stage, done, total);
    }
    bool interrupted() const override { return to_.interrupted(); }

  private:
    Observer &to_;
};

/// Some of the inputs in their order, each with the same chance.
std::vector<Input> drawn(std::span<const Input> inputs, std::size_t most, std::uint64_t seed) {
    std::mt19937_64 engine(seed);
    std::vector<Input> some;
    std::size_t left = std::min(most, inputs.size());
    for (std::size_t i = 0; i < inputs.size() && left > 0; ++i)
        if (draw_below(engine, inputs.size() - i) < left) {
            some.push_back(inputs[i]);
            --left;
        }
    return some;
}

/// Keeps no row, but its part in the frequencies.
class Tally : public HistogramWriter {
  public:
    void write(const Histogram &row) override { frequencies.add(row.counts); }
    void finish() override {}

    WordFrequencies frequencies;
};

} // namespace

std::optional<WordFrequencies> count_words(const CountRequest &request,
                                           std::span<const Input> inputs,
                                           const Extractor &extractor, const LevelChoice &level,
                                           StreamOptions options, Observer &observer) {
    options.dimensions = request.words->dimensions;
    options.strict = false;
    options.doubt.clear();
    if (const Preparation *preparation = request.preparation)
        options.prepare = [preparation](Described &described) {
            described.descriptors =
                prepare(*preparation, described.descriptors, described.width, described.height);
        };
    HistogramOptions counting{.stream = std::move(options), .words = request.words->size()};
    if (request.in_little_memory) {
        counting.batch = std::size_t{1} << 13;
        counting.stream.in_flight = 2;
    }
    ProgressOnly quiet(observer);
    Tally tally;
    const auto assigner = level.prepare(*request.words);
    stream_histograms(drawn(inputs, request.most_images, request.seed), extractor, *assigner, tally,
                      counting, quiet);
    if (tally.frequencies.images == 0) return std::nullopt;
    return std::move(tally.frequencies);
}

} // namespace bowhist
