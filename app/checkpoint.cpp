#include "app/checkpoint.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/atomic_file.hpp>
#include <bowhist/tables/checkpoint_file.hpp>
#include <bowhist/tables/vocabulary_file.hpp>

#include <fmt/format.h>

#include <utility>

namespace bowhist::app {

Checkpoint::Checkpoint(std::filesystem::path path, Observer &observer)
    : path_(std::move(path)), observer_(observer) {
    if (path_.empty()) return;
    from_ = read_checkpoint(path_);
    const AtomicFile writable(path_);
}

void Checkpoint::attach(const DescriptorRows &rows, TrainOptions &options) {
    if (path_.empty()) return;
    descriptors_ = fingerprint_of_rows(rows);
    if (from_) {
        require_same(options, rows.dimensions());
        options.from = &*from_;
    }
    options.keep = [this](TrainingState &&state) { keep(std::move(state)); };
}

void Checkpoint::require_same(const TrainOptions &options, std::size_t dimensions) const {
    const auto refuse = [&](const std::string &what, const char *next) {
        throw Error(Fault::usage,
                    fmt::format("{}: is a checkpoint of {}; {}", printable(path_), what, next));
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

void Checkpoint::keep(TrainingState &&state) {
    constexpr std::chrono::seconds apart(5);
    last_ = std::move(state);
    last_->descriptors = descriptors_;
    if (std::chrono::steady_clock::now() - written_ >= apart) write();
}

void Checkpoint::write() {
    if (!last_) return;
    try {
        write_checkpoint(path_, *last_);
    } catch (const Error &error) {
        observer_.warning(fmt::format("no checkpoint: {}", error.what()));
    }
    last_.reset();
    written_ = std::chrono::steady_clock::now();
}

} // namespace bowhist::app
