#include <bowhist/train/shared_word_search.hpp>

#include <bowhist/assign/shared_assigner.hpp>
#include <bowhist/core/default_floats.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/device/device.hpp>
#include <bowhist/device/leave.hpp>
#include <bowhist/train/row_groups.hpp>
#include <bowhist/train/row_shares.hpp>
#include <bowhist/train/word_distances.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

namespace bowhist {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

constexpr double worth_new_shares = 1.2; // how much longer an iteration takes than it could
constexpr double least_gain = 0.005;     // seconds

} // namespace

/// A device with its share.
struct SharedWordSearch::Member {
    std::size_t choice; ///< among choices_
    std::size_t rank;   ///< in the team, and among members_
    std::size_t first;  ///< row
    std::unique_ptr<DescriptorRows> rows;
    std::unique_ptr<WordSearch> search = {};
    std::unique_ptr<CentroidSums> sums = {};
    Iteration found = {};
    double seconds = 0; ///< of its last run, without waiting for others
    std::exception_ptr failure = {};

    /// Null where the host adds up.
    DeviceWordSearch *on_device() const { return search->of_one_device(); }
};

SharedWordSearch::SharedWordSearch(const DescriptorRows &rows,
                                   const std::vector<LevelChoice> &choices,
                                   const Vocabulary &vocabulary, Observer &observer, bool anywhere,
                                   std::optional<std::size_t> most_kept)
    : rows_(rows), choices_(choices), observer_(observer), anywhere_(anywhere),
      most_kept_(most_kept), current_(std::make_shared<const Vocabulary>(vocabulary)) {
    for (LevelChoice &choice : choices_)
        choice.options.observer = lines_.emplace_back(std::make_unique<KeptLines>(observer)).get();
    needs_shares_ = true; // made by the first run, which knows the sums
}

SharedWordSearch::~SharedWordSearch() = default;

/// Cuts shares, and finds the words of the last run again. Tries until all devices can.
void SharedWordSearch::share_out() {
    while (needs_shares_) {
        needs_shares_ = false;
        slow_runs_ = 0;
        settle_centroids();
        keep_reports();
        members_.clear();
        settled_.clear(); // of devices that may have left
        const std::size_t before = choices_.size();
        std::erase_if(choices_, [](const LevelChoice &one) { return one.device()->has_left(); });
        if (paces_.empty() || choices_.size() != before)
            paces_ = paces_of(choices_, rows_, *current_);
        make_members();
    }
}

void SharedWordSearch::keep_reports() {
    for (const auto &member : members_) try {
            if (member->search && !choices_[member->choice].device()->has_left())
                join(member->search->report(), report_);
        } catch (const Error &) { // the device failed meanwhile, which its next work shows
        }
}

void SharedWordSearch::make_members() {
    must_move_ = false; // they begin with the moved ones
    std::size_t first = 0;
    const std::vector<std::size_t> shares = shares_by(paces_, rows_.size());
    for (std::size_t i = 0; i < shares.size(); ++i) {
        if (shares[i] > 0)
            members_.push_back(
                std::make_unique<Member>(Member{.choice = i,
                                                .rank = members_.size(),
                                                .first = first,
                                                .rows = rows_.range(first, shares[i])}));
        first += shares[i];
    }
    team_ = std::make_unique<ThreadTeam>(members_.size());
    all_can([this](Member &member) { make(member); });
}

void SharedWordSearch::make(Member &member) {
    const LevelChoice &choice = choices_[member.choice];
    member.search = make_word_search(*member.rows, choice, ran_with_ ? *ran_with_ : *current_,
                                     *choice.options.observer, anywhere_, most_kept_);
    const bool adds_there = member.on_device() != nullptr;
    member.sums = std::make_unique<CentroidSums>(
        sums_->share(adds_there ? 0 : member.rows->size(), *team_, member.rank));
    if (!ran_with_) return;
    member.search->run(*member.sums);
    member.search->replace(*current_);
}

bool SharedWordSearch::all_can(const std::function<void(Member &)> &act,
                               const std::function<void()> &meanwhile) {
    const auto act_with = [&](Member &member) {
        const DefaultFloats floats; // of this thread
        try {
            act(member);
        } catch (...) {
            member.failure = std::current_exception();
            team_->break_up();
        }
    };
    std::vector<std::function<void()>> work;
    for (const auto &member : members_)
        work.emplace_back([&act_with, &member = *member] { act_with(member); });
    if (meanwhile) work.push_back(meanwhile);
    threads_.run(work);
    for (const auto &lines : lines_) lines->pass_on();
    for (const auto &member : members_) settle_failure(*member);
    return !needs_shares_;
}

/// A device that failed leaves. One that waited for it has lost its run.
void SharedWordSearch::settle_failure(Member &member) {
    if (!member.failure) return;
    needs_shares_ = true;
    try {
        std::rethrow_exception(std::exchange(member.failure, {}));
    } catch (const TeamBroken &) {
    } catch (const Error &error) {
        Device &device = *choices_[member.choice].device();
        const auto does_its_work = [&](const LevelChoice &one) {
            return one.device().get() != &device && !one.device()->has_left();
        };
        if (error.fault != Fault::device || std::ranges::none_of(choices_, does_its_work)) throw;
        leave(device, error, observer_);
    }
}

void SharedWordSearch::until_all_can(const std::function<void(Member &)> &act,
                                     const std::function<void()> &meanwhile) {
    do share_out();
    while (!all_can(act, meanwhile));
}

