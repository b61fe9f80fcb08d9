#include <bowhist/learn/count_words.hpp>

#include <bowhist/encode/preparation.hpp>
#include <bowhist/learn/second_reading.hpp>
#include <bowhist/pipeline/histogram_stream.hpp>

#include <array>

namespace bowhist {
namespace {

/// Keeps no row, but its part in the frequencies.
class Tally : public HistogramWriter {
  public:
    void write(const Histogram &row) override { frequencies.add(row.counts); }
    void finish() override {}

    void join(Team &team, std::size_t words) {
        if (team.size() == 1) return;
        frequencies.images_with.resize(words);
        team.sum(frequencies.images_with);
        std::array<std::uint64_t, 2> counts{frequencies.images, frequencies.descriptors};
        team.sum(counts);
        frequencies.images = counts[0];
        frequencies.descriptors = counts[1];
    }

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
    const std::vector<Input> drawn = draw_inputs(inputs, request.most_images, request.seed);
    Team &team = *request.team;
    const ShardRange share = share_of(team, drawn.size());
    stream_histograms(std::span(drawn).subspan(share.first, share.size()), extractor, *assigner,
                      tally, counting, quiet);
    tally.join(team, request.words->size());
    if (tally.frequencies.images == 0) return std::nullopt;
    return std::move(tally.frequencies);
}

} // namespace bowhist
