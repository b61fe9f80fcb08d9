#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/duplicates/duplicates.hpp>
#include <bowhist/library/not_same.hpp>
#include <bowhist/serve/live_library.hpp>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace bowhist {

/// The copies in a library, which are found when they are first asked for, on a thread of their
/// own, and again when the library's images changed. Any thread.
class Copies {
  public:
    /// All outlive it.
    Copies(const ServeRequest &request, const LiveLibrary &live, const Observer &observer);
    ~Copies();
    Copies(const Copies &) = delete;
    Copies &operator=(const Copies &) = delete;

    struct State {
        std::shared_ptr<const Duplicates> found = {}; ///< or, while they are looked for, null:
        std::size_t done = 0, total = 0;              ///< of the stage that runs
        std::string problem = {};                     ///< why they cannot be found
    };
    /// @param patience  how long to wait for them
    State get(std::chrono::milliseconds patience);

    /// Remembers in the library that two images differ, and takes them apart here.
    /// @throws Error{Fault::output} where it cannot be written
    void part(const LibraryImage &one, const LibraryImage &other);

  private:
    class Progress;

    void find();

    const ServeRequest &request_;
    const LiveLibrary &live_;
    const Observer &observer_;
    std::mutex mutex_; ///< of those below
    std::condition_variable is_found_;
    std::thread finder_;
    bool is_running_ = false;
    std::string stamp_; ///< of the images that found_ is of
    State state_;
    NotSame parted_; ///< since the server started: a finder that runs may not know of them
    std::atomic<std::size_t> done_ = 0, total_ = 0;
    std::atomic<bool> is_ending_ = false;
};

/// What remains of groups where pairs are known to differ: images that are held against one that
/// they differ from start a group of their own, with what is held against them.
Duplicates without(const Duplicates &found, const NotSame &pairs);

} // namespace bowhist
