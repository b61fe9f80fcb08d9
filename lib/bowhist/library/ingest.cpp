#include <bowhist/library/ingest.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/core/run_whole.hpp>
#include <bowhist/library/content_hash.hpp>

#include <fmt/format.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <memory>
#include <new>
#include <utility>

namespace bowhist {
namespace {

constexpr std::size_t jobs_together = 4096;
constexpr std::size_t batch_rows = std::size_t{1} << 17; // of both descriptions
constexpr std::size_t batch_images = 256;
constexpr std::int64_t unknown_time = -1;
constexpr std::chrono::seconds between_commits{2};

/// A file that was written just now may be written again within the clock's step, and keep its
/// time: its time then counts as unknown, so that the next run reads it once more. A time hours
/// ahead is a camera's wrong clock, and no time of writing.
FileStamp settled(FileStamp stamp) {
    using namespace std::chrono;
    constexpr std::int64_t step = 10'000'000; // nanoseconds
    constexpr std::int64_t hour = 3'600'000'000'000;
    const auto now = duration_cast<nanoseconds>(system_clock::now().time_since_epoch()).count();
    if (stamp.modified > now - step && stamp.modified < now + hour) stamp.modified = unknown_time;
    return stamp;
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
    std::string damage = {};  ///< a warning
    std::string hash = {};
    std::optional<RowId> content = {}; ///< that the library has
    std::optional<RowId> retried = {}; ///< the same, skipped before and read again
    bool repeats = false;              ///< a file before it, in flight, has the same bytes
    std::unique_ptr<ImageBytes> bytes = {};
    ExtractedImage extracted = {};
    std::optional<ContentRow> row = {}; ///< of an image, once it is described

    bool is_new() const { return problem.empty() && !content && !repeats; }
};

Ingest::Ingest(Catalogue &catalogue, Describer *describer, const IngestOptions &options,
               Observer &observer)
    : catalogue_(catalogue), describer_(describer), options_(options), observer_(observer) {
    options_.stream.image.observer = &observer;
}

Ingest::~Ingest() = default;

void Ingest::add(FileJob &&job) {
    if (options_.dry) {
        if (job.row.id == 0) catalogue_.insert(job.row);
        return;
    }
    jobs_.push_back(std::move(job));
    ++added_;
    if (jobs_.size() >= jobs_together) work();
}

void Ingest::finish() {
    work();
    commit();
}

void Ingest::rescue() noexcept {
    try {
        if (is_torn_ && catalogue_.database().in_transaction())
            catalogue_.database().run("ROLLBACK");
        else
            commit();
    } catch (const Error &) { // the error before it is the one to report
    }
}

void Ingest::begin_writing() {
    if (!catalogue_.database().in_transaction()) catalogue_.database().run("BEGIN IMMEDIATE");
}

void Ingest::commit() {
    last_commit_ = std::chrono::steady_clock::now();
    if (options_.dry || options_.all_at_once) return;
    if (catalogue_.database().in_transaction()) catalogue_.database().run("COMMIT");
    options_.after_commit();
}

bool Ingest::is_due() const {
    return std::chrono::steady_clock::now() - last_commit_ >= between_commits;
}

void Ingest::work() {
    if (jobs_.empty()) return;
    using tbb::filter_mode;
    using Item = std::shared_ptr<Passing>;
    tbb::task_arena arena(options_.stream.threads > 0 ? options_.stream.threads
                                                      : tbb::task_arena::automatic);
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
            run_whole([&] { work_on(*item); }); // also where another image ends the run
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
                    [this](const Item &item) { run_whole([&] { deliver(std::move(*item)); }); }));
        write_batch();
    });
    jobs_.clear();
}

void Ingest::read(Passing &passing) const {
    try {
        passing.bytes = std::make_unique<ImageBytes>(passing.job.opened, options_.stream.image);
        passing.job.row.stamp = settled(passing.bytes->stamp());
        passing.hash = content_hash(passing.bytes->bytes());
        passing.bytes->require_unchanged();
    } catch (const Error &error) {
        if (error.fault != Fault::input) throw;
        passing.problem = fmt::format("{}: {}", std::filesystem::path(passing.job.path),
                                      without_path(error.what(), passing.job.opened));
        passing.bytes.reset();
    }
}

