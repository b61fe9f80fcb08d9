#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/serve/connection.hpp>
#include <bowhist/serve/http.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace bowhist {

/// Serves a site to clients, each on a thread of its own.
///
/// Protocol: make it, by which others may connect; then run().
class HttpServer {
  public:
    /// Others get 503. Fewer where few files may be open.
    static constexpr std::size_t most_connections = 1000;

    /// Takes the port. @param host  an address or a name  @param port  0: a free one
    /// @throws Error{Fault::usage} for a host without an address here; Error{Fault::output}: the
    /// port
    ///         is taken
    HttpServer(const std::string &host, int port);
    ~HttpServer();
    HttpServer(const HttpServer &) = delete;
    HttpServer &operator=(const HttpServer &) = delete;

    int port() const;
    /// "http://127.0.0.1:8048/". It is one that other machines reach, if there is one, when the
    /// server listens on all addresses.
    std::string address() const;

    /// Serves until the observer is interrupted. Requests that came until then are answered, unless
    /// that takes more than 10 seconds.
    /// @throws Error{Fault::input} in a build without cpp-httplib
    void run(HttpSite &site, const Observer &observer);

  private:
    struct Client {
        explicit Client(int socket) : connection(socket) {}
        Connection connection;
        std::thread thread = {};
        std::atomic<bool> is_done = false;
    };
    struct Refused {
        int socket;
        Connection::Clock::time_point until;
    };

    void accept_all(const HttpProtocol &protocol, HttpSite &site);
    void start(int socket, const HttpProtocol &protocol, HttpSite &site);
    void refuse(int socket);
    void reap();
    void end_clients();

    std::string host_;
    int socket_ = -1;
    std::size_t most_clients_ = 0, most_refused_ = 0;
    std::list<Client> clients_;    ///< of the thread in run(); a client's own thread uses its own
    std::vector<Refused> refused_; ///< that may not have read their answer
};

} // namespace bowhist
