// The only file of a team that talks to MPI beside messages: ranks as members of a team.
#include <bowhist/core/error.hpp>
#include <bowhist/core/version.hpp>
#include <bowhist/team/launcher.hpp>
#include <bowhist/team/mpi/messages.hpp>
#include <bowhist/team/mpi/transport.hpp>
#include <bowhist/team/team.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <sched.h>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

namespace bowhist {
namespace {

constexpr int failed_status = 3;
/// How long a member without a result waits for the others' next call. All are to end in 30 s.
constexpr std::chrono::seconds patience(10);

int as_int(std::size_t number) {
    return static_cast<int>(number);
}

/// The cores that this process may run on, as the bytes of a mask.
std::string core_mask() {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    sched_getaffinity(0, sizeof cores, &cores);
    return {reinterpret_cast<const char *>(&cores), sizeof cores};
}

/// The text of each member.
std::vector<std::string> texts_of_all(MPI_Comm team, const std::string &own) {
    int size = 0;
    MPI_Comm_size(team, &size);
    std::string all(static_cast<std::size_t>(size) * own.size(), '\0');
    MPI_Allgather(own.data(), as_int(own.size()), MPI_BYTE, all.data(), as_int(own.size()),
                  MPI_BYTE, team);
    std::vector<std::string> texts;
    for (std::size_t at = 0; at < all.size(); at += own.size())
        texts.push_back(all.substr(at, own.size()));
    return texts;
}

class MpiTeam : public Team {
  public:
    explicit MpiTeam(void (*last_words)(const std::string &)) : last_words_(last_words) {
        stay_on_one_machine();
        int provided = 0;
        MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
        MPI_Comm_dup(MPI_COMM_WORLD, &team_);
        int number = 0;
        MPI_Comm_size(team_, &number);
        size_ = static_cast<std::size_t>(number);
        MPI_Comm_rank(team_, &number);
        rank_ = static_cast<std::size_t>(number);
        if (refuse_other_versions()) return;
        MPI_Type_contiguous(sizeof(Meeting), MPI_BYTE, &meeting_);
        MPI_Type_commit(&meeting_);
        MPI_Op_create(join_meetings, 1, &join_);
        find_place();
    }

    std::size_t size() const override { return size_; }
    std::size_t rank() const override { return rank_; }
    MemberPlace place() const override { return place_; }

    void sum(std::span<double> values, const Ready &ready) override {
        require_all();
        reduce_all(team_, values, MPI_DOUBLE, MPI_SUM, [&](std::size_t first, std::size_t end) {
            if (ready) ready(first, end);
        });
    }
    void sum(std::span<std::uint32_t> values) override {
        require_all();
        reduce_all(team_, values, MPI_UINT32_T, MPI_SUM, [](std::size_t, std::size_t) {});
    }
    void sum(std::span<std::uint64_t> values) override {
        if (values.size() <= Meeting::room) return require_all(values);
        require_all();
        reduce_all(team_, values, MPI_UINT64_T, MPI_SUM, [](std::size_t, std::size_t) {});
    }
    void maximize(std::span<float> values) override {
        require_all();
        reduce_all(team_, values, MPI_FLOAT, MPI_MAX, [](std::size_t, std::size_t) {});
    }

    void broadcast(std::string &bytes) override {
        require_all();
        bowhist::broadcast(team_, 0, bytes);
    }

    void gather(const Give &give, const Take &take) override {
        require_all();
        if (rank_ == 0) {
            for (std::size_t from = 1; from < size_; ++from)
                for (std::string some; !(some = receive(team_, as_int(from))).empty();)
                    take(from, some);
            return;
        }
        for (std::string bytes; !(bytes = give()).empty();)
            for (std::string_view left = bytes; !left.empty();) {
                const std::string_view piece = left.substr(0, piece_bytes);
                send(team_, 0, piece);
                left.remove_prefix(piece.size());
            }
        send(team_, 0, {});
    }

    void describe(Work work) override {
        const std::lock_guard lock(work_lock_);
        work_ = std::move(work);
    }

    Ending end(Ending own) override {
        if (!is_over_) meet(own);
        if (!is_over_) {
            std::int32_t status = own.status;
            MPI_Request request = MPI_REQUEST_NULL;
            MPI_Ibcast(&status, 1, MPI_INT32_T, 0, team_, &request);
            wait(request);
            ending_ = {status, {}};
        }
        // Launchers end the other ranks once one has ended with a status: first the line.
        if (rank_ == 0 && !ending_.line.empty()) last_words_(ending_.line);
        ending_.line.clear();
        watch_.reset(); // the others end from now on
        MPI_Finalize();
        return ending_;
    }

    /// @throws Error{Fault::usage} where versions differ, with an empty line: it has been shown
    void require_one_version() {
        if (is_over_) throw Error(Fault::usage, end({}).line);
    }

  private:
    /// The first exchange of all, and alike in every version: other messages may differ.
    bool refuse_other_versions() {
        constexpr std::size_t room = 32;
        std::string own(version().substr(0, room));
        own.resize(room);
        const std::vector<std::string> versions = texts_of_all(team_, own);
        const auto other = std::ranges::find_if(
            versions, [&](const std::string &one) { return one != versions.front(); });
        if (other == versions.end()) return false;
        ending_ = {2, difference(static_cast<std::size_t>(other - versions.begin()),
                                 "another version of bowhist")};
        return is_over_ = true;
    }

