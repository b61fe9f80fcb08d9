// bowhist serve: a library, live in a browser, and an API for scripts.
#include "app/command/options.hpp"
#include "app/command/thread_limit.hpp"
#include "app/serve_token.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/library/sqlite/database.hpp>
#include <bowhist/serve/serve.hpp>

#include <omp.h>

#include <cstdio>

#include <malloc.h>

namespace bowhist::app {
namespace {

struct ServeCall {
    ServeRequest request;
    std::filesystem::path token;
    bool is_for_others = false; ///< --host was given
    ConsoleOptions console;
};

ServeCall read_call(const Arguments &arguments) {
    ServeCall call;
    ServeRequest &request = call.request;
    Command command("serve", "Shows a library in a browser, on this machine alone.", "photos.bow",
                    "  bowhist serve photos.bow\n"
                    "  curl --data-binary @query.jpg 'http://127.0.0.1:8048/api/search?top=5'\n"
                    "  curl 'http://127.0.0.1:8048/api/search?id=7'\n"
                    "  bowhist serve photos.bow --host 0.0.0.0 --token token.txt --read-only\n"
                    "\n"
                    "The first line on standard output is the address. Ctrl-C ends it.");
    add_number(command, "--port", request.port, 0, "Where it listens; 0: a free port", 65535);
    const CLI::Option *host =
        command
            .add_option("--host", request.host,
                        "Listen on this address, for other machines, too: they need a token, which "
                        "is printed")
            ->type_name("ADDRESS")
            ->capture_default_str();
    add_file(command, "--token", call.token,
             "The token is the first line of this file, and asked for in any case");
    command.add_flag("--read-only", request.read_only,
                     "Write nothing into the library: take no \"not the same\", keep no checks");
    add_level_options(command, request.level);
    request.stream.image.isolation = Isolation::always; // who sends an image is unknown
    add_stream_options(command, request.stream);
    add_console_options(command, call.console);
    const auto operands = command.parse(arguments);
    if (operands.size() != 1)
        throw Error(Fault::usage, "serve takes one library: bowhist serve photos.bow");
    request.library = operands.front();
    call.is_for_others = given(host);
    if (request.stream.threads == 0) request.stream.threads = default_threads();
    request.threads = static_cast<std::size_t>(request.stream.threads > 0 ? request.stream.threads
                                                                          : omp_get_num_procs());
    return call;
}

/// Other verbs keep large blocks (run.cpp). A server would hold what the largest of its requests
/// and states took, on each of its threads.
void give_back_large_blocks() {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
    mallopt(M_TRIM_THRESHOLD, 1 << 20);
#endif
}

} // namespace

int serve_verb(const Arguments &arguments) {
    give_back_large_blocks();
    ServeCall call = read_call(arguments);
    Console console(call.console);
    Database::end_reads_when(nullptr); // what was asked for is answered
    const bool is_drawn = call.is_for_others && call.token.empty();
    if (is_drawn) call.request.token = random_token();
    if (!call.token.empty()) call.request.token = read_token(call.token);
    const auto print = [&](const std::string &address) {
        fmt::print("{}\n", address);
        if (is_drawn) fmt::print("{}?token={}\n", address, call.request.token);
        std::fflush(stdout);
    };
    serve(call.request, print, console);
    throw Error(Fault::interrupted, "interrupted");
}

} // namespace bowhist::app
