#include <bowhist/pipeline/histogram_stream.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/pipeline/batch_counter.hpp>

#include <algorithm>
#include <chrono>
#include <deque>
#include <numeric>
#include <utility>

namespace bowhist {
namespace {

// 256 MiB of 64 floats, however large a --batch was asked for.
constexpr std::size_t most_descriptors = std::size_t{1} << 20;

/// Writes rows in order. They wait for counts that are on their way, or are gathered as descriptors
/// until there are enough for a launch. Only one kind waits at a time.
class Gathering {
  public:
    Gathering(const Extractor &extractor, Assigner &assigner, HistogramWriter &writer,
              const HistogramOptions &options, Observer &observer)
        : extractor_(extractor), writer_(writer), options_(options), observer_(observer),
          batches_(make_batch_counter(assigner, options.stream.counter, observer)),
          batch_(std::min(options.batch, most_descriptors)),
          // Counts of 64 MiB at most, however few descriptors the images have.
          most_bags_(std::max<std::size_t>(1, (std::size_t{1} << 24) / options.words)) {}

    void add(Described &&described) {
        Histogram row{std::move(described.image), 0, {}};
        if (described.counts) {
            assign();
            await_sent();
            pending_.push_back({std::move(row), described.content, std::move(*described.counts)});
            while (!pending_.empty() && is_there(pending_.front().counts.counts)) write_first();
        } else {
            await();
            gathered_.add(std::move(described.descriptors));
            rows_.push_back(std::move(row));
            if (gathered_.rows() >= batch_ || rows_.size() >= most_bags_) assign();
        }
    }

    /// Writes all waiting rows.
    void finish() {
        await();
        assign();
        await_sent();
    }

    /// The counts of images that options.stream.counter counted.
    const StreamCounts &counted() const { return counted_; }

  private:
    struct Pending {
        Histogram row;
        ImageContent content;
        PendingCounts counts;
    };

    /// Images whose descriptors are being counted.
    struct Sent {
        std::vector<Histogram> rows;
        std::future<std::vector<std::uint32_t>> counts;
    };

    static bool is_there(const auto &counts) {
        return counts.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
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
            if (is_added_again(first)) return;
            if (!std::exchange(warned_, true)) warn_of_no_room(error, observer_);
            RowsToCount alone;
            alone.add(rows_of(first.counts.image));
            write(first.row, batches_->add(std::move(alone)).get(), 0);
        } catch (const Error &error) {
            if (error.fault != Fault::device || !is_added_again(first)) throw;
            return;
        }
        count_few(first.row.image, first.content, first.row.descriptors / options_.rows_each,
                  options_.stream.few, counted_, observer_);
    }

    /// Whether another device counts an image whose device failed: its counts are the first again.
    bool is_added_again(Pending &first) {
        ImageCounter &counter = *options_.stream.counter;
        if (!counter.report_failures(observer_) || !counter.takes(first.counts.image)) return false;
        first.counts = counter.add(std::move(first.counts.image));
        counter.flush();
        pending_.push_front(std::move(first));
        write_first();
        return true;
    }

    /// Made on the host.
    Descriptors rows_of(const Image &image) const {
        Described described{.input = {}, .image = {}};
        described.descriptors = extractor_.extract(image);
        described.width = image.width;
        described.height = image.height;
        if (options_.stream.prepare) options_.stream.prepare(described);
        return std::move(described.descriptors);
    }

    void assign() {
        if (rows_.empty()) return;
        RowsToCount rows = std::move(gathered_);
        gathered_ = RowsToCount();
        auto counts = batches_->add(std::move(rows));
        sent_.push_back({std::exchange(rows_, {}), std::move(counts)});
        while (!sent_.empty() && is_there(sent_.front().counts)) write_sent();
    }

    void await_sent() {
        while (!sent_.empty()) write_sent();
    }

    void write_sent() {
        Sent first = std::move(sent_.front());
        sent_.pop_front();
        const std::vector<std::uint32_t> counts = first.counts.get();
        for (std::size_t i = 0; i < first.rows.size(); ++i) write(first.rows[i], counts, i);
    }

    void write(Histogram &row, const std::vector<std::uint32_t> &counts, std::size_t place) {
        const auto first = counts.begin() + static_cast<std::ptrdiff_t>(place * options_.words);
        row.counts.assign(first, first + static_cast<std::ptrdiff_t>(options_.words));
        row.descriptors = std::reduce(row.counts.begin(), row.counts.end());
        writer_.write(row);
    }

    const Extractor &extractor_;
    HistogramWriter &writer_;
    const HistogramOptions &options_;
    Observer &observer_;
    std::unique_ptr<BatchCounter> batches_;
    std::size_t batch_;
    std::size_t most_bags_;
    std::deque<Pending> pending_;
    std::deque<Sent> sent_;
    std::vector<Histogram> rows_;
    RowsToCount gathered_; ///< of rows_
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
