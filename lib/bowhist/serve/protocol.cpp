#include <bowhist/serve/protocol.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/io/installed_helper.hpp>
#include <bowhist/io/surrogate_escape.hpp>

#include <fmt/format.h>

namespace bowhist {

HttpAnswer http_error(int status, std::string_view reason) {
    return {.status = status, .body = fmt::format("{{\"error\":{}}}\n", json_string(reason))};
}

const HttpProtocol &http_protocol() {
    if constexpr (!BOWHIST_HAS_HTTPLIB)
        throw Error(Fault::input, "this build has no server; install libcpp-httplib-dev and build "
                                  "bowhist again");
    static const auto &module =
        *static_cast<const HttpProtocol *>(symbol_of_module("bowhist-http.so", "bowhist_http"));
    return module;
}

} // namespace bowhist
