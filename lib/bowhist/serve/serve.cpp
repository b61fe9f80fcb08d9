#include <bowhist/serve/serve.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/serve/http_server.hpp>
#include <bowhist/serve/protocol.hpp>
#include <bowhist/serve/site.hpp>

#include <fmt/format.h>

#include <mutex>

namespace bowhist {
namespace {

/// Passes on what there is to say. It does not stop work: what is asked for when the server ends is
/// answered.
class Patient : public Observer {
  public:
    explicit Patient(Observer &observer) : observer_(observer) {}
    void note(const std::string &line) override {
        const std::lock_guard lock(mutex_);
        observer_.note(line);
    }
    void warning(const std::string &line) override {
        const std::lock_guard lock(mutex_);
        observer_.warning(line);
    }

  private:
    Observer &observer_;
    std::mutex mutex_;
};

} // namespace

void serve(const ServeRequest &request, const std::function<void(const std::string &)> &started,
           Observer &observer) {
    http_protocol();
    Patient patient(observer);
    LiveLibrary live(request, patient);
    if (live.now()->status().images == 0)
        throw Error(Fault::input, fmt::format("{} holds no picture to search; index some first",
                                              request.library));
    Copies copies(request, live, observer);
    Groups groups(request, live, observer);
    Words words(request, live, observer);
    Workers workers(request.threads);
    HttpServer server(request.host, request.port);
    Site site({request, live, copies, groups, words, workers},
              {request.host, request.token, server.port()});
    started(server.address());
    server.run(site, observer);
}

} // namespace bowhist
