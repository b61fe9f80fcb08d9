#include <bowhist/serve/connection.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace bowhist {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t most_head_bytes = 32768;
constexpr auto head_time = 10s;
constexpr auto idle_time = 15s; ///< between requests
constexpr auto least_time = 30s;
constexpr std::uint64_t least_pace = 256 << 10; ///< bytes a second of what is large
constexpr auto linger_time = 2s;

Connection::Clock::time_point time_for(std::uint64_t bytes) {
    return Connection::Clock::now() + least_time + std::chrono::seconds(bytes / least_pace);
}

} // namespace

Connection::~Connection() {
    ::close(socket_);
}

bool Connection::wait(short event, Clock::time_point until) const {
    for (;;) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
        if (left.count() <= 0) return false;
        pollfd waiting{.fd = socket_, .events = event, .revents = 0};
        const int ready = ::poll(&waiting, 1, static_cast<int>(left.count()));
        if (ready > 0) return true; // errors show when it is read or written
        if (ready < 0 && errno != EINTR) return false;
    }
}

bool Connection::wait_for_request() {
    room_ = most_head_bytes;
    if (begin_ == end_) {
        is_idle_ = true;
        const bool came = !is_ending_ && wait(POLLIN, Clock::now() + idle_time);
        is_idle_ = false;
        if (!came) return false;
    }
    deadline_ = Clock::now() + head_time;
    return !is_ending_;
}

void Connection::expect_body(std::uint64_t bytes) {
    room_ = bytes;
    deadline_ = time_for(bytes);
}

std::int64_t Connection::read(char *bytes, std::size_t most) {
    if (room_ == 0) return -1;
    most = std::min<std::uint64_t>(most, room_);
    if (begin_ == end_) {
        ssize_t got = 0;
        do {
            if (!wait(POLLIN, deadline_)) return -1;
            got = ::recv(socket_, buffer_.data(), buffer_.size(), 0);
        } while (got < 0 && (errno == EINTR || errno == EAGAIN));
        if (got <= 0) return got;
        begin_ = 0;
        end_ = static_cast<std::size_t>(got);
    }
    const std::size_t count = std::min(most, end_ - begin_);
    std::memcpy(bytes, buffer_.data() + begin_, count);
    begin_ += count;
    room_ -= count;
    return static_cast<std::int64_t>(count);
}

bool Connection::write(const char *bytes, std::size_t count) {
    const auto until = time_for(count);
    while (count > 0) {
        const ssize_t sent = ::send(socket_, bytes, count, MSG_NOSIGNAL);
        if (sent > 0) {
            bytes += sent;
            count -= static_cast<std::size_t>(sent);
            continue;
        }
        if (errno != EINTR && errno != EAGAIN) return false;
        if (!wait(POLLOUT, until)) return false;
    }
    return true;
}

void Connection::linger() {
    ::shutdown(socket_, SHUT_WR);
    const auto until = Clock::now() + linger_time;
    is_idle_ = true;
    while (!is_ending_ && wait(POLLIN, until)) {
        const ssize_t got = ::recv(socket_, buffer_.data(), buffer_.size(), 0);
        if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) return;
    }
}

void Connection::end_idle() {
    is_ending_ = true;
    if (is_idle_) ::shutdown(socket_, SHUT_RD);
}

void Connection::end() const {
    ::shutdown(socket_, SHUT_RDWR);
}

} // namespace bowhist
