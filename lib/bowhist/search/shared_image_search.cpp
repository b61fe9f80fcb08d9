#include <bowhist/search/shared_image_search.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/device/leave.hpp>

#include <algorithm>
#include <chrono>
#include <exception>
#include <numeric>
#include <thread>
#include <utility>

namespace bowhist {
namespace {

constexpr double worth_new_shares = 1.5; // how much longer a search takes than it could
constexpr double least_gain = 0.01;      // seconds

} // namespace

/// A device and the images that it searches.
struct SharedImageSearch::Member {
    /// Windows of a part.
    struct Piece {
        std::size_t part;
        std::unique_ptr<DeviceImageSearch> search;
    };
    std::shared_ptr<Device> device;
    double pace = 1; ///< windows a second, or 1 for each until it is known
    std::size_t windows = 0;
    std::vector<Piece> pieces = {};
    std::vector<Answers> answers = {}; ///< of each piece
    double seconds = 0;                ///< of its last search
    std::exception_ptr failure = {};
};

SharedImageSearch::SharedImageSearch(const std::vector<std::shared_ptr<Device>> &devices,
                                     Observer &observer)
    : observer_(observer) {
    for (const auto &device : devices)
        members_.push_back(std::make_unique<Member>(Member{.device = device}));
}

SharedImageSearch::~SharedImageSearch() = default;

void SharedImageSearch::send(std::vector<SearchableImages> parts) {
    for (const auto &member : members_) member->pieces.clear(); // before its successor takes room
    parts_ = std::move(parts);
    share_out();
}

/// Sends each its windows, until all devices can take theirs.
void SharedImageSearch::share_out() {
    const auto windows_before = [this](std::size_t part) {
        return std::accumulate(parts_.begin(), parts_.begin() + static_cast<std::ptrdiff_t>(part),
                               std::size_t{0}, [](std::size_t sum, const SearchableImages &some) {
                                   return sum + DeviceImageSearch::windows_of(some);
                               });
    };
    const auto all = static_cast<double>(windows_before(parts_.size()));
    std::vector<std::size_t> ends;
    const auto cut = [&] {
        ends.clear();
        double pace = 0;
        double paces = 0;
        for (const auto &member : members_) paces += member->pace;
        for (const auto &member : members_) {
            pace += member->pace;
            ends.push_back(static_cast<std::size_t>(all * (pace / paces) + 0.5));
        }
        ends.back() = static_cast<std::size_t>(all);
    };
    const auto take = [&](Member &member) {
        const auto place = static_cast<std::size_t>(
            std::ranges::find(members_, &member, &std::unique_ptr<Member>::get) - members_.begin());
        send(member, place == 0 ? 0 : ends[place - 1], ends[place]);
    };
    do cut();
    while (!all_can(take));
    slow_searches_ = 0;
}

/// @param first, end  windows, as counted over all parts
void SharedImageSearch::send(Member &member, std::size_t first, std::size_t end) {
    member.pieces.clear();
    member.windows = end - first;
    std::size_t before = 0;
    for (std::size_t part = 0; part < parts_.size(); ++part) {
        const std::size_t windows = DeviceImageSearch::windows_of(parts_[part]);
        const std::size_t from = std::max(first, before);
        const std::size_t to = std::min(end, before + windows);
        if (from < to)
            member.pieces.push_back(
                {part, std::make_unique<DeviceImageSearch>(
                           member.device, parts_[part],
                           DeviceImageSearch::Windows{from - before, to - from})});
        before += windows;
    }
}

template <typename Act>
bool SharedImageSearch::all_can(const Act &act) {
    const auto work = [&act](Member &member) {
        try {
            act(member);
        } catch (...) {
            member.failure = std::current_exception();
        }
    };
    std::vector<std::thread> threads;
    for (std::size_t other = 1; other < members_.size(); ++other)
        threads.emplace_back([&, other] { work(*members_[other]); });
    work(*members_.front());
    for (std::thread &thread : threads) thread.join();
    const std::size_t before = members_.size();
    for (std::size_t i = members_.size(); i > 0; --i) try {
            Member &member = *members_[i - 1];
            if (member.failure) std::rethrow_exception(std::exchange(member.failure, {}));
        } catch (const Error &error) {
            if (error.fault != Fault::device || members_.size() == 1) throw;
            leave(*members_[i - 1]->device, error, observer_);
            members_.erase(members_.begin() + static_cast<std::ptrdiff_t>(i - 1));
        }
    return members_.size() == before;
}

SharedImageSearch::Answers SharedImageSearch::search(std::span<const ImageQuery> queries,
                                                     const ScoreWeights &weights,
                                                     std::size_t most) {
    const auto look = [&](Member &member) {
        const auto start = std::chrono::steady_clock::now();
        member.answers.clear();
        for (const Member::Piece &piece : member.pieces)
            member.answers.push_back(piece.search->search(queries, weights, most));
        const auto end = std::chrono::steady_clock::now();
        member.seconds = std::max(1e-6, std::chrono::duration<double>(end - start).count());
    };
    while (!all_can(look)) share_out();
    std::vector<std::uint32_t> firsts(1);
    for (const SearchableImages &part : parts_)
        firsts.push_back(firsts.back() + static_cast<std::uint32_t>(part.size()));
    std::vector<BestImages> best(queries.size(), BestImages(most));
    for (const auto &member : members_)
        for (std::size_t i = 0; i < member->pieces.size(); ++i)
            for (std::size_t q = 0; q < queries.size(); ++q)
                for (const ScoredImage &found : member->answers[i][q])
                    best[q].add({firsts[member->pieces[i].part] + found.image, found.score});
    Answers answers;
    for (BestImages &of_query : best) answers.push_back(of_query.sorted());
    consider_new_shares();
    return answers;
}

void SharedImageSearch::consider_new_shares() {
    double all = 0;
    double windows = 0;
    double longest = 0;
    for (const auto &member : members_) {
        all += static_cast<double>(member->windows) / member->seconds;
        windows += static_cast<double>(member->windows);
        longest = std::max(longest, member->seconds);
    }
    const double best = all > 0 ? windows / all : longest;
    const bool is_slow = longest > worth_new_shares * best && longest > best + least_gain;
    slow_searches_ = is_slow ? slow_searches_ + 1 : 0;
    if (slow_searches_ < slow_enough_) return;
    slow_enough_ *= 2; // paces that never settle must not send images again and again
    for (const auto &member : members_)
        if (member->windows > 0)
            member->pace = static_cast<double>(member->windows) / member->seconds;
    share_out();
}

} // namespace bowhist
