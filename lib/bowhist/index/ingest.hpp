#pragma once

#include <bowhist/library/catalogue.hpp>
#include <bowhist/library/describer.hpp>

#include <chrono>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace bowhist {

/// A file to read.
struct FileJob {
    FileRow row;                        ///< without an id where it is new; its stamp is the file's
    std::string path;                   ///< as it is printed
    std::string opened;                 ///< the same file, as it is opened from here
    std::optional<RowId> expected = {}; ///< its content, if it is as it seems: unchanged
    bool is_touched = false;            ///< its ctime changed: other bytes are no surprise
};

struct IngestCounts {
    std::size_t described = 0; ///< contents that were decoded
    std::size_t skipped = 0;   ///< files that cannot be used; no other count has them
    std::size_t added = 0;     ///< files that no run has used before
    std::size_t changed = 0;   ///< files that have another content
    std::size_t same = 0;      ///< files with another size or time, and the content they had
    std::size_t differ = 0;    ///< of `changed` those that were there with the size and time they had
};

/// How a run writes.
struct IngestOptions {
    StreamOptions stream = {};
    bool dry = false;         ///< reads nothing, and writes only rows of new files
    bool all_at_once = false; ///< one transaction, which the caller begins and commits
    std::function<void()> after_commit = [] {};
};

/// Reads files and writes their rows: those of contents that the library lacks with their
/// descriptions. Commits every few seconds.
///
/// Protocol: add*, then finish. One thread; it uses others.
class Ingest {
  public:
    /// All outlive it.
    /// @param describer  null in a dry run
    Ingest(Catalogue &catalogue, Describer *describer, const IngestOptions &options,
           Observer &observer);
    ~Ingest();

    void add(FileJob &&job);
    /// Works on what was added, and commits.
    void finish();
    /// Commits what is there, and leaves the rest: after an error. Commits nothing where a content
    /// was not written to its end.
    void rescue() noexcept;

    const IngestCounts &counts() const { return counts_; }

    /// A file of a content that the library has is there.
    void note_content(RowId content) { has_image_ = has_image_ || !catalogue_.is_skipped(content); }
    /// Whether the run met an image that can be used; until then nothing is committed.
    bool has_image() const { return has_image_; }

    /// Begins to write, if nothing has yet. All writing of a run goes between this and commits.
    void begin_writing();

  private:
    struct Passing;
    struct Failure;

    void work();
    void read(Passing &passing) const;
    void look_up(Passing &passing);
    void extract(Passing &passing) const;
    std::optional<Failure> describe(Passing &passing, ImageFile &file,
                                    std::optional<Isolation> isolation) const;
    std::optional<Failure> tried_again(Passing &passing, const std::string &why) const;
    void deliver(Passing &&passing);
    void describe_batch();
    void write_batch();
    void write(Passing &passing);
    void find_content(Passing &passing);
    void put_content(Passing &passing);
    void count(const Passing &passing, std::optional<RowId> before);
    void commit();
    bool is_due() const;

    Catalogue &catalogue_;
    Describer *describer_;
    IngestOptions options_;
    Observer &observer_;
    std::mutex mutex_; ///< of the catalogue
    std::vector<FileJob> jobs_;
    std::set<std::string> in_flight_; ///< hashes
    std::vector<Passing> batch_;
    std::size_t batch_rows_ = 0;
    bool is_torn_ = false; ///< a content is without some of its rows
    std::chrono::steady_clock::time_point last_commit_ = std::chrono::steady_clock::now();
    IngestCounts counts_;
    bool has_image_ = false;
    std::size_t done_ = 0;
    std::size_t added_ = 0;
};

} // namespace bowhist
