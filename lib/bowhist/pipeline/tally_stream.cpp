#include <bowhist/encode/preparation.hpp>
#include <bowhist/pipeline/in_cells.hpp>
#include <bowhist/pipeline/tally_stream.hpp>
#include <bowhist/tables/descriptors/descriptor_file.hpp>

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <numeric>
#include <utility>

namespace bowhist {
namespace {

constexpr std::size_t batch_rows = std::size_t{1} << 18; // 64 MiB of 64 floats

using Encode = std::function<void(std::span<const std::uint32_t>, EncodedImage &)>;

/// Images whose tallies are on their way, and images that are gathered until there are enough for
/// the device. Only one kind waits at a time.
class Gathering {
  public:
    Gathering(const Extractor &extractor, const StreamOptions &options, DeviceEncoder &device,
              Observer &observer, const Encode &encode,
              const std::function<void(EncodedImage &&)> &sink)
        : extractor_(extractor), options_(options), device_(device), observer_(observer),
          encode_(encode), sink_(sink) {}

    void add(Described &&described) {
        if (described.counts) {
            work_on_gathered();
            pending_.push_back(std::move(described));
            hand_over_pending(false);
        } else {
            await();
            gather(described.descriptors, described.width, described.height);
            waiting_.push_back(described_as(described));
            if (gathered_.bag.size() >= batch_rows || waiting_.size() >= device_.most_images())
                work_on_gathered();
        }
    }

    /// Hands over all waiting images.
    void finish() {
        await();
        work_on_gathered();
    }

    /// The counts of images that options.counter took.
    const StreamCounts &counted() const { return counted_; }

  private:
    static EncodedImage described_as(const Described &described) {
        return {.image = described.image,
                .number = described.number,
                .descriptors = static_cast<std::uint32_t>(described.found),
                .code = {},
                .row = {}};
    }

    static bool is_there(const Described &described) {
        return described.counts->counts.wait_for(std::chrono::seconds(0)) ==
               std::future_status::ready;
    }

    void await() {
        if (pending_.empty()) return;
        options_.counter->flush();
        hand_over_pending(true);
    }

    /// @param all  waits for those that are not there
    void hand_over_pending(bool all) {
        while (!pending_.empty() && (all || is_there(pending_.front()))) {
            std::vector<std::uint32_t> tallies;
            std::vector<EncodedImage> images;
            while (!pending_.empty() && images.size() < most_at_once() &&
                   (all || is_there(pending_.front()))) {
                const Described first = std::move(pending_.front());
                pending_.pop_front();
                take(first, tallies, images);
            }
            encode_all(tallies, images);
        }
    }

    void take(const Described &described, std::vector<std::uint32_t> &tallies,
              std::vector<EncodedImage> &images) {
        const std::size_t size = device_.shape().size();
        const auto append = [&](std::span<const std::uint32_t> tally) {
            tallies.insert(tallies.end(), tally.begin(), tally.end());
        };
        try {
            append(std::span(described.counts->counts.get())
                       .subspan(described.counts->place * size, size));
        } catch (const OutOfMemory &error) {
            if (!std::exchange(warned_, true)) warn_of_no_room(error, observer_);
            const Image &image = described.counts->image;
            gather(extractor_.extract(image), image.width, image.height);
            append(tally_gathered());
        }
        const auto words =
            words_in(device_.shape(), std::span(tallies).last(device_.shape().size()));
        EncodedImage encoded = described_as(described);
        encoded.descriptors =
            static_cast<std::uint32_t>(std::reduce(words.begin(), words.end(), std::size_t{0}) /
                                       device_.shape().counts_each());
        count_few(encoded.image, described.content, encoded.descriptors, options_.few, counted_,
                  observer_);
        images.push_back(std::move(encoded));
    }

    void gather(const Descriptors &found, int width, int height) {
        Descriptors &rows = gathered_.rows;
        rows.values.insert(rows.values.end(), found.values.begin(), found.values.end());
        rows.keypoints.insert(rows.keypoints.end(), found.keypoints.begin(), found.keypoints.end());
        gathered_.bag.insert(gathered_.bag.end(), found.size(),
                             static_cast<cl_uint>(gathered_.images.size()));
        rows.keypoints.resize(gathered_.bag.size());
        gathered_.images.push_back({0, width, height});
    }

