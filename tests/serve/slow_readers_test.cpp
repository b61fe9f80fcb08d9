#include <bowhist/serve/http_server.hpp>
#include <bowhist/serve/protocol.hpp>

#include <catch2/catch.hpp>

#include <atomic>
#include <chrono>
#include <fstream>
#include <list>
#include <string>
#include <thread>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace bowhist;

namespace {

constexpr std::size_t large = 8 << 20; ///< bytes of a large answer
constexpr std::size_t most_held = 64 << 20;

/// Answers with a large text: that of all at /shared, one of its own at /own, and a short one at /.
class Texts : public HttpSite {
  public:
    std::optional<HttpAnswer> refusal(const HttpRequest &) override { return std::nullopt; }
    HttpAnswer answer(HttpRequest &&request) override {
        if (request.path == "/shared") return {.shared = shared_};
        return {.body = request.path == "/own" ? std::string(large, 'o') : "short"};
    }
    bool take_room(Room room, std::int64_t bytes) override {
        if (room == Room::bodies) return true;
        held += bytes;
        if (bytes < 0 || held <= std::int64_t{most_held}) return true;
        held -= bytes;
        return false;
    }

    std::atomic<std::int64_t> held = 0;

  private:
    std::shared_ptr<const std::string> shared_ = std::make_shared<std::string>(large, 's');
};

class Ending : public Observer {
  public:
    bool interrupted() const override { return is_over; }
    std::atomic<bool> is_over = false;
};

/// A server on a thread of its own.
class Running {
  public:
    Running() : server_("127.0.0.1", 0), thread_([this] { server_.run(site, ending_); }) {}
    ~Running() {
        ending_.is_over = true;
        thread_.join();
    }
    int port() const { return server_.port(); }

    Texts site;

  private:
    HttpServer server_;
    Ending ending_;
    std::thread thread_;
};

/// A client that takes in little ahead of what it reads.
class Client {
  public:
    Client(int port, const std::string &path)
        : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        const int small = 4096;
        ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(static_cast<std::uint16_t>(port));
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        REQUIRE(::connect(socket_, reinterpret_cast<sockaddr *>(&address), sizeof address) == 0);
        const std::string ask =
            "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        REQUIRE(::send(socket_, ask.data(), ask.size(), MSG_NOSIGNAL) == ssize_t(ask.size()));
    }
    ~Client() { ::close(socket_); }
    Client(const Client &) = delete;
    Client &operator=(const Client &) = delete;

    std::string read(std::size_t bytes) {
        std::string text(bytes, '\0');
        std::size_t taken = 0;
        while (taken < bytes) {
            const ssize_t got = ::recv(socket_, text.data() + taken, bytes - taken, 0);
            if (got <= 0) break;
            taken += static_cast<std::size_t>(got);
        }
        text.resize(taken);
        return text;
    }
    std::string read_all() { return read(2 * large); }

  private:
    int socket_;
};

/// Bytes of memory that this process holds.
std::size_t resident() {
    std::ifstream file("/proc/self/statm");
    std::size_t all = 0, held = 0;
    file >> all >> held;
    return held * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

bool has_server() {
    try {
        http_protocol();
        return true;
    } catch (const Error &) {
        return false; // built without
    }
}

} // namespace

TEST_CASE("answers that many read are whole, and held once for all slow readers") {
    if (!has_server()) return;
    Running server;
    Client first(server.port(), "/shared");
    const std::string whole = first.read_all();
    CHECK(whole.find("Content-Length: " + std::to_string(large) + "\r\n") != whole.npos);
    CHECK(whole.ends_with("\r\n\r\n" + std::string(large, 's')));
    const std::size_t before = resident();
    std::list<Client> slow;
    for (int i = 0; i < 200; ++i) slow.emplace_back(server.port(), "/shared");
    for (Client &client : slow) CHECK(client.read(12) == "HTTP/1.1 200");
    for (int i = 0; i < 20; ++i)
        CHECK(Client(server.port(), "/").read_all().ends_with("\r\n\r\nshort"));
    CHECK(resident() < before + 8 * large); // 200 of them without
}

TEST_CASE("other large answers have room together, and who is beyond it is asked to come again") {
    if (!has_server()) return;
    Running server;
    {
        std::list<Client> slow;
        std::size_t answered = 0, refused = 0;
        for (int i = 0; i < 40; ++i) {
            const std::string start = slow.emplace_back(server.port(), "/own").read(12);
            answered += start == "HTTP/1.1 200";
            refused += start == "HTTP/1.1 503";
        }
        CHECK(answered == most_held / large);
        CHECK(refused == 40 - answered);
        CHECK(slow.back().read_all().find("Retry-After: 10\r\n") != std::string::npos);
        CHECK(Client(server.port(), "/").read_all().ends_with("\r\n\r\nshort"));
    }
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (server.site.held > 0 && std::chrono::steady_clock::now() < until)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    CHECK(server.site.held == 0); // they are gone
    CHECK(Client(server.port(), "/own").read_all().ends_with(std::string(large, 'o')));
}
