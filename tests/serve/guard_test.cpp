#include <bowhist/serve/guard.hpp>

#include <catch2/catch.hpp>

using namespace bowhist;

namespace {

HttpRequest asked(const std::string &method, std::multimap<std::string, std::string> headers) {
    return {.method = method, .path = "/", .headers = std::move(headers)};
}

int status_of(const Guard &guard, const HttpRequest &request) {
    const auto refusal = guard.refusal(request);
    return refusal ? refusal->status : 200;
}

} // namespace

TEST_CASE("only addresses, localhost and the server's own name are answered") {
    const Guard guard{"photos.lan", "", 8048};
    for (const char *host : {"127.0.0.1", "127.0.0.1:8048", "localhost", "LOCALHOST:1", "[::1]",
                             "[::1]:8048", "photos.lan:8048", "192.168.1.5"})
        CHECK(status_of(guard, asked("GET", {{"host", host}})) == 200);
    for (const char *host :
         {"", ":", "evil.org", "localhost.evil.org", "127.0.0.1.evil.org", "xphotos.lan",
          "[evil.org]", "127.1", "0x7f000001", " ", "[::1", "[::1].evil.org", "[::1]evil.org",
          "127.0.0.1:80:90", "127.0.0.1:x", "127.0.0.1:@evil.org", "localhost:80.evil.org"})
        CHECK(status_of(guard, asked("GET", {{"host", host}})) == 421);
    CHECK(status_of(guard, asked("GET", {{"host", std::string("127.0.0.1\0.evil.org", 19)}})) ==
          421);
    CHECK(status_of(guard, asked("GET", {})) == 421);
    CHECK(status_of(guard, asked("GET", {{"host", "localhost"}, {"host", "localhost"}})) == 421);
}

TEST_CASE("what another site has a browser send is refused") {
    const Guard guard{"127.0.0.1", "", 8048};
    const std::pair<std::string, std::string> host{"host", "127.0.0.1:8048"};
    for (const char *method : {"GET", "HEAD", "POST"}) {
        CHECK(status_of(guard, asked(method, {host})) == 200);
        CHECK(status_of(guard, asked(method, {host, {"origin", "http://127.0.0.1:8048"}})) == 200);
        for (const char *origin : {"http://evil.org", "null", "", "https://127.0.0.1:8048",
                                   "http://127.0.0.1", "http://localhost:8048"})
            CHECK(status_of(guard, asked(method, {host, {"origin", origin}})) == 403);
        for (const char *site : {"cross-site", "same-site", ""})
            CHECK(status_of(guard, asked(method, {host, {"sec-fetch-site", site}})) == 403);
        for (const char *site : {"same-origin", "none"})
            CHECK(status_of(guard, asked(method, {host, {"sec-fetch-site", site}})) == 200);
    }
}

TEST_CASE("a link of another site leads here, what it would embed or fetch does not come") {
    const Guard guard{"127.0.0.1", "", 8048};
    const auto with = [&](const std::string &method, const std::string &mode,
                          const std::string &destination) {
        return status_of(guard, asked(method, {{"host", "127.0.0.1:8048"},
                                               {"sec-fetch-site", "cross-site"},
                                               {"sec-fetch-mode", mode},
                                               {"sec-fetch-dest", destination}}));
    };
    CHECK(with("GET", "navigate", "document") == 200);
    CHECK(with("POST", "navigate", "document") == 403);
    for (const char *destination : {"iframe", "frame", "object", "embed"})
        CHECK(with("GET", "navigate", destination) == 403);
    for (const char *mode : {"no-cors", "cors", "websocket", ""})
        CHECK(with("GET", mode, "image") == 403);
}

TEST_CASE("the token is asked for everywhere, in a header or a cookie of this port") {
    const Guard guard{"127.0.0.1", "0123456789abcdef", 8048};
    const auto with = [&](const std::string &name, const std::string &value) {
        return status_of(guard, asked("GET", {{"host", "127.0.0.1"}, {name, value}}));
    };
    CHECK(with("authorization", "Bearer 0123456789abcdef") == 200);
    CHECK(with("cookie", "bowhist-8048=0123456789abcdef") == 200);
    CHECK(with("cookie", "a=b; bowhist-8048=0123456789abcdef; c=d") == 200);
    for (const char *wrong : {"Bearer ", "Bearer 0123456789abcdeg", "Bearer 0123456789abcdef0",
                              "Basic 0123456789abcdef", ""})
        CHECK(with("authorization", wrong) == 401);
    for (const char *wrong : {"bowhist-8049=0123456789abcdef", "bowhist-8048=", ";;;", "",
                              "xbowhist-8048=0123456789abcdef"})
        CHECK(with("cookie", wrong) == 401);
}