    void find_place() {
        MPI_Comm machine = MPI_COMM_NULL;
        MPI_Comm_split_type(team_, MPI_COMM_TYPE_SHARED, as_int(rank_), MPI_INFO_NULL, &machine);
        int number = 0;
        MPI_Comm_rank(machine, &number);
        place_.number = static_cast<std::size_t>(number);
        const std::string mask = core_mask();
        place_.on_cores = 0;
        for (const std::string &other : texts_of_all(machine, mask))
            if (other == mask) ++place_.on_cores;
        const std::array<std::int32_t, 2> own{static_cast<std::int32_t>(getpid()),
                                              static_cast<std::int32_t>(rank_)};
        std::vector<pid_t> peers;
        for (const std::string &text :
             texts_of_all(machine, {reinterpret_cast<const char *>(own.data()), sizeof own})) {
            std::array<std::int32_t, 2> other{};
            text.copy(reinterpret_cast<char *>(other.data()), sizeof other);
            peers.push_back(other[0] == own[0] ? 0 : other[0]);
            ranks_here_.push_back(static_cast<std::size_t>(other[1]));
        }
        MPI_Comm_free(&machine);
        watch_ = std::make_unique<PeerWatch>(peers, [this](std::size_t peer) { lose(peer); });
    }

    /// A member of this machine has ended before its end(): so do all others. On other machines the
    /// launcher ends them.
    [[noreturn]] void lose(std::size_t peer) {
        const bool speaks = place_.number == (peer == 0 ? 1 : 0);
        if (speaks) {
            const std::lock_guard lock(work_lock_);
            const std::size_t rank = ranks_here_[peer];
            last_words_(
                fmt::format("rank {} ended before its work was done{}; the others end, too, "
                            "and an output that was not complete stays as it was",
                            rank, work_ ? fmt::format(" ({})", work_(rank)) : ""));
        }
        _exit(failed_status);
    }

    /// @param sums  few numbers, which become the sums of all members'
    /// @throws Error where another member has ended without a result
    void require_all(std::span<std::uint64_t> sums = {}) {
        meet({}, sums);
        if (is_over_) throw Error(Fault::device, ending_.line);
    }

    /// Waits for all members. @param own  with a line where this one has no result
    void meet(const Ending &own, std::span<std::uint64_t> sums = {}) {
        const bool fails = !own.line.empty();
        Meeting all{.lowest = -static_cast<std::int32_t>(fails ? rank_ : size_),
                    .works = fails ? 0 : 1};
        std::ranges::copy(sums, all.sums.begin());
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Iallreduce(MPI_IN_PLACE, &all, 1, meeting_, join_, team_, &request);
        if (!wait(request, fails ? std::optional(patience) : std::nullopt)) abandon(own);
        std::copy_n(all.sums.begin(), sums.size(), sums.begin());
        const auto lowest = static_cast<std::size_t>(-all.lowest);
        if (lowest == size_) return;
        std::int32_t status = own.status;
        MPI_Ibcast(&status, 1, MPI_INT32_T, as_int(lowest), team_, &request);
        wait(request);
        std::string line = own.line;
        bowhist::broadcast(team_, as_int(lowest), line);
        ending_ = {status, all.works == 0 ? line : fmt::format("rank {}: {}", lowest, line)};
        is_over_ = true;
    }

    /// The others are at work, and are not asked.
    [[noreturn]] void abandon(const Ending &own) {
        last_words_(fmt::format("rank {}: {}", rank_, own.line));
        watch_.reset();
        MPI_Abort(MPI_COMM_WORLD, failed_status);
        _exit(failed_status);
    }

    void (*last_words_)(const std::string &);
    MPI_Comm team_ = MPI_COMM_NULL;
    MPI_Datatype meeting_ = MPI_DATATYPE_NULL;
    MPI_Op join_ = MPI_OP_NULL;
    std::size_t size_ = 1;
    std::size_t rank_ = 0;
    MemberPlace place_;
    std::vector<std::size_t> ranks_here_; ///< of the members of this machine
    std::mutex work_lock_;
    Work work_;
    bool is_over_ = false; ///< all know that some have no result: ending_
    Ending ending_;
    std::unique_ptr<PeerWatch> watch_;
};

std::unique_ptr<Team> join(void (*last_words)(const std::string &)) {
    auto team = std::make_unique<MpiTeam>(last_words);
    team->require_one_version();
    return team;
}

const char *library() {
    static std::string name = [] {
        std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
        int length = 0;
        MPI_Get_library_version(text.data(), &length);
        const std::string all(text.data(), static_cast<std::size_t>(length));
        return all.substr(0, all.find_first_of(",\n"));
    }();
    return name.c_str();
}

} // namespace
} // namespace bowhist

// The one name that launcher.cpp looks up.
extern "C" const bowhist::TeamModule bowhist_mpi;
extern "C" constexpr bowhist::TeamModule bowhist_mpi = {.join = bowhist::join,
                                                        .library = bowhist::library};
