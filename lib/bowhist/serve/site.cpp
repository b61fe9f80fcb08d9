#include <bowhist/serve/site.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/serve/answers.hpp>
#include <bowhist/serve/pages.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <new>
#include <string_view>

namespace bowhist {
namespace {

constexpr int patch_side = 48; // pixels

} // namespace

Groups::Groups(const ServeRequest &request, LiveLibrary &live, const Observer &observer)
    : live_(live),
      groups_([&request](
                  Observer &progress) { return kept_groups(Library(request.library), progress); },
              observer),
      patches_(
          [&request](Observer &progress) {
              return patches_of_groups(Library(request.library), patch_side, progress);
          },
          observer) {}

std::string Groups::stamp() const {
    const auto snapshot = live_.now();
    return snapshot->stamp() + " " + snapshot->stamp_of_groups();
}

namespace {

constexpr std::int64_t most_bytes = std::int64_t{512} << 20; ///< of a room

/// A path that is served. One that ends in / has something behind it: `rest`.
struct Route {
    std::string_view method;
    std::string_view path;
    HttpAnswer (*answer)(const Served &served, const HttpRequest &request, std::string_view rest);
    bool writes = false; ///< into the library
    bool takes_image = false;
};

constexpr std::array routes{
    Route{"GET", "/api/search",
          [](const Served &served, const HttpRequest &request, std::string_view) {
              return search_answer(served, request);
          }},
    Route{.method = "POST",
          .path = "/api/search",
          .answer = [](const Served &served, const HttpRequest &request,
                       std::string_view) { return search_answer(served, request); },
          .takes_image = true},
    Route{"GET", "/api/images/",
          [](const Served &served, const HttpRequest &, std::string_view id) {
              return image_answer(served, id);
          }},
    Route{"GET", "/api/duplicates",
          [](const Served &served, const HttpRequest &, std::string_view) {
              return duplicates_answer(served);
          }},
    Route{"GET", "/api/status",
          [](const Served &served, const HttpRequest &, std::string_view) {
              return status_answer(served);
          }},
    Route{"GET", "/api/spare",
          [](const Served &served, const HttpRequest &, std::string_view) {
              return spare_answer(served);
          }},
    Route{"GET", "/api/not-same",
          [](const Served &served, const HttpRequest &, std::string_view) {
              return pairs_answer(served);
          }},
    Route{.method = "POST",
          .path = "/api/same-again",
          .answer = [](const Served &served, const HttpRequest &request,
                       std::string_view) { return same_again_answer(served, request); },
          .writes = true},
    Route{.method = "POST",
          .path = "/api/not-same",
          .answer = [](const Served &served, const HttpRequest &request,
                       std::string_view) { return not_same_answer(served, request); },
          .writes = true},
    Route{"GET", "/thumbnails/",
          [](const Served &served, const HttpRequest &, std::string_view id) {
              return jpeg_answer(served, id, false);
          }},
    Route{"GET", "/views/",
          [](const Served &served, const HttpRequest &, std::string_view id) {
              return jpeg_answer(served, id, true);
          }},
    Route{"GET", "/",
          [](const Served &served, const HttpRequest &request, std::string_view) {
              return first_page(served, request);
          }},
    Route{.method = "POST",
          .path = "/search",
          .answer = [](const Served &served, const HttpRequest &request,
                       std::string_view) { return sent_page(served, request); },
          .takes_image = true},
    Route{"GET", "/images/",
          [](const Served &served, const HttpRequest &request, std::string_view rest) {
              return image_page(served, request, rest);
          }},
    Route{"GET", "/groups",
          [](const Served &served, const HttpRequest &request, std::string_view) {
              return groups_page(served, request);
          }},
    Route{"GET", "/groups/",
          [](const Served &served, const HttpRequest &request, std::string_view rest) {
              return group_page(served, request, rest);
          }},
    Route{"GET", "/duplicates",
          [](const Served &served, const HttpRequest &request, std::string_view) {
              return duplicates_page(served, request);
          }},
    Route{"GET", "/words",
          [](const Served &served, const HttpRequest &, std::string_view) {
              return words_page(served);
          }},
    Route{"GET", "/status",
          [](const Served &served, const HttpRequest &, std::string_view) {
              return status_page(served);
          }},
    Route{.method = "POST",
          .path = "/not-same",
          .answer = [](const Served &served, const HttpRequest &request,
                       std::string_view) { return part_and_return(served, request); },
          .writes = true},
    Route{"GET", "/not-same",
          [](const Served &served, const HttpRequest &request, std::string_view) {
              return not_same_page(served, request);
          }},
    Route{.method = "POST",
          .path = "/same-again",
          .answer = [](const Served &served, const HttpRequest &request,
                       std::string_view) { return rejoin_and_return(served, request); },
          .writes = true},
};

bool leads_to(const Route &route, std::string_view path) {
    if (!route.path.ends_with('/') || route.path == "/") return path == route.path;
    return path.starts_with(route.path) && path.size() > route.path.size();
}

std::string_view method_of(const HttpRequest &head) {
    return head.method == "HEAD" ? "GET" : std::string_view(head.method);
}

const Route *route_of(const HttpRequest &head) {
    const auto *const found = std::ranges::find_if(routes, [&](const Route &route) {
        return leads_to(route, head.path) && route.method == method_of(head);
    });
    return found == routes.end() ? nullptr : found;
}

/// The answer to a request that no route takes.
HttpAnswer wrong_way(const HttpRequest &head) {
    std::string allowed;
    for (const Route &route : routes)
        if (leads_to(route, head.path))
            allowed += fmt::format("{}{}", allowed.empty() ? "" : ", ", route.method);
    if (allowed.empty()) return http_error(404, "there is nothing at this path; start at /");
    HttpAnswer answer = http_error(405, fmt::format("this path takes {}", allowed));
    answer.headers.emplace_back("Allow", allowed);
    return answer;
}

int status_of(const Error &error) {
    switch (error.fault) {
    case Fault::usage:
        return 400;
    case Fault::input:
        return 422;
    case Fault::interrupted:
        return 503;
    default:
        return 500;
    }
}

} // namespace

std::optional<HttpAnswer> Site::refusal(const HttpRequest &head) {
    if (auto refusal = guard_.refusal(head)) return refusal;
    const Route *route = route_of(head);
    if (route == nullptr) return wrong_way(head);
    if (route->writes && served_.request.read_only)
        return http_error(403, "this server is --read-only");
    const auto length = head.header("content-length");
    const std::uint64_t bytes = length ? std::stoull(*length) : 0;
    const std::uint64_t most = route->takes_image ? served_.request.most_upload_bytes : 8192;
    if (bytes > most)
        return http_error(413,
                          fmt::format("the body has {} bytes, and {} are taken here", bytes, most));
    return std::nullopt;
}

HttpAnswer Site::answer(HttpRequest &&request) {
    const Route *route = route_of(request);
    if (!guard_.token.empty() && request.path == "/" && request.parameter("token"))
        return {.status = 303,
                .type = "text/plain",
                .headers = {{"Location", "/"}, {"Set-Cookie", guard_.cookie()}}};
    HttpAnswer answer;
    try {
        answer = route->answer(served_, request,
                               std::string_view(request.path).substr(route->path.size()));
    } catch (const Refusal &refusal) {
        answer = problem(request, refusal.status, refusal.what());
    } catch (const Error &error) {
        answer = problem(request, status_of(error), error.what());
    } catch (const std::bad_alloc &) {
        answer = http_error(503, "there is not enough memory for this now");
        answer.headers.emplace_back("Retry-After", "1");
    } catch (const std::exception &error) {
        answer = http_error(500, error.what());
    }
    return answer;
}

/// Names the library, and not where it lies.
std::string Site::without_path(std::string reason) const {
    const std::string path = printable(served_.request.library);
    const std::string name = printable(served_.request.library.filename());
    for (std::size_t at = reason.find(path); at != reason.npos;
         at = reason.find(path, at + name.size()))
        reason.replace(at, path.size(), name);
    return reason;
}

/// For a person, or a program.
HttpAnswer Site::problem(const HttpRequest &request, int status, const char *reason) const {
    const bool is_person = request.header("accept").value_or("").starts_with("text/html");
    const std::string shown = without_path(reason);
    HttpAnswer answer =
        is_person ? problem_page(served_, status, shown) : http_error(status, shown);
    if (status == 503) answer.headers.emplace_back("Retry-After", "1");
    return answer;
}

bool Site::take_room(Room room, std::int64_t bytes) {
    std::atomic<std::int64_t> &taken = taken_.at(static_cast<std::size_t>(room));
    const std::int64_t held = taken += bytes;
    if (bytes < 0 || held <= most_bytes) return true;
    taken -= bytes;
    return false;
}

} // namespace bowhist
