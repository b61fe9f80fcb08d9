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
    State get(std::chrono::milliseconds patience) {
        return found_.get(live_.now()->stamp(), patience);
    }

    /// A text that is made of what was found, once for all who ask for it.
    std::shared_ptr<const std::string> text_of(const std::shared_ptr<const Duplicates> &found,
                                               const std::function<std::string()> &make);

    /// Remembers in the library that two images differ, and takes them apart here.
    /// @throws LibraryBusy where another run writes it for more than a second;
    ///         Error{Fault::output} where it cannot be written
    void part(const LibraryImage &one, const LibraryImage &other);

  private:
    Duplicates find(Observer &observer);

    const ServeRequest &request_;
    const LiveLibrary &live_;
    std::timed_mutex writing_; ///< the library
    std::mutex text_mutex_;    ///< of text_ and text_is_of_
    std::shared_ptr<const Duplicates> text_is_of_;
    std::shared_ptr<const std::string> text_;
    std::mutex mutex_; ///< of parted_
    NotSame parted_;   ///< since the server started: a search that runs may not know of them
    Background<Duplicates> found_;
};

/// What remains of groups where pairs are known to differ: images that are held against one that
/// they differ from start a group of their own, with what is held against them.
Duplicates without(const Duplicates &found, const NotSame &pairs);

} // namespace bowhist
