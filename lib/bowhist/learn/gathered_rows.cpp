#include <bowhist/learn/gathered_rows.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/atomic_file.hpp>
#include <bowhist/tables/descriptors/collection_rows.hpp>
#include <bowhist/tables/formats/sidecar_json.hpp>
#include <bowhist/tables/vocabulary/checkpoint_file.hpp>
#include <bowhist/tables/vocabulary/vocabulary_file.hpp>
#include <bowhist/train/sample.hpp>

#include <fmt/format.h>
#include <malloc.h>
#include <sys/stat.h>

#include <algorithm>
#include <utility>

namespace bowhist {

Checkpoint::Checkpoint(std::filesystem::path path, Observer &observer)
    : path_(std::move(path)), observer_(observer) {
    if (path_.empty()) return;
    from_ = read_checkpoint(path_);
    const AtomicFile writable(path_);
}

void Checkpoint::attach(const DescriptorRows &rows, TrainOptions &options) {
    if (path_.empty()) return;
    descriptors_ = fingerprint_of_rows(rows);
    if (from_ && from_->iterations == 0 && from_->gathered) refuse(other_inputs);
    if (from_ && from_->iterations > 0) {
        require_same(options, rows.dimensions());
        options.from = &*from_;
    }
    options.keep = [this](TrainingState &&state) { keep(std::move(state)); };
}

void Checkpoint::require_same(const TrainOptions &options, std::size_t dimensions) const {
    const Vocabulary &centroids = from_->centroids;
    if (centroids.size() != options.k || centroids.dimensions != dimensions)
        refuse(fmt::format("{} words of {} dimensions", centroids.size(), centroids.dimensions));
    if (from_->seed != options.seed) refuse(fmt::format("--seed {}", from_->seed));
    if (from_->start != name_of(options.start))
        refuse(fmt::format("--init {}", printable(from_->start)));
    if (from_->descriptors != descriptors_) refuse("other descriptors");
    if (from_->iterations > options.iterations)
        refuse(fmt::format("{} iterations", from_->iterations),
               "give no fewer --iterations, or name another");
}

void Checkpoint::refuse(const std::string &what, const char *next) const {
    throw Error(Fault::usage, fmt::format("{}: is a checkpoint of {}; {}", path_, what, next));
}

std::optional<GatheredSample> Checkpoint::take_gathered(const std::string &inputs) {
    if (!from_ || !from_->gathered) return std::nullopt;
    const bool is_same = from_->gathered->inputs == inputs;
    if (!is_same && from_->iterations == 0) refuse(other_inputs);
    std::optional<GatheredSample> gathered = std::exchange(from_->gathered, std::nullopt);
    if (from_->iterations > 0) last_ = *from_; // to be written without them, once it is over
    is_written_ = !last_.has_value();
    return is_same ? std::move(gathered) : std::nullopt;
}

void Checkpoint::write_interrupted(const TrainOptions &options, GatheredSample &&gathered) {
    if (path_.empty()) return;
    if (!last_ && from_) last_ = std::move(from_);
    if (!last_) last_ = TrainingState{{}, options.seed, std::string(name_of(options.start))};
    last_->gathered = std::move(gathered);
    is_written_ = false;
    write();
}

void Checkpoint::keep(TrainingState &&state) {
    constexpr std::chrono::seconds apart(5);
    last_ = std::move(state);
    last_->descriptors = descriptors_;
    is_written_ = false;
    if (std::chrono::steady_clock::now() - written_ >= apart) write();
}

void Checkpoint::write() {
    if (is_written_) return;
    try {
        write_checkpoint(path_, *last_);
    } catch (const Error &error) {
        observer_.warning(fmt::format("no checkpoint: {}", error.what()));
    }
    is_written_ = true;
    written_ = std::chrono::steady_clock::now();
}

namespace {

/// An error after the user asked to stop may be due to that.
bool is_interruption(const Error &error, const Observer &observer) {
    return error.fault == Fault::interrupted || observer.interrupted();
}

/// The fingerprint of the inputs, and of all that decides which of their descriptors are drawn.
std::string fingerprint_of(const InputList &list, const MemoryRequest &request,
                           const Recipe &recipe, const ImageLimits &limits) {
    std::string text = fmt::format("{} {} {} {} {} {}", text_of(as_json(recipe), -1),
                                   request.sample, request.training->seed, limits.max_pixels,
                                   limits.max_bytes.value_or(0), limits.keep_damaged);
    for (const Input &input : list.inputs) {
        struct stat file {};
        ::stat(input.path.c_str(), &file); // what is missing has no size
        text += '\0' + input.path.native() + '\0';
        text += fmt::format("{} {} {}.{}", input.place, file.st_size, file.st_mtim.tv_sec,
                            file.st_mtim.tv_nsec);
    }
    return fingerprint_of_bytes(text);
}

/// The state of gathering, without the rows.
GatheredSample state_of(const std::string &inputs, const StreamCounts &counts,
                        const DescriptorSample &sample) {
    return {.inputs = inputs,
            .done = counts.read + counts.skipped,
            .skipped = counts.skipped,
            .few = counts.few,
            .none = counts.none,
            .seen = sample.seen(),
            .draws = sample.draws()};
}

/// @return the counts of the inputs gathered before
StreamCounts resume(GatheredSample &&earlier, const InputList &list, DescriptorSample &sample) {
    if (earlier.done > list.inputs.size() ||
        !sample.resume(std::move(earlier.rows), earlier.seen, earlier.draws))
        throw Error(Fault::usage, "the checkpoint is damaged; remove it to train anew");
    return {.read = earlier.done - earlier.skipped,
            .skipped = earlier.skipped,
            .few = earlier.few,
            .none = earlier.none};
}

} // namespace

GatheredRows gather_rows(const MemoryRequest &request, const InputList &list, const Recipe &recipe,
                         const Extractor &extractor, StreamOptions options, Checkpoint &checkpoint,
                         Observer &observer) {
    constexpr int large = 1 << 20; // bytes; what is freed of them goes back to the system at once
    if (request.memory > 0) ::mallopt(M_MMAP_THRESHOLD, large);
    const TrainingMemory memory(request, list);
    options.in_flight = memory.in_flight();
    GatheredRows gathered;
    options.so_far = &gathered.counts;
    DescriptorSample sample(request.sample, request.training->seed);
    std::unique_ptr<CollectionRows> in_files;
    if (memory.part() > 0) in_files = std::make_unique<CollectionRows>(memory.part(), observer);
    const bool keeps = checkpoint.is_wanted() && any_image(list); // what is costly to get
    std::string inputs;
    if (keeps) {
        inputs = fingerprint_of(list, request, recipe, options.image);
        if (auto earlier = checkpoint.take_gathered(inputs)) {
            options.dimensions = earlier->rows.dimensions;
            gathered.counts = resume(std::move(*earlier), list, sample);
            observer.note(fmt::format("{} of {} inputs are in the checkpoint",
                                      gathered.counts.read + gathered.counts.skipped,
                                      list.inputs.size()));
        }
    }
    std::size_t most = request.sample;
    std::size_t dimensions = 0;
    const auto add = [&](Described &&described) {
        const Descriptors &some = described.descriptors;
        if (!gathered.made_by) gathered.made_by = described.recipe;
        if (in_files) return in_files->add(described.input.collection, described.input.place);
        if (sample.seen() == 0 && some.size() > 0) {
            dimensions = some.dimensions;
            most = memory.sample(dimensions);
            sample.lower(most);
            // A vector that grows holds its numbers twice.
            if (request.memory == 0) sample.reserve(most * dimensions);
        }
        const std::uint64_t all = sample.size() + some.size();
        memory.require_room(request.sample == 0 ? all
                                                : std::min<std::uint64_t>(all, request.sample),
                            some.dimensions);
        sample.reserve(memory.expected() * some.dimensions);
        sample.add(some.values, some.dimensions);
    };
    try {
        gathered.counts = stream_descriptors(list.inputs, extractor, options, observer, add);
    } catch (const Error &error) {
        if (keeps && is_interruption(error, observer) && sample.size() > 0) {
            GatheredSample so_far = state_of(inputs, gathered.counts, sample);
            so_far.rows = std::move(sample).take();
            checkpoint.write_interrupted(*request.training, std::move(so_far));
        }
        throw;
    }
    if (dimensions > 0) memory.require_words(sample.size(), dimensions);
    if (most != request.sample && sample.seen() > most)
        observer.warning(fmt::format("learning from {} of {} descriptors, those that half of the "
                                     "free memory holds; more memory, or --memory, takes more",
                                     most, sample.seen()));
    if (keeps) gathered.kept = state_of(inputs, gathered.counts, sample);
    if (in_files) {
        in_files->keep(memory.left_over());
        gathered.seen = in_files->size();
        gathered.rows = std::move(in_files);
    } else {
        gathered.seen = sample.seen();
        gathered.in_memory = std::make_unique<Descriptors>(std::move(sample).take());
        gathered.rows = std::make_unique<RowsInMemory>(*gathered.in_memory);
    }
    gathered.total = gathered.rows->size();
    return gathered;
}

Training keeping(GatheredRows &gathered, const TrainOptions &options, Checkpoint &checkpoint,
                 const Observer &observer, const std::function<Training()> &train) {
    try {
        Training training = train();
        checkpoint.write();
        return training;
    } catch (const Error &error) {
        if (!is_interruption(error, observer)) throw;
        if (gathered.kept && gathered.in_memory && gathered.in_memory->size() > 0) {
            gathered.kept->rows = std::move(*gathered.in_memory);
            checkpoint.write_interrupted(options, std::move(*gathered.kept));
        }
        checkpoint.write();
        throw;
    }
}

} // namespace bowhist
