#include <bowhist/serve/guard.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include <arpa/inet.h>
#include <strings.h>

namespace bowhist {
namespace {

/// "example.org" of "example.org:8048", "::1" of "[::1]:8048"; empty where it is neither.
std::string name_of(std::string_view host) {
    const bool has_brackets = host.starts_with('[');
    const std::size_t end = std::min(host.find(has_brackets ? ']' : ':'), host.size());
    std::string_view name = host.substr(0, end), port = host.substr(end);
    if (has_brackets) {
        if (port.empty()) return {};
        name.remove_prefix(1);
        port.remove_prefix(1);
    }
    const bool is_port = port.empty() || (port.starts_with(':') &&
                                          port.find_first_not_of("0123456789", 1) == port.npos);
    return is_port && name.find('\0') == name.npos ? std::string(name) : std::string();
}

bool is_address(const std::string &name) {
    in6_addr room{};
    return ::inet_pton(AF_INET, name.c_str(), &room) == 1 ||
           ::inet_pton(AF_INET6, name.c_str(), &room) == 1;
}

/// Whether a page of another site made the browser send the request.
bool is_of_another_site(const HttpRequest &head, const std::string &own) {
    if (const auto origin = head.header("origin")) return *origin != "http://" + own;
    const auto site = head.header("sec-fetch-site");
    return site && *site != "same-origin" && *site != "none";
}

/// Whether a page is opened in the place of another one: the other site does not see it.
bool is_followed_link(const HttpRequest &head) {
    return (head.method == "GET" || head.method == "HEAD") && !head.header("origin") &&
           head.header("sec-fetch-mode") == "navigate" &&
           head.header("sec-fetch-dest").value_or("document") == "document";
}

/// Takes as long for every text of that length.
bool are_equal(std::string_view one, std::string_view other) {
    if (one.size() != other.size()) return false;
    unsigned char different = 0;
    for (std::size_t i = 0; i < one.size(); ++i)
        different |= static_cast<unsigned char>(one[i] ^ other[i]);
    return different == 0;
}

} // namespace

/// A name of a stranger's may lead to this machine, an address is what it says.
bool Guard::is_our_name(std::string_view name) const {
    const std::string bare = name_of(name);
    return is_address(bare) || ::strcasecmp(bare.c_str(), "localhost") == 0 ||
           ::strcasecmp(bare.c_str(), host.c_str()) == 0;
}

bool Guard::has_token(const HttpRequest &head) const {
    if (const auto given = head.header("authorization"))
        return given->starts_with("Bearer ") && are_equal(given->substr(7), token);
    const std::string name = fmt::format("bowhist-{}=", port);
    std::string_view rest;
    const auto cookies = head.header("cookie");
    if (cookies) rest = *cookies;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(';'), rest.size());
        std::string_view one = rest.substr(0, end);
        one.remove_prefix(std::min(one.find_first_not_of(' '), one.size()));
        if (one.starts_with(name) && are_equal(one.substr(name.size()), token)) return true;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    const auto given = head.parameter("token");
    return given && head.path == "/" && are_equal(*given, token);
}

std::string Guard::cookie() const {
    return fmt::format("bowhist-{}={}; Path=/; HttpOnly; SameSite=Strict", port, token);
}

std::optional<HttpAnswer> Guard::refusal(const HttpRequest &head) const {
    const auto named = head.header("host");
    if (!named || head.headers.count("host") > 1 || !is_our_name(*named))
        return http_error(421,
                          "this is no name of this server; ask for the address that it printed");
    if (is_of_another_site(head, *named) && !is_followed_link(head))
        return http_error(403, "another site asks for this");
    if (!token.empty() && !has_token(head)) {
        HttpAnswer answer =
            http_error(401, "open the address with the token that the server printed");
        answer.headers.emplace_back("WWW-Authenticate", "Bearer");
        return answer;
    }
    return std::nullopt;
}

} // namespace bowhist
