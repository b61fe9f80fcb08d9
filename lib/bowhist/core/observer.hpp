#pragma once

#include <bowhist/core/error.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace bowhist {

/// What long work tells whoever started it. Each call may come from any thread, one at a time.
/// The default hears nothing and never stops the work.
class Observer {
  public:
    virtual ~Observer() = default;

    /// `done` of `total` units of `stage` ("pictures", "iterations") are finished.
    virtual void progress(std::string_view /*stage*/, std::size_t /*done*/, std::size_t /*total*/) {
    }

    /// Something worth knowing when one asks for details; one line.
    virtual void note(const std::string & /*line*/) {}

    /// Something the user should know although the work goes on; one line.
    virtual void warning(const std::string & /*line*/) {}

    /// An input was left out; `reason` says why, in one line that names the input.
    virtual void skipped(const std::string & /*reason*/) {}

    /// True when the user asked to stop: the work then ends with Fault::interrupted. May be asked
    /// from many threads at once.
    virtual bool interrupted() const { return false; }

    /// What long work calls now and then. @throws Error{Fault::interrupted}
    void stop_if_interrupted() const {
        if (interrupted()) throw Error(Fault::interrupted, "interrupted");
    }
};

} // namespace bowhist
