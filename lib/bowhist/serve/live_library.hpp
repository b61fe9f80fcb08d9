#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/library/file/library_watch.hpp>
#include <bowhist/library/library.hpp>
#include <bowhist/search/shared_search.hpp>
#include <bowhist/serve/serve.hpp>

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace bowhist {

/// A library as it was at one moment, for many threads.
class Snapshot {
  public:
    /// @throws as Library, SharedSearch
    Snapshot(const ServeRequest &request, Observer &observer);

    SharedSearch &search() { return search_; }
    const LibraryStatus &status() const { return status_; }
    const LibraryGroups &groups() const { return groups_; }
    /// The first of the files that are skipped.
    const std::vector<SkippedFile> &skips() const { return skips_; }
    static constexpr std::size_t most_skips = 1000;

    /// Differs where images came, went or changed.
    std::string stamp() const;
    /// Differs where groups have other images or names.
    const std::string &stamp_of_groups() const { return stamp_of_groups_; }

    std::optional<LibraryImage> image(std::int64_t id);
    std::optional<LibraryImage> image(const std::string &path);
    /// The first by its path of the images with a hash.
    std::optional<LibraryImage> image_of_hash(const std::string &hash);
    /// A JPEG; empty where the library holds no sound one.
    std::string thumbnail(const LibraryImage &image);
    /// Images in the order of path bytes. @param most  of them, from `first` on
    std::vector<LibraryImage> images(std::size_t first, std::size_t most);

  private:
    const std::vector<std::int64_t> &ids();

    std::mutex mutex_; ///< of the library and ids_
    Library library_;
    LibraryGroups groups_;
    std::string stamp_of_groups_;
    LibraryStatus status_;
    std::vector<SkippedFile> skips_;
    std::vector<std::int64_t> ids_; ///< in the order of paths; empty until it is asked for
    SharedSearch search_;
};

/// A library that others may write: its newest state that could be opened.
class LiveLibrary {
  public:
    /// @throws as Snapshot
    LiveLibrary(const ServeRequest &request, Observer &observer);
    ~LiveLibrary();
    LiveLibrary(const LiveLibrary &) = delete;
    LiveLibrary &operator=(const LiveLibrary &) = delete;

    /// The snapshot of which all parts of an answer are made. Any thread.
    std::shared_ptr<Snapshot> now() const;

  private:
    std::shared_ptr<Snapshot> opened();
    void watch();
    void take_state();
    void take_log_in();

    const ServeRequest &request_;
    Observer &observer_;
    LibraryWatch watch_;
    mutable std::mutex mutex_; ///< of those below
    std::condition_variable ends_;
    bool is_ending_ = false;
    std::shared_ptr<Snapshot> now_;
    bool is_log_in_ = false; ///< of the watcher: whether the file alone is whole
    std::thread watcher_;
};

} // namespace bowhist
