#include <bowhist/serve/http_server.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/serve/protocol.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <system_error>

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

namespace bowhist {
namespace {

using namespace std::chrono_literals;
using Clock = Connection::Clock;

constexpr int backlog = 1024;
constexpr auto grace = 10s; ///< for what was asked for when the server ends
constexpr std::size_t most_refused = 256;
constexpr std::size_t own_files = 128; ///< of libraries, images and workers
constexpr int sent_ahead = 256 << 10;  ///< bytes that the system holds for a slow reader
constexpr std::string_view busy =
    "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Type: application/json\r\n"
    "Retry-After: 1\r\nContent-Length: 39\r\n\r\n{\"error\":\"there are 1000 connections\"}\n";

struct FreeAddresses {
    void operator()(addrinfo *first) const { ::freeaddrinfo(first); }
};

std::unique_ptr<addrinfo, FreeAddresses> addresses_of(const std::string &host, int port) {
    addrinfo wanted{};
    wanted.ai_socktype = SOCK_STREAM;
    wanted.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
    addrinfo *found = nullptr;
    const int code = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wanted, &found);
    if (code != 0)
        throw Error(Fault::usage, fmt::format("--host {}: no address of this machine ({})",
                                              printable(host), ::gai_strerror(code)));
    return std::unique_ptr<addrinfo, FreeAddresses>(found);
}

bool is_any(const std::string &host) {
    return host == "0.0.0.0" || host == "::";
}

/// An address of this machine: that from which it would send to far ones. Nothing is sent. Without
/// a way there, that of the loopback.
std::string own_address(const std::string &any) {
    const bool is_ipv6 = any == "::";
    const auto far = addresses_of(is_ipv6 ? "2001:db8::1" : "192.0.2.1", 9);
    const int socket = ::socket(far->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    sockaddr_storage own{};
    socklen_t size = sizeof own;
    auto *const address = reinterpret_cast<sockaddr *>(&own);
    std::array<char, NI_MAXHOST> text{};
    const bool is_known =
        ::connect(socket, far->ai_addr, far->ai_addrlen) == 0 &&
        ::getsockname(socket, address, &size) == 0 &&
        ::getnameinfo(address, size, text.data(), text.size(), nullptr, 0, NI_NUMERICHOST) == 0;
    if (socket >= 0) ::close(socket);
    return is_known ? text.data() : is_ipv6 ? "::1" : "127.0.0.1";
}

/// A connection is a file. @return how many may be open
std::size_t raise_limit_of_files() {
    rlimit files{};
    if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return 0;
    files.rlim_cur = std::min<rlim_t>(files.rlim_max, 16384);
    ::setrlimit(RLIMIT_NOFILE, &files);
    return files.rlim_cur;
}

} // namespace

HttpServer::HttpServer(const std::string &host, int port) : host_(host) {
    const auto addresses = addresses_of(host, port);
    socket_ = ::socket(addresses->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    const int yes = 1;
    ::setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (::bind(socket_, addresses->ai_addr, addresses->ai_addrlen) == 0 &&
        ::listen(socket_, backlog) == 0) {
        const std::size_t files = raise_limit_of_files();
        most_clients_ = std::min(most_connections, files / 4 * 3 - std::min(files / 4, own_files));
        most_refused_ = std::min(most_refused, files / 8);
        return;
    }
    const int code = errno;
    ::close(socket_);
    throw Error(Fault::output,
                fmt::format("{} port {}: {}; {}", printable(host), port,
                            std::generic_category().message(code),
                            code == EADDRINUSE ? "give another --port, or 0 for a free one"
                                               : "give another --host or --port"));
}

HttpServer::~HttpServer() {
    for (const Refused &refused : refused_) ::close(refused.socket);
    ::close(socket_);
}

int HttpServer::port() const {
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    ::getsockname(socket_, reinterpret_cast<sockaddr *>(&address), &size);
    return ntohs(address.ss_family == AF_INET6
                     ? reinterpret_cast<const sockaddr_in6 *>(&address)->sin6_port
                     : reinterpret_cast<const sockaddr_in *>(&address)->sin_port);
}

std::string HttpServer::address() const {
    const std::string host = is_any(host_) ? own_address(host_) : host_;
    const bool is_ipv6 = host.find(':') != std::string::npos;
    return fmt::format("http://{}{}{}:{}/", is_ipv6 ? "[" : "", host, is_ipv6 ? "]" : "", port());
}

void HttpServer::run(HttpSite &site, const Observer &observer) {
    const HttpProtocol &protocol = http_protocol();
    while (!observer.interrupted()) {
        pollfd waiting{.fd = socket_, .events = POLLIN, .revents = 0};
        if (::poll(&waiting, 1, 100) > 0) accept_all(protocol, site);
        reap();
    }
    end_clients();
}

void HttpServer::accept_all(const HttpProtocol &protocol, HttpSite &site) {
    for (;;) {
        const int socket = ::accept4(socket_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (socket < 0) {
            if (errno == EINTR || errno == ECONNABORTED) continue;
            if (errno != EAGAIN) std::this_thread::sleep_for(10ms); // no file or memory is left
            return;
        }
        const int yes = 1;
        ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        ::setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &sent_ahead, sizeof sent_ahead);
        if (clients_.size() >= most_clients_) reap();
        if (clients_.size() < most_clients_)
            start(socket, protocol, site);
        else
            refuse(socket);
    }
}

void HttpServer::start(int socket, const HttpProtocol &protocol, HttpSite &site) {
    Client &client = clients_.emplace_back(socket);
    try {
        client.thread = std::thread([&client, &protocol, &site] {
            try {
                const auto talk = protocol.talk(client.connection, site);
                while (client.connection.wait_for_request() && talk->answer_one(false)) continue;
            } catch (const std::exception &) { // no memory is left: this connection ends alone
            }
            client.connection.linger();
            client.is_done = true;
        });
    } catch (const std::system_error &) { // no more threads can be made
        refuse(::fcntl(socket, F_DUPFD_CLOEXEC, 0));
        clients_.pop_back();
    }
}

/// Its thread would be one too many: it gets its answer here, and a moment to read it.
void HttpServer::refuse(int socket) {
    ::send(socket, busy.data(), busy.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    ::shutdown(socket, SHUT_WR);
    refused_.push_back({socket, Clock::now() + 1s});
    if (refused_.size() <= most_refused_) return;
    ::close(refused_.front().socket);
    refused_.erase(refused_.begin());
}

/// Closes what is done.
void HttpServer::reap() {
    std::erase_if(refused_, [now = Clock::now()](const Refused &refused) {
        std::array<char, 4096> rest{};
        ssize_t got = 0;
        do got = ::recv(refused.socket, rest.data(), rest.size(), MSG_DONTWAIT);
        while (got > 0);
        const bool is_over = got == 0 || errno != EAGAIN || now > refused.until;
        if (is_over) ::close(refused.socket);
        return is_over;
    });
    std::erase_if(clients_, [](Client &client) {
        if (!client.is_done) return false;
        client.thread.join();
        return true;
    });
}

void HttpServer::end_clients() {
    ::shutdown(socket_, SHUT_RD); // others are refused from now on
    const auto until = Clock::now() + grace;
    for (Client &client : clients_) client.connection.end_idle();
    for (; !clients_.empty() && Clock::now() < until; reap()) std::this_thread::sleep_for(5ms);
    for (const Client &client : clients_) client.connection.end();
    for (Client &client : clients_) client.thread.join();
    clients_.clear();
}

} // namespace bowhist
