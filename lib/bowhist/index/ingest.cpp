#include <bowhist/index/ingest.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/core/run_whole.hpp>
#include <bowhist/io/free_memory.hpp>
#include <bowhist/library/file/content_hash.hpp>

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
std::int64_t settled(std::int64_t time) {
    using namespace std::chrono;
    constexpr std::int64_t step = 10'000'000; // nanoseconds
    constexpr std::int64_t hour = 3'600'000'000'000;
    const auto now = duration_cast<nanoseconds>(system_clock::now().time_since_epoch()).count();
    return time > now - step && time < now + hour ? unknown_time : time;
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
    std::string problem = {}; ///< why it cannot be used now
    std::string flaw = {};    ///< why its bytes are no use
    std::string damage = {};  ///< a warning
    std::string hash = {};
    std::optional<RowId> content = {}; ///< that the library has
    bool repeats = false;              ///< a file before it, in flight, has the same bytes
    std::unique_ptr<ImageBytes> bytes = {};
    ExtractedImage extracted = {};
    std::optional<ContentRow> row = {}; ///< of an image, once it is described

    bool is_new() const { return problem.empty() && !content && !repeats; }
    const std::string &reason() const { return problem.empty() ? flaw : problem; }
};

/// Why an image cannot be described.
struct Ingest::Failure {
    std::string why;
    Cause cause = Cause::unknown;
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
    if (options_.dry || options_.all_at_once || !has_image_) return;
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
    const std::size_t in_flight = // with both descriptions of each
        fitting(4 * static_cast<std::size_t>(arena.max_concurrency()),
                2 * bytes_of_picture(options_.stream.image));
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
        FileRow &row = passing.job.row;
        row.stamp = passing.bytes->stamp();
        row.stamp.modified = settled(row.stamp.modified);
        row.changed = settled(passing.bytes->changed());
        passing.hash = content_hash(passing.bytes->bytes());
        passing.bytes->require_unchanged();
    } catch (const std::bad_alloc &) {
        passing.problem = "not enough memory to read it";
    } catch (const Error &error) {
        if (error.fault != Fault::input) throw;
        passing.problem = without_path(error.what(), passing.job.opened);
    }
    if (passing.problem.empty()) return;
    passing.bytes.reset();
    passing.hash.clear(); // it may be that of a file in flight
}

void Ingest::look_up(Passing &passing) {
    if (!passing.problem.empty()) return;
    const std::lock_guard lock(mutex_);
    find_content(passing);
    passing.repeats = !passing.content && !in_flight_.insert(passing.hash).second;
    if (!passing.is_new()) passing.bytes.reset();
}

/// In the library.
void Ingest::find_content(Passing &passing) {
    const auto known = catalogue_.content(passing.hash);
    if (!known) return;
    passing.content = known->id;
    passing.flaw = known->skipped.value_or("");
}

void Ingest::extract(Passing &passing) const {
    if (!passing.is_new()) return;
    std::optional<Failure> failure;
    try {
        ImageFile file = passing.bytes->take(options_.stream.image);
        failure = describe(passing, file, {});
    } catch (const Error &error) {
        if (error.fault != Fault::input) throw;
        failure = {without_path(error.what(), passing.job.opened), Cause::header};
    } catch (const std::bad_alloc &) {
        failure = {"not enough memory to read its header", Cause::memory};
    }
    passing.bytes.reset();
    if (failure && (failure->cause == Cause::unknown || failure->cause == Cause::damage))
        failure = tried_again(passing, failure->why);
    if (failure) (is_of_bytes(failure->cause) ? passing.flaw : passing.problem) = failure->why;
}

std::optional<Ingest::Failure> Ingest::describe(Passing &passing, ImageFile &file,
                                                std::optional<Isolation> isolation) const {
    const std::string &path = passing.job.path;
    try {
        passing.extracted = describer_->extract(file, path, isolation);
        if (!passing.extracted.damage.empty())
            passing.damage = fmt::format("{}: damaged ({}), taken as it is",
                                         std::filesystem::path(path), passing.extracted.damage);
        if (describer_->describes_alone())
            passing.row = describer_->describe_alone(std::exchange(passing.extracted, {}));
    } catch (const std::bad_alloc &) {
        return Failure{"its descriptors need more memory than there is; lower --max-side",
                       Cause::memory};
    } catch (const Error &error) {
        if (error.fault != Fault::input) throw;
        return Failure{without_path(error.what(), path), error.cause};
    }
    return std::nullopt;
}

/// Damage counts once a process that no other image has touched finds it, too.
std::optional<Ingest::Failure> Ingest::tried_again(Passing &passing, const std::string &why) const {
    const ImageLimits &limits = options_.stream.image;
    if (limits.isolation == Isolation::never) return Failure{why};
    try {
        ImageBytes bytes(passing.job.opened, limits);
        if (content_hash(bytes.bytes()) != passing.hash)
            return Failure{"changed while it was read"};
        ImageFile file = bytes.take(limits);
        return describe(passing, file, Isolation::always);
    } catch (const Error &error) {
        if (error.fault != Fault::input) throw;
        return Failure{without_path(error.what(), passing.job.opened)};
    } catch (const std::bad_alloc &) {
        return Failure{why, Cause::memory};
    }
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
    if (!passing.repeats) in_flight_.erase(passing.hash);
    if (passing.is_new())
        put_content(passing);
    else if (passing.repeats)
        find_content(passing);
    if (passing.problem.empty() && !passing.content)
        passing.problem = "a file of the same bytes failed just now";
    const auto before = std::exchange(file.content, passing.content);
    count(passing, before);
    const bool cannot_verify = passing.job.expected && !passing.problem.empty();
    if (cannot_verify) return; // its row stays
    file.gone.reset();
    file.skipped.reset();
    if (!passing.problem.empty()) file.skipped = passing.problem;
    if (file.content) note_content(*file.content);
    if (file.id == 0)
        catalogue_.insert(file);
    else
        catalogue_.update(file);
}

void Ingest::put_content(Passing &passing) {
    ContentRow row;
    if (passing.flaw.empty()) {
        row = *std::move(passing.row);
        ++counts_.described;
        if (!passing.damage.empty()) observer_.warning(passing.damage);
    } else {
        row.skipped = passing.flaw;
    }
    row.hash = passing.hash;
    is_torn_ = true;
    passing.content = catalogue_.put(row);
    is_torn_ = false;
}

/// @param before  the file's content until now
void Ingest::count(const Passing &passing, std::optional<RowId> before) {
    const std::filesystem::path path(passing.job.path);
    const bool is_verified = passing.job.expected && passing.problem.empty();
    if (is_verified && passing.content == before) return;
    if (is_verified) {
        if (!passing.job.row.gone) ++counts_.differ;
        if (!passing.job.is_touched)
            observer_.warning(
                fmt::format("{}: its bytes changed, and its size and time did not", path));
    }
    if (!passing.reason().empty()) {
        const std::string line = fmt::format("{}: {}", path, passing.reason());
        if (options_.stream.strict) throw Error(Fault::input, line);
        observer_.skipped(line);
        ++counts_.skipped;
    } else if (!before || catalogue_.is_skipped(*before)) {
        ++counts_.added;
    } else if (!is_verified || !passing.job.row.gone) { // that is back counts as no more
        ++(before == passing.content ? counts_.same : counts_.changed);
    }
}

} // namespace bowhist
