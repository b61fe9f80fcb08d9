#pragma once

#include <bowhist/core/error.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace bowhist {

/// The result of an iteration of a training, before it moved the centroids.
struct Iteration {
    double inertia = 0;      ///< sum of squared distances to the words' centroids
    std::uint64_t moved = 0; ///< descriptors whose word is another than before
    std::uint64_t empty = 0; ///< words without descriptors; each is then put on a far one

    bool operator==(const Iteration &) const = default;
};

/// Receives what long work reports. Each call may come from any thread, one at a time;
/// interrupted() from many at once. The default ignores everything and never stops the work.
class Observer {
  public:
    virtual ~Observer() = default;

    /// `done` of `total` units of `stage` ("images", "iterations") are finished.
    virtual void progress(std::string_view /*stage*/, std::size_t /*done*/, std::size_t /*total*/) {
    }

    /// A detail, for a user who asks for them; one line.
    virtual void note(const std::string & /*line*/) {}

    /// Something the user should know although the work continues; one line.
    virtual void warning(const std::string & /*line*/) {}

    /// An input was left out; `reason` says why, in one line that names the input.
    virtual void skipped(const std::string & /*reason*/) {}

    /// True when the user asked to stop: the work then ends with Fault::interrupted.
    virtual bool interrupted() const { return false; }

    /// To be called by long work now and then. @throws Error{Fault::interrupted}
    void stop_if_interrupted() const {
        if (interrupted()) throw Error(Fault::interrupted, "interrupted");
    }
};

/// For a step whose lines are of no use to who called: drops them, and passes on Ctrl-C.
class QuietObserver : public Observer {
  public:
    /// @param observer  outlives it
    explicit QuietObserver(const Observer &observer) : observer_(observer) {}
    bool interrupted() const override { return observer_.interrupted(); }

  private:
    const Observer &observer_;
};

} // namespace bowhist
