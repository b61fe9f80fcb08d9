#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/files/decode.hpp>
#include <bowhist/files/worker/shared_memory.hpp>

#include <cstdint>
#include <optional>
#include <stdexcept>

#include <sys/types.h>

namespace bowhist {

/// What decoding one picture may take.
struct DecodeBounds {
    std::uint64_t memory_bytes; ///< of private memory, beside the file and the result
    std::uint32_t cpu_milliseconds;
};

/// A process of bowhist-decode. Used by one thread at a time.
class DecodeWorker {
  public:
    /// There is no process, or no memory to share with it: too many processes, a limit on files.
    struct Unavailable : std::runtime_error {
        using std::runtime_error::runtime_error; ///< what() says why, and what to do next
    };

    /// The process ended without an answer: at this picture, or because of an earlier one.
    struct Died : std::runtime_error {
        using std::runtime_error::runtime_error; ///< what() says of what, and what to do next
    };

    /// @throws Error{Fault::input}: not installed; Unavailable
    DecodeWorker();
    ~DecodeWorker(); ///< ends the process, whatever it does
    DecodeWorker(const DecodeWorker &) = delete;
    DecodeWorker &operator=(const DecodeWorker &) = delete;

    /// As decode() in this process.
    /// @throws Error{Fault::input}, std::bad_alloc, Died, Unavailable; Error{Fault::interrupted},
    /// after which
    ///         the worker is of no more use
    DecodedPicture decode(const EncodedPicture &file, Colour colour, int side,
                          const DecodeBounds &bounds, const Observer *observer);

    bool is_fresh() const { return decoded_ == 0; } ///< no file has touched its memory

  private:
    void wait_for_reply(const DecodeBounds &bounds, const Observer *observer) const;
    [[noreturn]] void report_death(const DecodeBounds &bounds);

    /// Memory of so many bytes and the descriptor to send with them, if the process has it not.
    int share(std::uint64_t bytes);

    int socket_;
    std::optional<SharedMemory> memory_;
    pid_t process_ = 0;
    bool is_busy_ = false;
    std::uint64_t decoded_ = 0; ///< pictures since the last one that failed
};

} // namespace bowhist
