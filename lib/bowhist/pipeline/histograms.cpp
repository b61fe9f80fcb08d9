#include <bowhist/pipeline/histograms.hpp>

#include <bowhist/core/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <numeric>
#include <utility>

namespace bowhist {
namespace {

// 256 MiB of 64 floats, however large a --batch was asked for.
constexpr std::size_t most_descriptors = std::size_t{1} << 20;

/// Pictures gathered until there are enough descriptors, or pixels, to be worth a launch.
class Gathering {
  public:
    Gathering(const Extractor &extractor, Assigner &assigner, HistogramWriter &writer,
              const HistogramOptions &options, Observer &observer)
        : extractor_(extractor), assigner_(assigner), writer_(writer), options_(options),
          observer_(observer), batch_(std::min(options.batch, most_descriptors)),
          // Counts of 64 MiB at most, however few descriptors the pictures have.
          most_images_(std::max<std::size_t>(1, (std::size_t{1} << 24) / options.words)),
          room_(options.counter != nullptr) {}

    /// Whether its counter takes the picture. Thread-safe.
    bool counts(const Image &picture) const {
        return room_ && picture.pixels.size() <= options_.counter->batch_pixels();
    }

    void add(Described &&described) {
        const std::size_t pixels = described.picture.pixels.size();
        const bool of_a_kind = rows_.empty() || (pixels > 0) == (pixels_ > 0);
        if (!of_a_kind || (pixels > 0 && pixels_ + pixels > options_.counter->batch_pixels()))
            flush();
        const std::size_t found = described.descriptors.size();
        rows_.push_back({std::move(described.image), static_cast<std::uint32_t>(found), {}});
        if (pixels > 0)
            pictures_.push_back(std::move(described.picture));
        else
            gather(described.descriptors, rows_.size() - 1);
        pixels_ += pixels;
        if (image_.size() >= batch_ || rows_.size() >= most_images_) flush();
    }

    /// Counts what waits. Pictures are counted on the device while others arrive.
    void flush() {
        finish();
        if (rows_.empty()) return;
        if (pictures_.empty()) {
            write(rows_, assign());
        } else {
            counting_ = std::exchange(pictures_, {});
            counting_rows_ = std::exchange(rows_, {});
            if (room_)
                counts_ = std::async(std::launch::async,
                                     [this] { return options_.counter->run(counting_); });
            else
                write(counting_rows_, count_on_host());
        }
        values_.clear();
        image_.clear();
        rows_.clear();
        pixels_ = 0;
    }

    /// Waits for the pictures that are being counted.
    void finish() {
        if (!counts_.valid()) return;
        try {
            write(counting_rows_, counts_.get());
            return;
        } catch (const OutOfMemory &error) {
            observer_.warning(fmt::format("no room for {} pictures on the device; extracting on "
                                          "the host ({})",
                                          counting_.size(), error.what()));
        }
        room_ = false;
        options_.counter->release();
        write(counting_rows_, count_on_host());
    }

    /// Of the pictures that were counted on the device.
    const StreamCounts &counted() const { return counted_; }

  private:
    void gather(const Descriptors &descriptors, std::size_t row) {
        image_.insert(image_.end(), descriptors.size(), static_cast<std::uint32_t>(row));
        values_.insert(values_.end(), descriptors.values.begin(), descriptors.values.end());
    }

    std::vector<std::uint32_t> assign() {
        return assigner_.run({values_, image_, rows_.size()}).histograms;
    }

    void write(std::vector<Histogram> &rows, const std::vector<std::uint32_t> &counts) {
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const auto first = counts.begin() + static_cast<std::ptrdiff_t>(i * options_.words);
            rows[i].counts.assign(first, first + static_cast<std::ptrdiff_t>(options_.words));
            if (&rows == &counting_rows_) tell(rows[i]);
            writer_.write(rows[i]);
        }
    }

    /// Picture by picture: their descriptors together would be many.
    std::vector<std::uint32_t> count_on_host() {
        std::vector<std::uint32_t> counts;
        for (const Image &picture : counting_) {
            const Descriptors found = extractor_.extract(picture);
            const std::vector<std::uint32_t> image(found.size());
            const auto one = assigner_.run({found.values, image, 1}).histograms;
            counts.insert(counts.end(), one.begin(), one.end());
        }
        return counts;
    }

    void tell(Histogram &row) {
        row.descriptors = std::reduce(row.counts.begin(), row.counts.end());
        count_few(row.image, row.descriptors, options_.stream.few, counted_, observer_);
    }

    const Extractor &extractor_;
    Assigner &assigner_;
    HistogramWriter &writer_;
    const HistogramOptions &options_;
    Observer &observer_;
    std::size_t batch_;
    std::size_t most_images_;
    std::atomic<bool> room_; ///< on the device, for pictures
    // What waits is all descriptors, or all pictures.
    std::vector<float> values_;
    std::vector<std::uint32_t> image_;
    std::vector<Image> pictures_;
    std::size_t pixels_ = 0; ///< of pictures_
    std::vector<Histogram> rows_;
    StreamCounts counted_;
    // What is being counted on the device.
    std::vector<Image> counting_;
    std::vector<Histogram> counting_rows_;
    std::future<std::vector<std::uint32_t>> counts_; ///< last: it ends before the others do
};

} // namespace

StreamCounts make_histograms(std::span<const Input> inputs, const Extractor &extractor,
                             Assigner &assigner, HistogramWriter &writer,
                             const HistogramOptions &options, Observer &observer) {
    Gathering gathering(extractor, assigner, writer, options, observer);
    StreamOptions stream = options.stream;
    if (options.counter != nullptr)
        stream.leave = [&](const Image &picture) { return gathering.counts(picture); };
    StreamCounts counts =
        stream_descriptors(inputs, extractor, stream, observer,
                           [&](Described &&described) { gathering.add(std::move(described)); });
    gathering.flush();
    gathering.finish();
    counts.few += gathering.counted().few;
    counts.none += gathering.counted().none;
    return counts;
}

} // namespace bowhist
