// The only file that includes httplib.h. cpp-httplib reads heads and bodies and writes answers;
// sockets, threads, time limits and routes are ours: its own are fixed when it is built (select()
// and 1024 files, 5 connections that wait, no limit on what a client sends in small pieces).
#include <bowhist/serve/connection.hpp>
#include <bowhist/serve/http.hpp>

#include <httplib.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

namespace bowhist {
namespace {

constexpr std::uint64_t too_many = 1ULL << 62;  ///< bytes of a body whose length is no number
constexpr std::size_t small_answer = 256 << 10; ///< bytes that each connection has room for

/// Other sites may not show, read or guess at what is served.
constexpr std::pair<const char *, const char *> safety[] = {
    {"X-Content-Type-Options", "nosniff"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Referrer-Policy", "same-origin"}};

/// Lines of a head, byte by byte. httplib skips a line that it does not understand, a
/// Content-Length behind a space or before a lone line feed, say: what was meant as a body would be
/// the next request.
class HeadLines {
  public:
    /// @return whether the head may go on like this
    bool take(char c) {
        if (is_over_) return true;
        if (last_ == '\r' || c == '\n') {
            if (last_ != '\r' || c != '\n') return false;
            if (line_ > 0 && length_ > 0 && !has_colon_) return false;
            is_over_ = line_ > 0 && length_ == 0;
            ++line_;
            length_ = 0;
            has_colon_ = false;
        } else if (c != '\r') {
            const bool ends_name = c == ':' && length_ > 0;
            if (line_ > 0 && !has_colon_ && !ends_name && !is_of_name(c)) return false;
            if (c == '\0') return false;
            has_colon_ |= line_ > 0 && ends_name;
            ++length_;
        }
        last_ = c;
        return true;
    }

  private:
    static bool is_of_name(char c) {
        constexpr std::string_view marks = "!#$%&'*+-.^_`|~";
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || marks.find(c) != marks.npos;
    }

    std::size_t line_ = 0, length_ = 0;
    bool has_colon_ = false, is_over_ = false;
    char last_ = 0;
};

class ClientStream : public httplib::Stream {
  public:
    explicit ClientStream(Connection &connection) : connection_(connection) {}

    void begin_request() { head_ = {}; }

    bool is_readable() const override { return true; }
    bool is_writable() const override { return true; }
    ssize_t read(char *bytes, size_t count) override {
        const ssize_t got = connection_.read(bytes, count);
        for (ssize_t i = 0; i < got; ++i)
            if (!head_.take(bytes[i])) return -1;
        return got;
    }
    ssize_t write(const char *bytes, size_t count) override {
        return connection_.write(bytes, count) ? static_cast<ssize_t>(count) : -1;
    }
    void get_remote_ip_and_port(std::string & /*ip*/, int & /*port*/) const override {}
    void get_local_ip_and_port(std::string & /*ip*/, int & /*port*/) const override {}
    socket_t socket() const override { return 0; } // it is never looked at

  private:
    Connection &connection_;
    HeadLines head_;
};

std::string in_small_letters(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text;
}

class Talk : public HttpTalk, private httplib::Server {
  public:
    Talk(Connection &connection, HttpSite &site)
        : connection_(connection), stream_(connection), site_(site) {
        set_keep_alive_max_count(1000);
        svr_sock_ = 0; // is never used; without one no shared body would be written
        set_pre_routing_handler([this](const httplib::Request &, httplib::Response &response) {
            return begin(response) ? HandlerResponse::Handled : HandlerResponse::Unhandled;
        });
        Post("[^?]*", [this](const httplib::Request &, httplib::Response &response,
                             const httplib::ContentReader &read) { finish(response, read); });
        set_error_handler([](const httplib::Request &, httplib::Response &response) {
            if (!response.body.empty()) return;
            const HttpAnswer answer = http_error(response.status, "this is no request of HTTP");
            response.set_content(answer.body, answer.type);
        });
        set_exception_handler([](const httplib::Request &, httplib::Response &response,
                                 const std::exception_ptr &) { response.status = 500; });
    }

    ~Talk() override { leave_room(); }

    bool answer_one(bool last) override {
        asked_ = nullptr;
        must_close_ = true; // where no head could be read
        stream_.begin_request();
        bool closed = false;
        const bool answered = process_request(stream_, last, closed,
                                              [this](httplib::Request &head) { take_head(head); });
        leave_room();
        return answered && !closed && !must_close_ && !last;
    }

  private:
    /// Takes the request over: httplib unpacks bodies, parses forms, packs answers and cuts ranges
    /// out of them by what headers ask for, without limits.
    void take_head(httplib::Request &head) {
        asked_ = &head;
        request_ = {.method = head.method, .path = head.path};
        request_.parameters = {head.params.begin(), head.params.end()};
        for (const auto &[name, value] : head.headers)
            request_.headers.emplace(in_small_letters(name), value);
        for (const char *name : {"Accept-Encoding", "Content-Type", "Range", "Expect"})
            head.headers.erase(name);
        head.ranges.clear();
        refusal_ = refusal_of_body();
        if (!refusal_) refusal_ = site_.refusal(request_);
        must_close_ = refusal_ && body_bytes_ > 0;
        if (must_close_) return head.set_header("Connection", "close");
        connection_.expect_body(body_bytes_);
        if (request_.header("expect") && body_bytes_ > 0)
            stream_.Stream::write("HTTP/1.1 100 Continue\r\n\r\n");
    }

    std::optional<HttpAnswer> refusal_of_body() {
        body_bytes_ = 0;
        if (request_.headers.contains("transfer-encoding")) {
            body_bytes_ = too_many;
            return http_error(411, "a body needs its length in Content-Length");
        }
        const auto length = request_.header("content-length");
        if (!length) return std::nullopt;
        const bool is_number =
            !length->empty() && length->size() < 18 &&
            std::ranges::all_of(*length, [](unsigned char c) { return std::isdigit(c) != 0; });
        body_bytes_ = is_number ? std::stoull(*length) : too_many;
        if (request_.headers.count("content-length") > 1 || !is_number) {
            body_bytes_ = too_many;
            return http_error(400, "Content-Length is no number");
        }
        if (body_bytes_ > 0 && request_.method != "POST")
            return http_error(400, "only POST has a body");
        if (request_.headers.contains("content-encoding"))
            return http_error(415, "send the body as it is, without Content-Encoding");
        return std::nullopt;
    }

    /// @return whether the request is answered without its body
    bool begin(httplib::Response &response) {
        if (refusal_) {
            give(response, std::move(*refusal_));
            return true;
        }
        if (request_.method == "POST" && body_bytes_ > 0) return false;
        give(response, site_.answer(std::move(request_)));
        return true;
    }

    void finish(httplib::Response &response, const httplib::ContentReader &read) {
        std::int64_t taken = 0;
        bool has_room = true;
        const bool is_whole = read([&](const char *bytes, std::size_t count) {
            has_room = site_.take_room(Room::bodies, static_cast<std::int64_t>(count));
            if (!has_room) return false;
            taken += static_cast<std::int64_t>(count);
            request_.body.append(bytes, count);
            return true;
        });
        if (is_whole && request_.body.size() == body_bytes_) {
            give(response, site_.answer(std::move(request_)));
        } else {
            must_close_ = true;
            asked_->set_header("Connection", "close");
            give(response,
                 has_room ? http_error(408, "the body did not arrive; send it again")
                          : http_error(503, "there are too many uploads; send it again later"));
        }
        request_ = {};
        site_.take_room(Room::bodies, -taken);
    }

    /// A client that reads slowly holds its answer.
    void give(httplib::Response &response, HttpAnswer &&answer) {
        const auto bytes = static_cast<std::int64_t>(answer.body.size());
        if (answer.body.size() > small_answer) {
            if (site_.take_room(Room::answers, bytes)) {
                answer_bytes_ = bytes;
            } else {
                answer = http_error(503, "too many clients read large answers; ask again later");
                answer.headers.emplace_back("Retry-After", "10");
            }
        }
        response.status = answer.status;
        for (const auto &[name, value] : safety) response.set_header(name, value);
        for (const auto &[name, value] : answer.headers) response.set_header(name, value);
        if (answer.shared) return give_shared(response, answer);
        response.set_header("Content-Type", answer.type);
        response.body = std::move(answer.body);
    }

    static void give_shared(httplib::Response &response, const HttpAnswer &answer) {
        response.set_content_provider(
            answer.shared->size(), answer.type,
            [body = answer.shared](std::size_t from, std::size_t, httplib::DataSink &client) {
                return client.write(body->data() + from, body->size() - from);
            });
    }

    void leave_room() { site_.take_room(Room::answers, -std::exchange(answer_bytes_, 0)); }

    Connection &connection_;
    ClientStream stream_;
    HttpSite &site_;
    httplib::Request *asked_ = nullptr;
    HttpRequest request_;
    std::uint64_t body_bytes_ = 0;
    std::int64_t answer_bytes_ = 0; ///< that have room of their own
    std::optional<HttpAnswer> refusal_;
    bool must_close_ = false;
};

std::unique_ptr<HttpTalk> talk(Connection &connection, HttpSite &site) {
    return std::make_unique<Talk>(connection, site);
}

} // namespace
} // namespace bowhist

// The one name that protocol.cpp looks up.
extern "C" const bowhist::HttpProtocol bowhist_http;
extern "C" constexpr bowhist::HttpProtocol bowhist_http = {.talk = bowhist::talk};
