#pragma once

#include <bowhist/serve/http.hpp>

namespace bowhist {

/// The module, loaded once. @throws Error{Fault::input} in a build without cpp-httplib
const HttpProtocol &http_protocol();

} // namespace bowhist
