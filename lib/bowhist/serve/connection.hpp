#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace bowhist {

/// A connection of a client that may be slow, or mean no good: what it sends has to come in time,
/// and heads are small. Used by one thread, except for end_idle() and end().
class Connection {
  public:
    using Clock = std::chrono::steady_clock;

    /// @param socket  taken over; does not block
    explicit Connection(int socket) : socket_(socket) {}
    ~Connection();
    Connection(const Connection &) = delete;
    Connection &operator=(const Connection &) = delete;

    /// Waits for the first byte of a request. @return false: none came, or end_idle() was called
    bool wait_for_request();
    /// The head was read; up to that many bytes follow.
    void expect_body(std::uint64_t bytes);

    /// @return bytes; 0 at the end; -1 where they did not come in time, or are too many
    std::int64_t read(char *bytes, std::size_t most);
    /// All of them. @return false: the client did not take them in time, or is gone
    bool write(const char *bytes, std::size_t count);

    /// Says that no more is written, and takes in for a moment what the client still sends: else
    /// it could lose the answer.
    void linger();

    /// From any thread: ends it where it waits for a request; from now on it waits for none.
    void end_idle();
    /// From any thread: ends it, whatever it does.
    void end() const;

  private:
    bool wait(short event, Clock::time_point until) const;

    int socket_;
    std::array<char, 16384> buffer_ = {};
    std::size_t begin_ = 0, end_ = 0; ///< what of it was not read
    std::uint64_t room_ = 0;          ///< bytes that may still be read
    Clock::time_point deadline_ = {}; ///< of these
    std::atomic<bool> is_idle_ = false;
    std::atomic<bool> is_ending_ = false;
};

} // namespace bowhist
