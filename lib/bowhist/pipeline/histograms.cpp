#include <bowhist/pipeline/histograms.hpp>

#include <algorithm>

namespace bowhist {
namespace {

// 256 MiB of 64 floats, however large a --batch was asked for.
constexpr std::size_t most_descriptors = std::size_t{1} << 20;

/// Pictures gathered until there are enough descriptors to be worth a launch.
class Gathering {
  public:
    Gathering(Assigner &assigner, HistogramWriter &writer, const HistogramOptions &options)
        : assigner_(assigner), writer_(writer), words_(options.words),
          batch_(std::min(options.batch, most_descriptors)),
          // Counts of 64 MiB at most, however few descriptors the pictures have.
          most_images_(std::max<std::size_t>(1, (std::size_t{1} << 24) / options.words)) {}

    void add(Described &&described) {
        const Descriptors &descriptors = described.descriptors;
        image_.insert(image_.end(), descriptors.size(), static_cast<std::uint32_t>(rows_.size()));
        values_.insert(values_.end(), descriptors.values.begin(), descriptors.values.end());
        rows_.push_back(
            {std::move(described.image), static_cast<std::uint32_t>(descriptors.size()), {}});
        if (image_.size() >= batch_ || rows_.size() >= most_images_) flush();
    }

    void flush() {
        if (rows_.empty()) return;
        const Assignment result = assigner_.run({values_, image_, rows_.size()});
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            const auto first = result.histograms.begin() + static_cast<std::ptrdiff_t>(i * words_);
            rows_[i].counts.assign(first, first + static_cast<std::ptrdiff_t>(words_));
            writer_.write(rows_[i]);
        }
        values_.clear();
        image_.clear();
        rows_.clear();
    }

  private:
    Assigner &assigner_;
    HistogramWriter &writer_;
    std::size_t words_;
    std::size_t batch_;
    std::size_t most_images_;
    std::vector<float> values_;
    std::vector<std::uint32_t> image_;
    std::vector<Histogram> rows_;
};

} // namespace

StreamCounts make_histograms(std::span<const Input> inputs, const Extractor &extractor,
                             Assigner &assigner, HistogramWriter &writer,
                             const HistogramOptions &options, Observer &observer) {
    Gathering gathering(assigner, writer, options);
    const StreamCounts counts =
        stream_descriptors(inputs, extractor, options.stream, observer,
                           [&](Described &&described) { gathering.add(std::move(described)); });
    gathering.flush();
    return counts;
}

} // namespace bowhist
