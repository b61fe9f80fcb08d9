#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/core/run_whole.hpp>
#include <bowhist/io/checked_stream.hpp>
#include <bowhist/io/free_memory.hpp>
#include <bowhist/pipeline/descriptor_stream.hpp>
#include <bowhist/pipeline/image_steps.hpp>
#include <bowhist/tables/descriptors/descriptor_file.hpp>

#include <fmt/format.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <memory>
#include <new>

namespace bowhist {
namespace {

/// An input on its way: its descriptors, or its error.
struct Passing {
    Described described;
    ImageRemarks remarks; ///< on the image
    std::optional<Error> error;
};

ImageContent content_of(const Image &image, int smallest_side) {
    if (std::min(image.width, image.height) < smallest_side) return ImageContent::too_small;
    const bool is_flat = std::ranges::all_of(
        image.pixels, [&](std::uint8_t pixel) { return pixel == image.pixels.front(); });
    return is_flat ? ImageContent::flat : ImageContent::usual;
}

void extract_from(const Input &input, const Extractor &extractor, const StreamOptions &options,
                  Described &described, ImageRemarks &remarks) {
    Image image = isolated([&] { return read_image(input.path, options.image, &remarks); });
    with_named_errors(input.path, [&] {
        if (options.preprocessor) image = options.preprocessor->run(image);
        described.content = content_of(image, options.smallest_side);
        described.width = image.width;
        described.height = image.height;
        if (options.counter != nullptr && options.counter->takes(image))
            described.counts = options.counter->add(std::move(image));
        else
            described.descriptors = extractor.extract(image);
    });
}

Described describe(const Input &input, const Extractor &extractor, const StreamOptions &options,
                   ImageRemarks &remarks) {
    Described described{.input = input, .image = input.path.native()};
    if (!is_descriptor_file(input.path)) {
        extract_from(input, extractor, options, described, remarks);
        return described;
    }
    SavedDescriptors saved = load_descriptors(input);
    described.descriptors = std::move(saved.descriptors);
    if (saved.sidecar) {
        described.image = saved.sidecar->image;
        // imported descriptors, of no known recipe, conflict with nothing
        if (saved.sidecar->recipe.is_known()) described.recipe = saved.sidecar->recipe;
    }
    return described;
}

void prepare(const StreamOptions &options, Described &described) {
    described.found = described.descriptors.size();
    if (!options.prepare || described.counts) return;
    try {
        options.prepare(described);
    } catch (const Error &error) {
        if (error.fault != Fault::input) throw;
        throw Error(error.fault, fmt::format("{}: {}", described.input.path, error.what()));
    }
}

class Stream {
  public:
    Stream(std::span<const Input> inputs, const Extractor &extractor, const StreamOptions &options,
           Observer &observer, const std::function<void(Described &&)> &sink)
        : inputs_(inputs), extractor_(extractor), options_(options), observer_(observer),
          sink_(sink), made_by_(options.made_by), dimensions_(options.dimensions),
          counts_(options.so_far ? *options.so_far : StreamCounts{}),
          started_(counts_.read + counts_.skipped) {}

    StreamCounts run(std::size_t in_flight) {
        using tbb::filter_mode;
        tbb::parallel_pipeline(
            in_flight,
            tbb::make_filter<void, std::size_t>(
                filter_mode::serial_in_order, [&](tbb::flow_control &flow) { return next(flow); }) &
                tbb::make_filter<std::size_t, std::shared_ptr<Passing>>(
                    filter_mode::parallel, [&](std::size_t i) { return work_on(i); }) &
                tbb::make_filter<std::shared_ptr<Passing>, void>(
                    filter_mode::serial_in_order, [&](const std::shared_ptr<Passing> &passing) {
                        run_whole([&] { deliver(*passing); });
                    }));
        return counts_;
    }

  private:
    std::size_t next(tbb::flow_control &flow) {
        observer_.stop_if_interrupted();
        if (started_ == inputs_.size() || (options_.enough && options_.enough())) {
            flow.stop();
            return 0;
        }
        return started_++;
    }

    std::shared_ptr<Passing> work_on(std::size_t number) const {
        const Input &input = inputs_[number];
        auto passing = std::make_shared<Passing>();
        try {
            run_whole([&] {
                passing->described = describe(input, extractor_, options_, passing->remarks);
                passing->described.number = number;
                prepare(options_, passing->described);
            });
        } catch (const Error &error) {
            if (error.fault != Fault::input) throw;
            passing->described.input = input;
            passing->error = error;
        }
        return passing;
    }

    /// Why descriptors do not fit those before; nothing when they do.
    std::optional<Error> misfit(const Described &described) {
        const std::string name = printable(described.input.path);
        if (described.recipe && !made_by_) made_by_ = described.recipe;
        if (described.recipe && !described.recipe->comparable(*made_by_))
            return Error(
                Fault::input,
                fmt::format("{}: made with --extractor {}, but {} is needed; extract it again",
                            name, as_options(*described.recipe), as_options(*made_by_)));
        if (described.descriptors.size() == 0) return std::nullopt;
        if (dimensions_ == 0) dimensions_ = described.descriptors.dimensions;
        if (described.descriptors.dimensions == dimensions_) return std::nullopt;
        return Error(
            Fault::input,
            fmt::format("{}: its descriptors have {} dimensions, {} are needed; extract them "
                        "as the others were",
                        name, described.descriptors.dimensions, dimensions_));
    }

