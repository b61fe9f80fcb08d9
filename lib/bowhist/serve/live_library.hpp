#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/library/library_watch.hpp>
#include <bowhist/serve/snapshot.hpp>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

namespace bowhist {

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

    const ServeRequest &request_;
    Observer &observer_;
    LibraryWatch watch_;
    mutable std::mutex mutex_; ///< of those below
    std::condition_variable ends_;
    bool is_ending_ = false;
    std::shared_ptr<Snapshot> now_;
    std::thread watcher_;
};

} // namespace bowhist
