#pragma once

#include <bowhist/serve/copies.hpp>
#include <bowhist/serve/groups.hpp>
#include <bowhist/serve/guard.hpp>
#include <bowhist/serve/http.hpp>
#include <bowhist/serve/live_library.hpp>
#include <bowhist/serve/words.hpp>
#include <bowhist/serve/workers.hpp>

#include <array>
#include <atomic>
#include <cstdint>

namespace bowhist {

/// The parts from which answers are made.
struct Served {
    const ServeRequest &request;
    LiveLibrary &live;
    Copies &copies;
    Groups &groups;
    Words &words;
    Workers &workers;
};

/// All that is served, by paths: site.cpp lists them.
class Site : public HttpSite {
  public:
    Site(const Served &served, Guard guard) : served_(served), guard_(std::move(guard)) {}

    std::optional<HttpAnswer> refusal(const HttpRequest &head) override;
    HttpAnswer answer(HttpRequest &&request) override;
    bool take_room(Room room, std::int64_t bytes) override;

  private:
    std::string without_path(std::string reason) const;
    HttpAnswer problem(const HttpRequest &request, int status, const char *reason) const;

    Served served_;
    Guard guard_;
    std::array<std::atomic<std::int64_t>, 2> taken_ = {}; ///< bytes, of each room
};

} // namespace bowhist
