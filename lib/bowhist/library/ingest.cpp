#include <bowhist/library/ingest.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>

#include <fmt/format.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>
#include <xxhash.h>

#include <memory>
#include <new>

namespace bowhist {
namespace {

constexpr std::size_t jobs_together = 4096;
constexpr std::size_t batch_rows = std::size_t{1} << 18; // of both descriptions
constexpr std::size_t batch_images = 256;
constexpr std::chrono::seconds between_commits{2};

std::string hash_of(std::string_view bytes) {
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes.data(), bytes.size()));
    return {reinterpret_cast<const char *>(canonical.digest), sizeof(canonical.digest)};
}

/// Without the path that stands in front: the row knows it, and its file may move.
std::string without_path(const std::string &message, const std::string &path) {
    const std::string front = printable(path) + ": ";
    return message.starts_with(front) ? message.substr(front.size()) : message;
}

} // namespace

/// A file on its way.
struct Ingest::Passing {
    FileJob job;
    std::string problem = {}; ///< why it cannot be read now
    std::string flaw = {};    ///< why its bytes are no use
    std::string hash = {};
    std::optional<RowId> content = {}; ///< that the library has
    bool repeats = false;              ///< a file before it, in flight, has the same bytes
    std::unique_ptr<ImageBytes> bytes = {};
    ExtractedImage extracted = {};

    bool is_new() const { return problem.empty() && !content && !repeats; }
};

Ingest::Ingest(Catalogue &catalogue, Describer &describer, const StreamOptions &stream,
               Observer &observer)
    : catalogue_(catalogue), describer_(describer), stream_(stream), observer_(observer) {
    stream_.image.observer = &observer;
}

Ingest::~Ingest() = default;

void Ingest::add(FileJob &&job) {
    jobs_.push_back(std::move(job));
    ++added_;
    if (jobs_.size() >= jobs_together) work();
}

void Ingest::finish() {
    work();
    if (catalogue_.database().in_transaction()) catalogue_.database().run("COMMIT");
}

void Ingest::begin_writing() {
    if (!catalogue_.database().in_transaction()) catalogue_.database().run("BEGIN IMMEDIATE");
}

void Ingest::commit_if_due() {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_commit_ < between_commits) return;
    if (catalogue_.database().in_transaction()) catalogue_.database().run("COMMIT");
    last_commit_ = now;
}

void Ingest::work() {
    if (jobs_.empty()) return;
    using tbb::filter_mode;
    using Item = std::shared_ptr<Passing>;
    tbb::task_arena arena(stream_.threads > 0 ? stream_.threads : tbb::task_arena::automatic);
    const std::size_t in_flight = 4 * static_cast<std::size_t>(arena.max_concurrency());
    std::size_t next = 0;
    const auto start = [&](tbb::flow_control &flow) -> Item {
        observer_.stop_if_interrupted();
        if (next < jobs_.size())
            return std::make_shared<Passing>(Passing{std::move(jobs_[next++])});
        flow.stop();
        return nullptr;
    };
    const auto pass = [](const auto &work_on) {
        return [work_on](const Item &item) {
            work_on(*item);
            return item;
        };
    };
    arena.execute([&] {
        tbb::parallel_pipeline(
            in_flight,
            tbb::make_filter<void, Item>(filter_mode::serial_in_order, start) &
                tbb::make_filter<Item, Item>(filter_mode::parallel,
                                             pass([this](Passing &one) { read(one); })) &
                tbb::make_filter<Item, Item>(filter_mode::serial_in_order,
                                             pass([this](Passing &one) { look_up(one); })) &
                tbb::make_filter<Item, Item>(filter_mode::parallel,
                                             pass([this](Passing &one) { extract(one); })) &
                tbb::make_filter<Item, void>(
                    filter_mode::serial_in_order,
                    [this](const Item &item) { deliver(std::move(*item)); }));
        write_batch();
    });
    jobs_.clear();
}

void Ingest::read(Passing &passing) const {
    try {
        passing.bytes = std::make_unique<ImageBytes>(passing.job.path, stream_.image);
        passing.hash = hash_of(passing.bytes->bytes());
        passing.bytes->require_unchanged();
    } catch (const Error &error) {
        if (error.fault != Fault::input) throw;
        passing.problem = error.what();
        passing.bytes.reset();
    }
}

void Ingest::look_up(Passing &passing) {
    if (!passing.problem.empty()) return;
    const std::lock_guard lock(mutex_);
    passing.content = catalogue_.content(passing.hash);
    if (passing.content) return passing.bytes.reset();
    passing.repeats = !in_flight_.insert(passing.hash).second;
    if (passing.repeats) passing.bytes.reset();
}

void Ingest::extract(Passing &passing) const {
    if (!passing.is_new()) return;
    const std::string &path = passing.job.path;
    try {
        ImageFile file = passing.bytes->take(stream_.image);
        passing.extracted = describer_.extract(file, path);
    } catch (const std::bad_alloc &) {
        passing.flaw = "its descriptors need more memory than there is; lower --max-side";
    } catch (const Error &error) {
        if (error.fault != Fault::input) throw;
        passing.flaw = without_path(error.what(), path);
    }
    passing.bytes.reset();
}

void Ingest::deliver(Passing &&passing) {
    observer_.stop_if_interrupted();
    const ExtractedImage &extracted = passing.extracted;
    batch_rows_ += extracted.words.size() + extracted.code.size();
    batch_.push_back(std::move(passing));
    if (batch_rows_ >= batch_rows || batch_.size() >= batch_images) write_batch();
    observer_.progress("pictures", ++done_, added_);
}

void Ingest::write_batch() {
    std::vector<ExtractedImage> images;
    for (Passing &passing : batch_)
        if (passing.is_new() && passing.flaw.empty())
            images.push_back(std::move(passing.extracted));
    std::vector<ContentRow> rows = describer_.describe(images);
    const std::lock_guard lock(mutex_);
    begin_writing();
    std::size_t next = 0;
    for (Passing &passing : batch_) write(passing, rows, next);
    batch_.clear();
    batch_rows_ = 0;
    commit_if_due();
}

void Ingest::write(Passing &passing, std::vector<ContentRow> &rows, std::size_t &next) {
    FileRow &file = passing.job.row;
    const std::string &path = passing.job.path;
    file.gone.reset();
    file.skipped.reset();
    file.content.reset();
    if (!passing.problem.empty()) {
        observer_.skipped(passing.problem);
        ++counts_.skipped;
        file.skipped = without_path(passing.problem, path);
    } else if (passing.is_new()) {
        ContentRow row;
        if (passing.flaw.empty()) {
            row = std::move(rows[next++]);
            ++counts_.described;
        } else {
            row.skipped = passing.flaw;
            observer_.skipped(fmt::format("{}: {}", std::filesystem::path(path), passing.flaw));
            ++counts_.skipped;
        }
        row.hash = passing.hash;
        file.content = catalogue_.insert(row);
        in_flight_.erase(row.hash);
    } else {
        file.content = passing.content ? passing.content : catalogue_.content(passing.hash);
        ++counts_.known;
    }
    if (file.id == 0)
        catalogue_.insert(file);
    else
        catalogue_.update(file);
}

} // namespace bowhist
