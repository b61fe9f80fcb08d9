#pragma once

#include <bowhist/assign/choose/choice.hpp>
#include <bowhist/core/observer.hpp>
#include <bowhist/pipeline/descriptor_stream.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace bowhist {

/// The library that `bowhist serve` serves, and to whom (docs/serve.md).
struct ServeRequest {
    std::filesystem::path library;
    std::string host = "127.0.0.1"; ///< whose address is listened on
    int port = 8048;                ///< 0: a free one
    std::string token = {};         ///< that every request has to bring; empty: none
    bool read_only = false;         ///< nothing is written into the library
    std::size_t threads = 1;        ///< that decode and search at once
    std::uint64_t most_upload_bytes = 128 << 20;
    StreamOptions stream = {}; ///< of images that are sent
    LevelRequest level = {};
};

/// Serves a library until the observer is interrupted.
/// @param started  gets the address, "http://127.0.0.1:8048/", when clients may connect
/// @throws as Library, HttpServer, SharedSearch; Error{Fault::input} for an empty library, and in a
///         build without cpp-httplib
void serve(const ServeRequest &request, const std::function<void(const std::string &)> &started,
           Observer &observer);

} // namespace bowhist
