#include <bowhist/assign/shared_assigner.hpp>

#include <bowhist/core/round_up.hpp>
#include <bowhist/device/device.hpp>
#include <bowhist/device/leave.hpp>

#include <algorithm>
#include <thread>
#include <utility>

namespace bowhist {
namespace {

constexpr std::size_t pieces_each = 4; // of a batch: the last ones end nearly together
constexpr std::size_t least_rows = 1024;
constexpr std::size_t most_rows = std::size_t{1} << 18;

std::size_t rows_of_piece(std::size_t rows, std::size_t members) {
    return std::clamp(divided_up(rows, pieces_each * members), least_rows, most_rows);
}

void count(const Batch &batch, const std::vector<std::int32_t> &words, std::size_t k,
           std::vector<std::uint32_t> &histograms) {
    for (std::size_t row = 0; row < words.size(); ++row)
        ++histograms[(batch.bag.empty() ? 0 : batch.bag[row]) * k +
                     static_cast<std::size_t>(words[row])];
}

} // namespace

bool SharedAssigner::Member::has_left() const {
    return choice.first_device->has_left();
}

void SharedAssigner::Member::leave(const Error &failure, Observer &observer) const {
    bowhist::leave(*choice.first_device, failure, observer);
}

SharedAssigner::SharedAssigner(const std::vector<LevelChoice> &choices,
                               const Vocabulary &vocabulary)
    : dimensions_(vocabulary.dimensions), k_(vocabulary.size()) {
    for (const LevelChoice &choice : choices) {
        members_.push_back({choice, std::make_unique<KeptLines>(*choice.options.observer)});
        members_.back().choice.options.observer = members_.back().lines.get();
    }
    keep_those_that_can(
        [&](Member &member) { member.assigner = member.choice.prepare(vocabulary); });
    std::erase_if(members_, [](const Member &member) { return !member.assigner; });
}

/// On a thread each: a device may have to build its kernels.
void SharedAssigner::keep_those_that_can(const std::function<void(Member &)> &act) {
    const std::vector<Member *> all = members();
    std::vector<std::exception_ptr> failures(all.size());
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < all.size(); ++i)
        threads.emplace_back([&, i] {
            try {
                act(*all[i]);
            } catch (...) {
                failures[i] = std::current_exception();
            }
        });
    threads.clear(); // joins
    pass_on_lines();
    const bool none_can = std::ranges::find(failures, nullptr) == failures.end();
    for (std::size_t i = 0; i < all.size(); ++i) try {
            if (failures[i]) std::rethrow_exception(failures[i]);
        } catch (const Error &error) {
            if (error.fault != Fault::device || none_can) throw;
            all[i]->leave(error, *all[i]->lines);
        }
    pass_on_lines();
}

void SharedAssigner::pass_on_lines() {
    for (const Member &member : members_) member.lines->pass_on();
}

std::vector<SharedAssigner::Member *> SharedAssigner::members() {
    std::vector<Member *> working;
    for (Member &member : members_)
        if (!member.has_left()) working.push_back(&member);
    if (working.empty()) working.push_back(&members_.front());
    return working;
}

void SharedAssigner::replace(const Vocabulary &vocabulary) {
    keep_those_that_can([&](Member &member) { member.assigner->replace(vocabulary); });
}

Assignment SharedAssigner::run(const Batch &batch) {
    Assignment result;
    result.words.resize(batch.values.size() / dimensions_);
    const std::vector<Member *> all = members();
    const std::size_t rows = rows_of_piece(result.words.size(), all.size());
    SharedPieces pieces(divided_up(result.words.size(), rows), all.size());
    std::vector<std::thread> threads;
    for (Member *member : all)
        threads.emplace_back([&, member] { work(*member, batch, rows, pieces, result.words); });
    for (std::thread &thread : threads) thread.join();
    pass_on_lines();
    if (pieces.failure()) std::rethrow_exception(pieces.failure());
    result.histograms.resize(batch.bags * k_);
    count(batch, result.words, k_, result.histograms);
    return result;
}

void SharedAssigner::work(Member &member, const Batch &batch, std::size_t rows,
                          SharedPieces &pieces, std::vector<std::int32_t> &words) {
    while (const auto piece = pieces.take()) {
        const std::size_t first = *piece * rows;
        const std::size_t some = std::min(rows, words.size() - first);
        try {
            const auto found = member.assigner->run(
                {batch.values.subspan(first * dimensions_, some * dimensions_), {}, 1});
            std::ranges::copy(found.words, words.begin() + static_cast<std::ptrdiff_t>(first));
            pieces.done();
        } catch (const Error &error) {
            if (error.fault != Fault::device || !pieces.give_back(*piece))
                return pieces.fail(std::current_exception());
            return member.leave(error, *member.lines);
        } catch (...) {
            return pieces.fail(std::current_exception());
        }
    }
}

const AssignmentReport &SharedAssigner::report() const {
    joined_ = {};
    for (const Member &member : members_) join(member.assigner->report(), joined_);
    return joined_;
}

void join(const AssignmentReport &its, AssignmentReport &all) {
    if (all.source.empty()) all.source = its.source;
    all.rows += its.rows;
    all.unproven += its.unproven;
    all.wall_seconds = std::max(all.wall_seconds, its.wall_seconds);
    all.device_seconds += its.device_seconds;
    for (const auto &[label, time] : its.kernels) {
        all.kernels[label].launches += time.launches;
        all.kernels[label].seconds += time.seconds;
    }
}

} // namespace bowhist