    std::vector<std::uint32_t> tally_gathered() {
        std::unique_lock<std::mutex> alone;
        if (options_.counter != nullptr) alone = options_.counter->pause();
        gathered_.rows.dimensions = options_.dimensions;
        auto tallies = device_.tally(gathered_);
        gathered_ = {};
        return tallies;
    }

    void work_on_gathered() {
        if (waiting_.empty()) return;
        const auto tallies = tally_gathered();
        const std::size_t size = device_.shape().size();
        for (std::size_t first = 0; first < waiting_.size(); first += most_at_once()) {
            const std::size_t count = std::min(most_at_once(), waiting_.size() - first);
            const auto from = waiting_.begin() + static_cast<std::ptrdiff_t>(first);
            std::vector<EncodedImage> images(
                std::make_move_iterator(from),
                std::make_move_iterator(from + static_cast<std::ptrdiff_t>(count)));
            encode_all(std::span(tallies).subspan(first * size, count * size), images);
        }
        waiting_.clear();
    }

    /// A few, as a row may take 64 MiB.
    static std::size_t most_at_once() {
        const auto threads = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
        return std::max<std::size_t>(16, 2 * threads);
    }

    void encode_all(std::span<const std::uint32_t> tallies, std::vector<EncodedImage> &images) {
        const std::size_t size = device_.shape().size();
        // Isolated: a thread that waits for the others must not take up an image to extract.
        tbb::this_task_arena::isolate([&] {
            tbb::parallel_for(std::size_t{0}, images.size(), [&](std::size_t i) {
                encode_(tallies.subspan(i * size, size), images[i]);
            });
        });
        for (EncodedImage &image : images) sink_(std::move(image));
    }

    const Extractor &extractor_;
    const StreamOptions &options_;
    DeviceEncoder &device_;
    Observer &observer_;
    const Encode &encode_;
    const std::function<void(EncodedImage &&)> &sink_;
    std::deque<Described> pending_;
    GatheredImages gathered_;
    std::vector<EncodedImage> waiting_; ///< of gathered_
    StreamCounts counted_;
    bool warned_ = false;
};

} // namespace

std::optional<StreamCounts>
stream_tallies(std::span<const Input> inputs, const PreparedRecipe &recipe,
               const Preparation *preparation, const TallyShape &shape, Assigner &assigner,
               StreamOptions options, Observer &observer,
               const std::function<void(std::span<const std::uint32_t>, EncodedImage &)> &encode,
               const std::function<void(EncodedImage &&)> &sink) {
    if (assigner.on_device() == nullptr) return {};
    const auto words = words_by(*assigner.on_device());
    const auto device = make_device_encoder(*words, preparation, shape, observer);
    if (!device) return {};
    const bool images = std::ranges::any_of(
        inputs, [](const Input &input) { return !is_descriptor_file(input.path); });
    std::unique_ptr<ImageCounter> counter;
    if (images)
        counter = make_image_counter(recipe.recipe(), recipe.extractor(), assigner, observer, false,
                                     preparation, shape);
    options.counter = counter.get();
    return stream_tallies(inputs, recipe, *device, options, observer, encode, sink);
}

StreamCounts
stream_tallies(std::span<const Input> inputs, const PreparedRecipe &recipe, DeviceEncoder &device,
               StreamOptions options, Observer &observer,
               const std::function<void(std::span<const std::uint32_t>, EncodedImage &)> &encode,
               const std::function<void(EncodedImage &&)> &sink) {
    const Preparation *const preparation = device.preparation();
    options.dimensions = preparation ? preparation->dimensions : device.shape().dimensions;
    options.prepare = {};
    if (preparation)
        options.prepare = [&](Described &described) {
            require_preparable(*preparation, described.descriptors, described.width,
                               described.height);
        };
    require_places(device.shape().grids, options);
    Gathering gathering(recipe.extractor(), options, device, observer, encode, sink);
    StreamCounts counts =
        stream_descriptors(inputs, recipe.extractor(), options, observer,
                           [&](Described &&described) { gathering.add(std::move(described)); });
    gathering.finish();
    counts += gathering.counted();
    return counts;
}

} // namespace bowhist
