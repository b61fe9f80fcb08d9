#pragma once

#include <bowhist/core/error.hpp>
#include <bowhist/core/observer.hpp>
#include <bowhist/pictures/decode.hpp>
#include <bowhist/pictures/worker/messages.hpp>
#include <bowhist/pictures/worker/shared_memory.hpp>

#include <sys/types.h>
#include <unistd.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace bowhist {

/// There is no process to decode in, or no memory to share with it: too many processes, open files,
/// a limit on files. what() says why, and what to do next.
struct WorkerUnavailable : std::runtime_error {
    explicit WorkerUnavailable(const std::string &why);
};

/// The process of bowhist-decode, which starts workers. Used by one thread at a time.
class DecodeServer {
  public:
    /// @throws Error{Fault::input}: not installed; WorkerUnavailable
    DecodeServer();
    /// Ends the process and its workers, those that still decode, too. Does nothing of that in a
    /// process that the owner forked.
    ~DecodeServer();
    DecodeServer(const DecodeServer &) = delete;
    DecodeServer &operator=(const DecodeServer &) = delete;

    /// Our end of a new worker's socket; the caller's to close, which ends the worker.
    /// @throws WorkerUnavailable
    int start_worker();

    bool is_gone(); ///< it ended, or another process ended it

  private:
    void end();

    int socket_;
    pid_t process_ = 0; ///< 0 when it is gone
    pid_t owner_ = getpid();
};

/// The most that decoding one image may take.
struct DecodeBounds {
    std::uint64_t memory_bytes; ///< of private memory, beside the file and the result
    std::uint32_t cpu_milliseconds;
};

/// Our end of a process that decodes. Used by one thread at a time. After any exception it is of no
/// more use.
class DecodeWorker {
  public:
    /// The process ended without an answer: at this image, or because of an earlier one.
    struct Died : std::runtime_error {
        Died()
            : std::runtime_error("ended its decoder; damaged, or made to do harm; get the "
                                 "picture again") {}
    };

    /// The image is damaged, or what earlier ones left makes it seem so; or there is no decoder.
    struct Refused : Error {
        using Error::Error;
    };

    explicit DecodeWorker(int socket) : socket_(socket) {} ///< takes it over
    ~DecodeWorker();
    DecodeWorker(const DecodeWorker &) = delete;
    DecodeWorker &operator=(const DecodeWorker &) = delete;

    /// As decode() in this process.
    /// @throws Refused, std::bad_alloc, Died, WorkerUnavailable; Error{Fault::input}: too much
    /// work;
    ///         Error{Fault::interrupted}
    DecodedImage decode(const EncodedFile &file, Color color, int side, const DecodeBounds &bounds,
                        const Observer *observer);

    /// As decode_frames() in this process.
    /// @param room  bytes for their samples and sizes
    /// @throws as decode
    std::vector<Raster> decode_frames(const EncodedFile &file, int side, std::size_t most,
                                      std::uint64_t room, const DecodeBounds &bounds,
                                      const Observer *observer);

    bool is_fresh() const { return decoded_ == 0; } ///< no file has touched its memory

  private:
    DecodeReply ask(const EncodedFile &file, DecodeRequest &request, const DecodeBounds &bounds,
                    const Observer *observer);
    void let_go();
    int share(std::uint64_t bytes);
    void wait_for_reply(const DecodeBounds &bounds, const Observer *observer);
    Raster image_of(const DecodeReply &reply, const DecodeRequest &request);
    std::vector<Raster> frames_of(const DecodeReply &reply, const DecodeRequest &request);

    int socket_;
    pid_t owner_ = getpid();
    std::optional<SharedMemory> memory_;
    std::uint64_t decoded_ = 0; ///< images
};

/// The processes that decode for the threads of this one: as many as threads decode at a time,
/// each started on first need, and used until it fails. Safe to call from many threads.
class DecodeWorkers {
  public:
    /// As DecodeWorker::decode, but a death is an Error{Fault::input} like any damage. A new worker
    /// tries this image again if one fails that decoded other images before: the image may not be
    /// to blame. @throws WorkerUnavailable
    DecodedImage decode(const EncodedFile &file, Color color, int side, const DecodeBounds &bounds,
                        const Observer *observer);

    /// As DecodeWorker::decode_frames; the same of failures.
    std::vector<Raster> decode_frames(const EncodedFile &file, int side, std::size_t most,
                                      std::uint64_t room, const DecodeBounds &bounds,
                                      const Observer *observer);

    void end(); ///< all processes; the next image starts them anew

  private:
    struct Worker {
        std::shared_ptr<DecodeServer> server; ///< its own: another one may have come since
        std::unique_ptr<DecodeWorker> process;
    };
    template <typename Work>
    auto with_worker(Work work);
    Worker take();
    Worker start();
    bool is_gone(DecodeServer &server);
    void keep(Worker worker);

    std::mutex mutex_; ///< guards all below; workers that are not idle belong to their threads
    std::shared_ptr<DecodeServer> server_; ///< the newest
    std::vector<Worker> idle_;             ///< leave before the server does
    pid_t owner_ = getpid();               ///< what it forks starts its own
};

} // namespace bowhist
