#pragma once

#include <bowhist/duplicates/duplicates.hpp>
#include <bowhist/library/not_same.hpp>
#include <bowhist/serve/background.hpp>
#include <bowhist/serve/live_library.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

namespace bowhist {

/// The copies in a library. Any thread.
class Copies {
  public:
    /// All outlive it.
    Copies(const ServeRequest &request, const LiveLibrary &live, const Observer &observer);

    using State = Background<Duplicates>::State;
    State get(std::chrono::milliseconds patience);

    /// A text that is made of what was found, once for all who ask for it.
    std::shared_ptr<const std::string> text_of(const std::shared_ptr<const Duplicates> &found,
                                               const std::function<std::string()> &make);

    /// Remembers in the library that two images differ, and takes them apart here.
    /// @throws LibraryBusy where another run writes it for more than a second;
    ///         Error{Fault::output} where it cannot be written
    void part(const LibraryImage &one, const LibraryImage &other);

    /// Forgets in the library that two contents differ; copies are then looked for again.
    /// @return false where that was not remembered  @throws as part()
    bool rejoin(const DifferentPair &pair);

    /// The pairs that the library remembers.
    NotSame not_same();

  private:
    Duplicates find(Observer &observer);
    void write(const std::function<void()> &change);
    void take_in_others();

    const ServeRequest &request_;
    const LiveLibrary &live_;
    std::timed_mutex writing_; ///< the library
    std::mutex text_mutex_;    ///< of text_ and text_is_of_
    std::shared_ptr<const Duplicates> text_is_of_;
    std::shared_ptr<const std::string> text_;
    std::mutex mutex_;             ///< of those below
    NotSame not_same_;             ///< the pairs that the library remembers
    NotSame parted_;               ///< since the server started: a search may not know of them
    std::size_t turns_ = 0;        ///< how often pairs were forgotten, and copies looked for again
    std::weak_ptr<Snapshot> seen_; ///< the state of the library when not_same_ was read
    Background<Duplicates> found_;
};

/// The groups that remain if pairs are known to differ: images of groups that are held against one
/// that they differ from start a group of their own, with what is held against them; images that
/// are apart no longer resemble those that they differ from.
Duplicates without(const Duplicates &found, const NotSame &pairs);

} // namespace bowhist
