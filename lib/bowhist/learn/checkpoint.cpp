#include <bowhist/learn/checkpoint.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/atomic_file.hpp>
#include <bowhist/tables/vocabulary/checkpoint_file.hpp>
#include <bowhist/tables/vocabulary/vocabulary_file.hpp>

#include <fmt/format.h>

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
    if (from_ && from_->iterations == 0 && from_->gathered) refuse_other_inputs();
    if (from_ && from_->iterations > 0) {
        require_same(options, rows.dimensions());
        options.from = &*from_;
    }
    options.keep = [this](TrainingState &&state) { keep(std::move(state)); };
}

void Checkpoint::require_same(const TrainOptions &options, std::size_t dimensions) const {
    const auto refuse = [&](const std::string &what, const char *next) {
        throw Error(Fault::usage, fmt::format("{}: is a checkpoint of {}; {}", path_, what, next));
    };
    constexpr auto anew = "remove it to train anew, or name another";
    const Vocabulary &centroids = from_->centroids;
    if (centroids.size() != options.k || centroids.dimensions != dimensions)
        refuse(fmt::format("{} words of {} dimensions", centroids.size(), centroids.dimensions),
               anew);
    if (from_->seed != options.seed) refuse(fmt::format("--seed {}", from_->seed), anew);
    if (from_->start != name_of(options.start))
        refuse(fmt::format("--init {}", printable(from_->start)), anew);
    if (from_->descriptors != descriptors_) refuse("other descriptors", anew);
    if (from_->iterations > options.iterations)
        refuse(fmt::format("{} iterations", from_->iterations),
               "give no fewer --iterations, or name another");
}

void Checkpoint::refuse_other_inputs() const {
    throw Error(Fault::usage,
                fmt::format("{}: is a checkpoint of other inputs, or of other options for them; "
                            "remove it to train anew, or name another",
                            path_));
}

std::optional<GatheredSample> Checkpoint::take_gathered(const std::string &inputs) {
    if (!from_ || !from_->gathered) return std::nullopt;
    const bool is_same = from_->gathered->inputs == inputs;
    if (!is_same && from_->iterations == 0) refuse_other_inputs();
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

} // namespace bowhist
