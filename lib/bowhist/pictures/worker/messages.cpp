#include <bowhist/pictures/worker/messages.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <sys/socket.h>

namespace bowhist {
namespace {

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

DecodeReply::Text DecodeReply::text_of(std::string_view words) {
    Text text = {};
    words = words.substr(0, text.size() - 1);
    std::copy(words.begin(), words.end(), text.begin());
    return text;
}

template <typename Message>
bool send_message(int socket, const Message &message, int descriptor) {
    iovec part = {const_cast<Message *>(&message), sizeof message}; // sendmsg only reads it
    Ancillary room = {};
    msghdr header = with_room(part, room);
    if (descriptor == no_descriptor) {
        header.msg_controllen = 0;
    } else {
        cmsghdr *carried = CMSG_FIRSTHDR(&header);
        carried->cmsg_level = SOL_SOCKET;
        carried->cmsg_type = SCM_RIGHTS;
        carried->cmsg_len = CMSG_LEN(sizeof descriptor);
        std::memcpy(CMSG_DATA(carried), &descriptor, sizeof descriptor);
    }
    ssize_t sent = 0;
    do {
        sent = sendmsg(socket, &header, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent == static_cast<ssize_t>(sizeof message);
}

template <typename Message>
std::optional<Received<Message>> receive_message(int socket) {
    Received<Message> received;
    iovec part = {&received.message, sizeof received.message};
    Ancillary room = {};
    msghdr header = with_room(part, room);
    ssize_t got = 0;
    do { // a reset is reported once, before what the other side sent last
        got = recvmsg(socket, &header, MSG_CMSG_CLOEXEC);
    } while (got < 0 && (errno == EINTR || errno == ECONNRESET));
    if (got != static_cast<ssize_t>(sizeof received.message)) return std::nullopt;
    if (const cmsghdr *carried = CMSG_FIRSTHDR(&header))
        std::memcpy(&received.descriptor, CMSG_DATA(carried), sizeof received.descriptor);
    return received;
}

template bool send_message(int, const StartRequest &, int);
template bool send_message(int, const DecodeRequest &, int);
template bool send_message(int, const DecodeReply &, int);
template std::optional<Received<StartRequest>> receive_message(int);
template std::optional<Received<DecodeRequest>> receive_message(int);
template std::optional<Received<DecodeReply>> receive_message(int);

} // namespace bowhist
