#include <bowhist/train/joined_totals.hpp>

#include <bowhist/ops/image_batch.hpp>
#include <bowhist/train/train_launch.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace bowhist {
namespace {

constexpr std::size_t added_numbers = std::size_t{1} << 20; // of a member, at once

/// Numbers of 64 bits, as the device has them: two of 32 each.
std::span<const cl_uint> halves_of(std::span<const std::uint64_t> numbers) {
    return {reinterpret_cast<const cl_uint *>(numbers.data()), 2 * numbers.size()};
}
std::span<cl_uint> halves_of(std::span<std::uint64_t> numbers) {
    return {reinterpret_cast<cl_uint *>(numbers.data()), 2 * numbers.size()};
}

} // namespace

JoinedTotals::Borrowed JoinedTotals::join(CentroidSums &team, const Buffer<cl_uint> &sums,
                                          const Buffer<cl_uint> &counts) {
    download(sums, counts);
    if (team.is_share()) return add_members(team, sums, counts);
    team.join(totals_->sums(), totals_->counts());
    totals_->note(device_->upload_later<cl_uint>(counts, totals_->counts()));
    totals_->note(device_->upload_later<cl_uint>(sums, halves_of(totals_->sums())));
    return {};
}

void JoinedTotals::download(const Buffer<cl_uint> &sums, const Buffer<cl_uint> &counts) {
    if (!totals_) totals_ = std::make_shared<TeamTotals>(*device_, k_, dimensions_);
    totals_->note(device_->download_later(totals_->counts(), counts));
    const cl::Event here = device_->download_later(halves_of(totals_->sums()), sums);
    totals_->note(here);
    device_->await(here);
}

/// The device adds, not the host: from the caches of the cores that wrote them it reads sums at a
/// third of the speed.
JoinedTotals::Borrowed JoinedTotals::add_members(const CentroidSums &team,
                                                 const Buffer<cl_uint> &sums,
                                                 const Buffer<cl_uint> &counts) {
    if (!add_words_)
        add_words_ = device_->kernel("add_words.cl", "add_words",
                                     fmt::format("-DDIMENSIONS={}", dimensions_));
    Borrowed others{team.exchange({totals_->sums(), totals_->counts(), totals_})};
    const std::size_t at_once = std::clamp<std::size_t>(added_numbers / dimensions_, 1, k_);
    for (const MemberSums &one : others.from) {
        if (one.memory == totals_) continue;
        for (std::size_t first = 0; first < k_; first += at_once) {
            const std::size_t words = std::min(at_once, k_ - first);
            const std::size_t numbers = words * dimensions_;
            const auto here = device_->scratch<cl_uint>(2 * numbers + words);
            others.read = device_->upload_later(
                here, halves_of(one.sums.subspan(first * dimensions_, numbers)));
            others.read =
                device_->upload_later<cl_uint>(here, one.counts.subspan(first, words), 2 * numbers);
            device_->launch(*add_words_, {numbers, 1}, {ADD_GROUP, 1}, here, as_uint(words),
                            as_uint(first), sums, counts);
        }
    }
    return others;
}

} // namespace bowhist
