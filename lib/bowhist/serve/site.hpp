#pragma once

#include <bowhist/serve/copies.hpp>
#include <bowhist/serve/guard.hpp>
#include <bowhist/serve/http.hpp>
#include <bowhist/serve/live_library.hpp>
#include <bowhist/serve/words.hpp>
#include <bowhist/serve/workers.hpp>

#include <atomic>
#include <cstdint>

namespace bowhist {

/// What answers are made of.
struct Served {
    const ServeRequest &request;
    LiveLibrary &live;
    Copies &copies;
    Words &words;
    Workers &workers;
};

/// All that is served, by paths: routes.cpp lists them.
class Site : public HttpSite {
  public:
    Site(const Served &served, Guard guard) : served_(served), guard_(std::move(guard)) {}

    std::optional<HttpAnswer> refusal(const HttpRequest &head) override;
    HttpAnswer answer(HttpRequest &&request) override;
    bool take_room(std::int64_t bytes) override;

  private:
    HttpAnswer problem(const HttpRequest &request, int status, const char *reason) const;

    Served served_;
    Guard guard_;
    std::atomic<std::int64_t> body_bytes_ = 0; ///< of all requests together
};

} // namespace bowhist
