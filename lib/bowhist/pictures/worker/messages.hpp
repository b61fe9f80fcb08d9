#pragma once

#include <bowhist/core/error.hpp>
#include <bowhist/pictures/raster.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace bowhist {

/// Asks the server for a worker. The worker's end of a new socket travels with it.
struct StartRequest {};

/// Asks a worker for one image. It lies in shared memory: the file's bytes, then room for the
/// samples. The memory's descriptor travels with the first request that uses it.
struct DecodeRequest {
    std::uint64_t shared_bytes = 0; ///< the size of the memory
    std::uint64_t file_bytes = 0;
    std::uint64_t sample_bytes = 0;     ///< room for the image's
    std::uint64_t memory_bytes = 0;     ///< that decoding may take
    std::uint32_t cpu_milliseconds = 0; ///< that decoding may take
    Color color = Color::grey;
    std::int32_t side = 0; ///< pixels at most; 0 keeps the size
    /// 0: the image in `color`. Else frames in grey, as many as this at most: in the room lies each
    /// one's FrameSize, and its samples behind that.
    std::uint32_t most_frames = 0;
};

/// The size of a frame, in shared memory.
struct FrameSize {
    std::int32_t width = 0;  ///< pixels
    std::int32_t height = 0; ///< pixels
};

/// A worker that sent any other outcome than `decoded` is gone.
struct DecodeReply {
    enum class Outcome : std::int32_t {
        decoded,
        refused,   ///< for a cause
        no_memory, ///< more than it may take
        too_slow,  ///< more CPU time than it may take
        not_forked ///< there is no such worker: too many processes
    };
    Outcome outcome = Outcome::decoded;
    Cause cause = Cause::unknown; ///< why it is refused
    std::uint32_t frames = 0;     ///< where frames were asked for
    std::int32_t width = 0;       ///< pixels
    std::int32_t height = 0;      ///< pixels
    using Text = std::array<char, 500>;
    Text text = {}; ///< why it is refused, or what is damaged; ends with a NUL
    Text note = {}; ///< what was guessed; ends with a NUL

    static Text text_of(std::string_view words); ///< as much of them as fits
};

/// Either side unmaps larger memory after use.
constexpr std::uint64_t most_kept_bytes = 16ULL << 20;

constexpr int no_descriptor = -1;

/// Sends a message whole, and a descriptor with it. False: the other side is gone.
/// Over sockets of SOCK_SEQPACKET; instantiated for the three messages above.
template <typename Message>
bool send_message(int socket, const Message &message, int descriptor = no_descriptor);

template <typename Message>
struct Received {
    Message message;
    int descriptor = no_descriptor; ///< the receiver's to close
};

/// Waits for a message. Nothing: the other side is gone.
template <typename Message>
std::optional<Received<Message>> receive_message(int socket);

} // namespace bowhist