    void deliver(Passing &passing) {
        observer_.stop_if_interrupted(); // also during the last image
        const auto error = passing.error ? passing.error : misfit(passing.described);
        if (error) {
            skip(passing.described.input, *error);
        } else {
            ++counts_.read;
            const ImageRemarks &remarks = passing.remarks;
            if (!remarks.damage.empty()) observer_.warning(remarks.damage);
            if (!remarks.note.empty()) observer_.note(remarks.note);
            if (remarks.is_long_strip) ++counts_.strips;
            // a file's descriptors may be few on purpose
            const bool extracted =
                !is_descriptor_file(passing.described.input.path) && !passing.described.counts;
            if (extracted)
                count_few(passing.described.image, passing.described.content,
                          passing.described.found, options_.few, counts_, observer_);
            hand_over(std::move(passing.described));
        }
        if (options_.so_far) *options_.so_far = counts_;
        observer_.progress("pictures", counts_.read + counts_.skipped, inputs_.size());
    }

    void hand_over(Described &&described) {
        const Input input = described.input; // the sink may move it away
        try {
            sink_(std::move(described));
        } catch (const UnusableName &error) {
            --counts_.read;
            skip(input, Error(error.fault, fmt::format("{}: {}", input.path, error.what())));
        }
    }

    void skip(const Input &input, const Error &error) {
        if (options_.strict) throw Error(error);
        ++counts_.skipped;
        skipped_.report(input, error);
    }

    std::span<const Input> inputs_;
    const Extractor &extractor_;
    const StreamOptions &options_;
    Observer &observer_;
    const std::function<void(Described &&)> &sink_;
    std::optional<Recipe> made_by_; ///< of the descriptors so far
    std::size_t dimensions_;        ///< of the descriptors so far
    SkippedInputs skipped_{observer_};
    StreamCounts counts_;
    std::size_t started_;
};

} // namespace

StreamCounts &StreamCounts::operator+=(const StreamCounts &other) {
    read += other.read;
    skipped += other.skipped;
    few += other.few;
    none += other.none;
    small += other.small;
    flat += other.flat;
    strips += other.strips;
    return *this;
}

void count_few(const std::string &image, ImageContent content, std::size_t found, std::size_t few,
               StreamCounts &counts, Observer &observer) {
    if (found >= few) return;
    ++counts.few;
    if (found == 0) ++counts.none;
    if (found == 0 && content == ImageContent::too_small) ++counts.small;
    if (found == 0 && content == ImageContent::flat) ++counts.flat;
    observer.note(fmt::format("{}: {} descriptors", excerpt(image), found));
}

namespace {

/// Counts those that hold descriptors.
std::uint64_t bytes_of_largest(std::span<const Input> inputs) {
    std::uint64_t largest = 0;
    for (const Input &input : inputs) {
        if (!is_descriptor_file(input.path)) continue;
        std::error_code unknown; // reading the file names the reason
        const std::uint64_t bytes = input.collection
                                        ? input.collection->images[input.place].rows *
                                              input.collection->dimensions * sizeof(float)
                                        : std::filesystem::file_size(input.path, unknown);
        if (!unknown) largest = std::max(largest, bytes);
    }
    return largest;
}

} // namespace

std::uint64_t bytes_of_picture(const ImageLimits &limits) {
    constexpr std::uint64_t bytes_a_pixel = 16;
    constexpr std::uint64_t usual_side = 4096; // of one that is not shrunk
    const std::uint64_t side =
        limits.max_side > 0 ? static_cast<std::uint64_t>(limits.max_side) : usual_side;
    return bytes_a_pixel * side * side;
}

StreamCounts stream_descriptors(std::span<const Input> inputs, const Extractor &extractor,
                                const StreamOptions &options, Observer &observer,
                                const std::function<void(Described &&)> &sink) {
    if (!options.doubt.empty()) observer.warning(options.doubt);
    StreamOptions interruptible = options;
    interruptible.image.observer = &observer;
    tbb::task_arena arena(options.threads > 0 ? options.threads : tbb::task_arena::automatic);
    // Enough to keep every thread busy while a slow image holds up the order. Waiting are
    // descriptors, eleven megabytes for an image of 1024 pixels a side, or counts, with a megabyte
    // of pixels in case a device fails.
    const bool light = options.counter != nullptr && std::ranges::none_of(inputs, [](auto &input) {
                           return is_descriptor_file(input.path);
                       });
    const std::size_t per_thread = light ? 32 : 4;
    const std::size_t most = per_thread * static_cast<std::size_t>(arena.max_concurrency());
    const std::uint64_t bytes =
        std::max(bytes_of_picture(options.image) / (light ? 8 : 1), bytes_of_largest(inputs));
    const std::size_t in_flight = options.in_flight > 0 ? options.in_flight : fitting(most, bytes);
    return arena.execute(
        [&] { return Stream(inputs, extractor, interruptible, observer, sink).run(in_flight); });
}

} // namespace bowhist
