#include <bowhist/pipeline/histogram_stream.hpp>

#include <bowhist/core/error.hpp>

#include <algorithm>
#include <chrono>
#include <deque>
#include <numeric>
#include <utility>

namespace bowhist {
namespace {

// 256 MiB of 64 floats, however large a --batch was asked for.
constexpr std::size_t most_descriptors = std::size_t{1} << 20;

/// Writes rows in order: of images whose counts are on their way, and of descriptors that are
/// gathered until there are enough for a launch. Only one kind waits at a time.
class Gathering {
  public:
    Gathering(const Extractor &extractor, Assigner &assigner, HistogramWriter &writer,
              const HistogramOptions &options, Observer &observer)
        : extractor_(extractor), assigner_(assigner), writer_(writer), options_(options),
          observer_(observer), batch_(std::min(options.batch, most_descriptors)),
          // Counts of 64 MiB at most, however few descriptors the images have.
          most_bags_(std::max<std::size_t>(1, (std::size_t{1} << 24) / options.words)) {}

    void add(Described &&described) {
        Histogram row{std::move(described.image), 0, {}};
        if (described.counts) {
            assign();
            pending_.push_back({std::move(row), described.content, std::move(*described.counts)});
            while (!pending_.empty() && is_there(pending_.front())) write_first();
        } else {
            await();
            gather(described.descriptors);
            rows_.push_back(std::move(row));
            if (bag_.size() >= batch_ || rows_.size() >= most_bags_) assign();
        }
    }

    /// Writes all waiting rows.
    void finish() {
        await();
        assign();
    }

    /// The counts of images that options.stream.counter counted.
    const StreamCounts &counted() const { return counted_; }

  private:
    struct Pending {
        Histogram row;
        ImageContent content;
        PendingCounts counts;
    };

    static bool is_there(const Pending &pending) {
        return pending.counts.counts.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
    }

    void await() {
        if (pending_.empty()) return;
        options_.stream.counter->flush();
        while (!pending_.empty()) write_first();
    }

    void write_first() {
        Pending first = std::move(pending_.front());
        pending_.pop_front();
        try {
            write(first.row, first.counts.counts.get(), first.counts.place);
        } catch (const OutOfMemory &error) {
            if (!std::exchange(warned_, true)) warn_of_no_room(error, observer_);
            const std::vector<float> rows = rows_of(first.counts.image);
            write(first.row, run({rows, {}, 1}), 0);
        }
        count_few(first.row.image, first.content, first.row.descriptors / options_.rows_each,
                  options_.stream.few, counted_, observer_);
    }

    /// Made on the host.
    std::vector<float> rows_of(const Image &image) const {
        Described described{.input = {}, .image = {}};
        described.descriptors = extractor_.extract(image);
        described.width = image.width;
        described.height = image.height;
        if (options_.stream.prepare) options_.stream.prepare(described);
        return std::move(described.descriptors.values);
    }

    void gather(const Descriptors &descriptors) {
        bag_.insert(bag_.end(), descriptors.size(), static_cast<std::uint32_t>(rows_.size()));
        values_.insert(values_.end(), descriptors.values.begin(), descriptors.values.end());
    }

    void assign() {
        if (rows_.empty()) return;
        const auto counts = run({values_, bag_, rows_.size()});
        for (std::size_t i = 0; i < rows_.size(); ++i) write(rows_[i], counts, i);
        values_.clear();
        bag_.clear();
        rows_.clear();
    }

    std::vector<std::uint32_t> run(const Batch &batch) {
        std::unique_lock<std::mutex> alone;
        if (options_.stream.counter != nullptr) alone = options_.stream.counter->pause();
        return assigner_.run(batch).histograms;
    }

    void write(Histogram &row, const std::vector<std::uint32_t> &counts, std::size_t place) {
        const auto first = counts.begin() + static_cast<std::ptrdiff_t>(place * options_.words);
        row.counts.assign(first, first + static_cast<std::ptrdiff_t>(options_.words));
        row.descriptors = std::reduce(row.counts.begin(), row.counts.end());
        writer_.write(row);
    }

    const Extractor &extractor_;
    Assigner &assigner_;
    HistogramWriter &writer_;
    const HistogramOptions &options_;
    Observer &observer_;
    std::size_t batch_;
    std::size_t most_bags_;
    std::deque<Pending> pending_;
    std::vector<Histogram> rows_;
    std::vector<float> values_;
    std::vector<std::uint32_t> bag_; ///< of each row of values_
    StreamCounts counted_;
    bool warned_ = false;
};

} // namespace

StreamCounts stream_histograms(std::span<const Input> inputs, const Extractor &extractor,
                               Assigner &assigner, HistogramWriter &writer,
                               const HistogramOptions &options, Observer &observer) {
    Gathering gathering(extractor, assigner, writer, options, observer);
    StreamCounts counts =
        stream_descriptors(inputs, extractor, options.stream, observer,
                           [&](Described &&described) { gathering.add(std::move(described)); });
    gathering.finish();
    counts += gathering.counted();
    return counts;
}

} // namespace bowhist