void Ingest::look_up(Passing &passing) {
    if (!passing.problem.empty()) return;
    const std::lock_guard lock(mutex_);
    const auto known = catalogue_.content(passing.hash);
    if (known && known->skipped && options_.reads_skipped)
        passing.retried = known->id;
    else if (known)
        passing.content = known->id;
    passing.repeats = !passing.content && !in_flight_.insert(passing.hash).second;
    if (!passing.is_new()) passing.bytes.reset();
}

void Ingest::extract(Passing &passing) const {
    if (!passing.is_new()) return;
    const std::string &path = passing.job.path;
    try {
        ImageFile file = passing.bytes->take(options_.stream.image);
        passing.extracted = describer_->extract(file, path);
        if (!passing.extracted.damage.empty())
            passing.damage = fmt::format("{}: damaged ({}), taken as it is",
                                         std::filesystem::path(path), passing.extracted.damage);
        if (describer_->describes_alone())
            passing.row = describer_->describe_alone(std::exchange(passing.extracted, {}));
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
    if (batch_rows_ >= batch_rows || batch_.size() >= batch_images || is_due()) write_batch();
    observer_.progress("pictures", ++done_, added_);
}

void Ingest::describe_batch() {
    std::vector<ExtractedImage> images;
    std::vector<Passing *> waiting;
    for (Passing &passing : batch_) {
        if (!passing.is_new() || !passing.flaw.empty() || passing.row) continue;
        images.push_back(std::move(passing.extracted));
        waiting.push_back(&passing);
    }
    if (images.empty()) return;
    std::vector<ContentRow> rows = describer_->describe(images);
    for (std::size_t i = 0; i < rows.size(); ++i) waiting[i]->row = std::move(rows[i]);
}

void Ingest::write_batch() {
    describe_batch();
    const std::lock_guard lock(mutex_);
    begin_writing();
    for (Passing &passing : batch_) write(passing);
    batch_.clear();
    batch_rows_ = 0;
    if (is_due()) commit();
}

void Ingest::write(Passing &passing) {
    FileRow &file = passing.job.row;
    const bool cannot_verify = passing.job.expected && !passing.problem.empty();
    if (cannot_verify) return write_problem(passing); // its row stays
    const auto before = std::exchange(file.content, std::nullopt);
    file.gone.reset();
    file.skipped.reset();
    if (!passing.problem.empty())
        write_problem(passing);
    else if (passing.is_new())
        write_content(passing);
    else
        file.content = passing.content ? *passing.content : catalogue_.content(passing.hash)->id;
    if (before && before == file.content && !passing.job.expected) ++counts_.same;
    if (passing.job.expected && passing.job.expected != file.content) {
        ++counts_.differ;
        observer_.warning(fmt::format("{}: its bytes changed, and its size and time did not",
                                      std::filesystem::path(passing.job.path)));
    }
    if (file.id == 0)
        catalogue_.insert(file);
    else
        catalogue_.update(file);
}

void Ingest::skip(const std::string &reason) {
    if (options_.stream.strict) throw Error(Fault::input, reason);
    observer_.skipped(reason);
    ++counts_.skipped;
}

void Ingest::write_problem(Passing &passing) {
    skip(passing.problem);
    passing.job.row.skipped = without_path(passing.problem, passing.job.path);
}

void Ingest::write_content(Passing &passing) {
    ContentRow row;
    if (passing.flaw.empty()) {
        row = *std::move(passing.row);
        ++counts_.described;
        if (!passing.damage.empty()) observer_.warning(passing.damage);
    } else {
        row.skipped = passing.flaw;
        skip(fmt::format("{}: {}", std::filesystem::path(passing.job.path), passing.flaw));
    }
    row.hash = passing.hash;
    row.id = passing.retried.value_or(0);
    is_torn_ = true;
    passing.job.row.content = catalogue_.put(row);
    is_torn_ = false;
    in_flight_.erase(row.hash);
}

} // namespace bowhist
