#pragma once

#include <bowhist/files/raster.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace bowhist {

/// Asks a worker for one picture. It lies in shared memory: the file's bytes, then room for the
/// samples. The memory's descriptor travels with the first request that uses it.
struct DecodeRequest {
    std::uint64_t shared_bytes = 0; ///< the size of the memory
    std::uint64_t file_bytes = 0;
    std::uint64_t sample_bytes = 0;     ///< room for the picture's
    std::uint64_t memory_bytes = 0;     ///< that decoding may take
    std::uint32_t cpu_milliseconds = 0; ///< that decoding may take
    Colour colour = Colour::grey;
    std::int32_t side = 0;     ///< pixels at most; 0 keeps the size
    bool needs_codecs = false; ///< worth loading before the process forks
};

/// Either side unmaps larger memory after use.
constexpr std::uint64_t most_kept_bytes = 16ULL << 20;

struct DecodeReply {
    enum class Outcome : std::int32_t { decoded, refused, no_memory };
    Outcome outcome = Outcome::decoded;
    std::int32_t width = 0;          ///< pixels
    std::int32_t height = 0;         ///< pixels
    std::array<char, 500> text = {}; ///< why it is refused, or what is damaged; ends with a NUL

    void say(std::string_view why); ///< as much of it as fits
};

// Each message is sent and received whole, over a socket of SOCK_SEQPACKET. False or nothing: the
// other side is gone.
bool send(int socket, const DecodeRequest &request, int descriptor_or_none);
bool send(int socket, const DecodeReply &reply);

constexpr int no_descriptor = -1;
struct ReceivedRequest {
    DecodeRequest request;
    int descriptor; ///< the receiver's to close; or none: the memory is the last one's
};
std::optional<ReceivedRequest> receive_request(int socket);
std::optional<DecodeRequest> peek_request(int socket); ///< waits for one, and leaves it there
std::optional<DecodeReply> receive_reply(int socket);

} // namespace bowhist
