#pragma once

#include <bowhist/duplicates/duplicates.hpp>
#include <bowhist/library/not_same.hpp>
#include <bowhist/serve/background.hpp>
#include <bowhist/serve/live_library.hpp>

#include <chrono>
#include <mutex>

namespace bowhist {

/// The copies in a library. Any thread.
class Copies {
  public:
    /// All outlive it.
    Copies(const ServeRequest &request, const LiveLibrary &live, const Observer &observer);

    using State = Background<Duplicates>::State;
    State get(std::chrono::milliseconds patience) {
        return found_.get(live_.now()->stamp(), patience);
    }

    /// Remembers in the library that two images differ, and takes them apart here.
    /// @throws Error{Fault::output} where it cannot be written
    void part(const LibraryImage &one, const LibraryImage &other);

  private:
    Duplicates find(Observer &observer);

    const ServeRequest &request_;
    const LiveLibrary &live_;
    std::mutex mutex_; ///< of parted_
    NotSame parted_;   ///< since the server started: a search that runs may not know of them
    Background<Duplicates> found_;
};

/// What remains of groups where pairs are known to differ: images that are held against one that
/// they differ from start a group of their own, with what is held against them.
Duplicates without(const Duplicates &found, const NotSame &pairs);

} // namespace bowhist