/// Follows the centroids that the devices moved. They are the host's, bit for bit.
void SharedWordSearch::settle_centroids() {
    if (totals_.empty()) return;
    std::vector<MemberSums> all;
    for (const auto &one : totals_) all.push_back({one->sums(), one->counts()});
    sums_->take(all);
    settled_ = std::exchange(totals_, {});
    auto next = std::make_shared<Vocabulary>(*current_);
    sums_->move(*next);
    current_ = std::move(next);
}

void SharedWordSearch::replace(const Vocabulary &vocabulary) {
    totals_.clear();
    must_move_ = false;
    current_ = std::make_shared<const Vocabulary>(vocabulary);
    if (!needs_shares_) all_can([&](Member &member) { member.search->replace(vocabulary); });
}

void SharedWordSearch::forget() {
    ran_with_.reset();
    if (!needs_shares_) all_can([](Member &member) { member.search->forget(); });
}

Iteration SharedWordSearch::run(CentroidSums &sums) {
    sums_ = &sums;
    if (std::exchange(wants_shares_, false)) needs_shares_ = true;
    until_all_can(
        [this](Member &member) {
            const double before = team_->seconds_waited(member.rank);
            const auto start = Clock::now();
            if (must_move_) member.search->move(*member.sums);
            member.found = member.search->run(*member.sums);
            const double waited = team_->seconds_waited(member.rank) - before;
            member.seconds = std::max(1e-6, seconds_since(start) - waited);
        },
        [this] { settle_centroids(); });
    must_move_ = false;
    ran_with_ = current_;
    consider_new_shares();
    return joined(sums);
}

/// Sums and the inertia are all members', words that moved are each one's.
Iteration SharedWordSearch::joined(CentroidSums &sums) const {
    Iteration all = members_.front()->found;
    all.moved = 0;
    for (const auto &member : members_) all.moved += member->found.moved;
    if (all.empty > 0) sums.take(*members_.front()->sums);
    return all;
}

/// The next run cuts shares where several in a row took longer than they could.
void SharedWordSearch::consider_new_shares() {
    std::vector<double> paces = paces_;
    double longest = 0;
    for (const auto &member : members_) {
        paces[member->choice] = static_cast<double>(member->rows->size()) / member->seconds;
        longest = std::max(longest, member->seconds);
    }
    const double all = std::accumulate(paces.begin(), paces.end(), 0.0);
    const double best = static_cast<double>(rows_.size()) / all;
    const bool is_slow = longest > worth_new_shares * best && longest > best + least_gain;
    slow_runs_ = is_slow ? slow_runs_ + 1 : 0;
    if (slow_runs_ < slow_enough_) return;
    slow_enough_ *= 2; // paces that never settle must not cost an iteration again and again
    paces_ = paces;
    wants_shares_ = true;
    observer_.note("training: descriptors are shared out anew, by the devices' paces");
}

void SharedWordSearch::move(const CentroidSums & /*sums*/) {
    const auto adds_here =
        std::ranges::find_if(members_, [](const auto &member) { return !member->on_device(); });
    settled_.resize(members_.size());
    if (adds_here == members_.end()) {
        for (const auto &member : members_) {
            totals_.push_back(member->on_device()->take_totals());
            member->on_device()->reuse(std::move(settled_[member->rank]));
        }
    } else {
        sums_->take(*(*adds_here)->sums);
        auto next = std::make_shared<Vocabulary>(*current_);
        sums_->move(*next);
        current_ = std::move(next);
    }
    must_move_ = true; // with the next run: threads for that alone would take longer
}

bool SharedWordSearch::finds_farthest_on_device(std::size_t count) const {
    return rows_.in_memory() != nullptr && pays_by_groups(count, rows_.size()) && !needs_shares_ &&
           std::ranges::all_of(members_, [](const auto &member) {
               return member->on_device() != nullptr && member->on_device()->measures_groups();
           });
}

FarRows SharedWordSearch::far_rows(std::size_t count) {
    settle_centroids();
    std::vector<std::vector<RowGroup>> groups(members_.size());
    const auto measure = [&](Member &member) {
        groups[member.rank] = member.on_device()->measured_groups();
        for (RowGroup &group : groups[member.rank]) group.first += member.first;
    };
    if (!finds_farthest_on_device(count) || !all_can(measure))
        return bowhist::far_rows(rows_, words(), *current_, count);
    std::vector<RowGroup> all;
    for (const auto &some : groups) all.insert(all.end(), some.begin(), some.end());
    const auto read_words = [&](const RowGroup &group, std::span<std::int32_t> words) -> Device & {
        const auto after = std::ranges::upper_bound(
            members_, group.first, {}, [](const auto &member) { return member->first; });
        const Member &member = **(after - 1);
        member.on_device()->read_words(group.first - member.first, words);
        return *member.on_device()->device();
    };
    return far_rows_in(std::move(all), count, *rows_.in_memory(), *current_, read_words);
}

bool SharedWordSearch::on_device() const {
    return std::ranges::all_of(members_,
                               [](const auto &member) { return member->search->on_device(); });
}

Vocabulary SharedWordSearch::vocabulary() {
    settle_centroids();
    return *current_;
}

std::vector<std::int32_t> &SharedWordSearch::words() {
    words_.resize(rows_.size());
    until_all_can([this](Member &member) {
        std::ranges::copy(member.search->words(),
                          words_.begin() + static_cast<std::ptrdiff_t>(member.first));
    });
    return words_;
}

const AssignmentReport &SharedWordSearch::report() {
    joined_ = report_;
    for (const auto &member : members_) join(member->search->report(), joined_);
    return joined_;
}

} // namespace bowhist
