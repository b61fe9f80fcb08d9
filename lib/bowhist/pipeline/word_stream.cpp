#include <bowhist/pipeline/word_stream.hpp>

#include <bowhist/assign/host/host_assigner.hpp>

#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <mutex>

namespace bowhist {
namespace {

constexpr std::size_t batch_rows = std::size_t{1} << 18; // 52 MiB of 52 floats
constexpr std::size_t batch_images = 256;                // 26 MiB of 512 words' rows of 52 floats

/// Gathers rows of images until there are enough for a launch.
class Gathering {
  public:
    Gathering(std::size_t dimensions, const WordFinder &search,
              const std::function<void(const ImageWords &, EncodedImage &)> &encode,
              const std::function<void(EncodedImage &&)> &sink)
        : dimensions_(dimensions), search_(search), encode_(encode), sink_(sink) {}

    void add(Described &&described) {
        std::vector<float> &values = described.descriptors.values;
        values_.insert(values_.end(), values.begin(), values.end());
        values = {};
        ends_.push_back(values_.size() / dimensions_);
        images_.push_back(std::move(described));
        if (ends_.back() >= batch_rows || images_.size() >= batch_images) finish();
    }

    /// Hands over all waiting images.
    void finish() {
        if (images_.empty()) return;
        const std::vector<std::int32_t> words = search_.of_rows(values_);
        // a few images at a time, as a row may take 64 MiB
        const auto threads = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
        const std::size_t part = std::max<std::size_t>(16, 2 * threads);
        for (std::size_t first = 0; first < images_.size(); first += part) {
            std::vector<EncodedImage> encoded(std::min(part, images_.size() - first));
            // Isolated: a thread that waits for the others must not take up an image to extract.
            tbb::this_task_arena::isolate([&] {
                tbb::parallel_for(std::size_t{0}, encoded.size(),
                                  [&](std::size_t i) { encode(first + i, words, encoded[i]); });
            });
            for (EncodedImage &image : encoded) sink_(std::move(image));
        }
        images_.clear();
        values_.clear();
        ends_.clear();
    }

  private:
    void encode(std::size_t i, std::span<const std::int32_t> words, EncodedImage &encoded) const {
        const std::size_t first = i == 0 ? 0 : ends_[i - 1];
        const std::size_t count = ends_[i] - first;
        encoded.image = images_[i].image;
        encoded.number = images_[i].number;
        encoded.descriptors = static_cast<std::uint32_t>(images_[i].found);
        encode_({images_[i], std::span(values_).subspan(first * dimensions_, count * dimensions_),
                 words.subspan(first * search_.each, count * search_.each)},
                encoded);
    }

    std::size_t dimensions_;
    const WordFinder &search_;
    const std::function<void(const ImageWords &, EncodedImage &)> &encode_;
    const std::function<void(EncodedImage &&)> &sink_;
    std::vector<Described> images_;
    std::vector<float> values_;     ///< rows, end to end
    std::vector<std::size_t> ends_; ///< of each image, in rows
};

/// Finds an image's words on the thread that extracted it: its rows are in the caches still, and no
/// thread waits for others.
class AtOnce {
  public:
    AtOnce(std::size_t dimensions, const WordFinder &search,
           const std::function<void(const ImageWords &, EncodedImage &)> &encode)
        : dimensions_(dimensions), search_(search), encode_(encode) {}

    /// Any thread, several at a time. Its rows are gone afterwards.
    void encode(Described &described) {
        Descriptors &found = described.descriptors;
        if (found.size() > 0 && found.dimensions != dimensions_) return; // the stream skips it
        const std::vector<float> rows = std::move(found.values);
        found.values = {};
        const std::vector<std::int32_t> words = search_.of_image(rows);
        EncodedImage encoded{.image = described.image,
                             .number = described.number,
                             .descriptors = static_cast<std::uint32_t>(described.found),
                             .code = {},
                             .row = {}};
        encode_({described, rows, words}, encoded);
        const std::lock_guard lock(mutex_);
        encoded_[described.number] = std::move(encoded);
    }

    /// The one of an image. Forgets those before it, which were skipped.
    EncodedImage take(std::size_t number) {
        const std::lock_guard lock(mutex_);
        const auto place = encoded_.find(number);
        EncodedImage taken = std::move(place->second);
        encoded_.erase(encoded_.begin(), std::next(place));
        return taken;
    }

  private:
    std::size_t dimensions_;
    const WordFinder &search_;
    const std::function<void(const ImageWords &, EncodedImage &)> &encode_;
    std::mutex mutex_; ///< guards encoded_
    std::map<std::size_t, EncodedImage> encoded_;
};

/// Whether it pays that a thread finds the words of an image alone. With few images, all threads
/// share each.
bool is_worth_it(std::size_t images, const WordFinder &search, int threads) {
    const int cores = threads > 0 ? threads : tbb::info::default_concurrency();
    return search.of_image && images >= static_cast<std::size_t>(cores);
}

} // namespace

WordFinder::WordFinder(Find find, Find find_alone, std::size_t words)
    : of_rows(std::move(find)), of_image(std::move(find_alone)), each(words) {}

WordFinder::WordFinder(Assigner &assigner)
    : of_rows([&assigner](std::span<const float> rows) {
          return assigner.run({rows, {}, 1}).words;
      }) {
    HostAssigner *const host = assigner.on_host();
    if (host != nullptr && !host->has_one_thread())
        of_image = [host](std::span<const float> rows) { return host->words(rows); };
}

StreamCounts stream_words(std::span<const Input> inputs, const Extractor &extractor,
                          const StreamOptions &options, const WordFinder &search,
                          Observer &observer,
                          const std::function<void(const ImageWords &, EncodedImage &)> &encode,
                          const std::function<void(EncodedImage &&)> &sink) {
    if (is_worth_it(inputs.size(), search, options.threads)) {
        AtOnce at_once(options.dimensions, search, encode);
        StreamOptions encoding = options;
        encoding.prepare = [&](Described &described) {
            if (options.prepare) options.prepare(described);
            at_once.encode(described);
        };
        return stream_descriptors(
            inputs, extractor, encoding, observer,
            [&](Described &&described) { sink(at_once.take(described.number)); });
    }
    Gathering gathering(options.dimensions, search, encode, sink);
    const StreamCounts counts =
        stream_descriptors(inputs, extractor, options, observer,
                           [&](Described &&described) { gathering.add(std::move(described)); });
    gathering.finish();
    return counts;
}

} // namespace bowhist
