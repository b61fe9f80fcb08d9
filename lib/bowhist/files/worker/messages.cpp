#include <bowhist/files/worker/messages.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <sys/socket.h>

namespace bowhist {
namespace {

/// recv that signals do not interrupt; whether the whole message came.
template <typename Message>
bool receive(int socket, Message &message, int flags = 0) {
    ssize_t got = 0;
    do {
        got = recv(socket, &message, sizeof message, flags);
    } while (got < 0 && errno == EINTR);
    return got == static_cast<ssize_t>(sizeof message);
}

template <typename Message>
iovec as_parts(Message &message) {
    return {const_cast<std::remove_const_t<Message> *>(&message), sizeof message};
}

/// Room for one descriptor beside a message.
union Ancillary {
    cmsghdr aligned;
    std::array<char, CMSG_SPACE(sizeof(int))> bytes;
};

msghdr with_room(iovec &part, Ancillary &room) {
    msghdr header = {};
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    header.msg_control = room.bytes.data();
    header.msg_controllen = room.bytes.size();
    return header;
}

} // namespace

void DecodeReply::say(std::string_view why) {
    why = why.substr(0, text.size() - 1);
    *std::copy(why.begin(), why.end(), text.begin()) = '\0';
}

bool send(int socket, const DecodeRequest &request, int descriptor_or_none) {
    iovec part = as_parts(request);
    Ancillary room = {};
    msghdr header = with_room(part, room);
    if (descriptor_or_none == no_descriptor) {
        header.msg_controllen = 0;
    } else {
        cmsghdr *carried = CMSG_FIRSTHDR(&header);
        carried->cmsg_level = SOL_SOCKET;
        carried->cmsg_type = SCM_RIGHTS;
        carried->cmsg_len = CMSG_LEN(sizeof(int));
        std::memcpy(CMSG_DATA(carried), &descriptor_or_none, sizeof(int));
    }
    return sendmsg(socket, &header, MSG_NOSIGNAL) == static_cast<ssize_t>(sizeof request);
}

bool send(int socket, const DecodeReply &reply) {
    return ::send(socket, &reply, sizeof reply, MSG_NOSIGNAL) == static_cast<ssize_t>(sizeof reply);
}

std::optional<ReceivedRequest> receive_request(int socket) {
    ReceivedRequest received = {};
    iovec part = as_parts(received.request);
    Ancillary room = {};
    msghdr header = with_room(part, room);
    ssize_t got = 0;
    do {
        got = recvmsg(socket, &header, MSG_CMSG_CLOEXEC);
    } while (got < 0 && errno == EINTR);
    if (got != static_cast<ssize_t>(sizeof received.request)) return std::nullopt;
    received.descriptor = no_descriptor;
    if (const cmsghdr *carried = CMSG_FIRSTHDR(&header))
        std::memcpy(&received.descriptor, CMSG_DATA(carried), sizeof received.descriptor);
    return received;
}

std::optional<DecodeRequest> peek_request(int socket) {
    DecodeRequest request;
    if (!receive(socket, request, MSG_PEEK)) return std::nullopt;
    return request;
}

std::optional<DecodeReply> receive_reply(int socket) {
    DecodeReply reply;
    if (!receive(socket, reply)) return std::nullopt;
    reply.text.back() = '\0';
    return reply;
}

} // namespace bowhist
