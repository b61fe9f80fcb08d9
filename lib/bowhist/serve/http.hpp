#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bowhist {

class Connection;

/// A request, as far as it was read.
struct HttpRequest {
    std::string method = {};
    std::string path = {};                                   ///< without %XX
    std::multimap<std::string, std::string> parameters = {}; ///< behind the ?, without %XX
    std::multimap<std::string, std::string> headers = {};    ///< names in small letters
    std::string body = {};

    /// The first of that name; nothing without one.
    std::optional<std::string> header(const std::string &name) const {
        const auto found = headers.find(name);
        return found == headers.end() ? std::nullopt : std::optional(found->second);
    }
    std::optional<std::string> parameter(const std::string &name) const {
        const auto found = parameters.find(name);
        return found == parameters.end() ? std::nullopt : std::optional(found->second);
    }
};

struct HttpAnswer {
    int status = 200;
    std::string type = "application/json";
    std::string body = {};
    std::vector<std::pair<std::string, std::string>> headers = {};
    /// In place of `body`: what many ask for, and is held once for all of them.
    std::shared_ptr<const std::string> shared = {};
};

/// {"error":"..."} @param reason  any bytes
HttpAnswer http_error(int status, std::string_view reason);

/// Memory that clients share: what they send, and answers that they have not read yet.
enum class Room { bodies, answers };

/// A site that is served. Each function may be called from many threads.
class HttpSite {
  public:
    virtual ~HttpSite() = default;

    /// Looks at a request whose body was not read. @return why it is not taken
    virtual std::optional<HttpAnswer> refusal(const HttpRequest &head) = 0;
    /// Takes nothing but what is not refused. Throws nothing.
    virtual HttpAnswer answer(HttpRequest &&request) = 0;
    /// Whether there is room for that many more bytes. @param bytes  below 0: given back
    virtual bool take_room(Room room, std::int64_t bytes) = 0;
};

/// The talk on one connection. One thread.
class HttpTalk {
  public:
    virtual ~HttpTalk() = default;
    /// Reads a request and answers it. @return whether another one may follow
    /// @param last  none may follow, and the answer says so
    virtual bool answer_one(bool last) = 0;
};

/// The function of a module of its own, so that no start of a program pays for its libraries
/// (serve/httplib).
struct HttpProtocol {
    std::unique_ptr<HttpTalk> (*talk)(Connection &connection, HttpSite &site);
};

} // namespace bowhist
