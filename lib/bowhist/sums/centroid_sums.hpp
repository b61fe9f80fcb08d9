#pragma once

#include <bowhist/core/descriptors.hpp>
#include <bowhist/core/vocabulary.hpp>
#include <bowhist/team/team.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace bowhist {

class ThreadTeam;

/// The sums that one member of a team added up.
struct MemberSums {
    std::span<const std::uint64_t>
        sums; ///< k×D multiples, negative ones as their complement to 2^64
    std::span<const std::uint32_t> counts = {}; ///< how many descriptors each word has
    std::shared_ptr<const void> memory = {};    ///< of both
};

/// The sum of each word's descriptors, the same bit for bit in any order of adding: values are
/// rounded to multiples of one power of two, so fine that float64 just holds all sums exactly. For
/// n descriptors it is about n / 2^51 of the largest value.
///
/// Protocol: clear, then add*, then finish; or take. Then inertia, empty and move, as often as
/// wanted. One thread at a time.
class CentroidSums {
  public:
    /// Reads the rows once, to find the power of two.
    /// @param rows  that will be added again and again; not kept
    /// @param team  whose members add the other rows; outlives the sums
    CentroidSums(const DescriptorRows &rows, std::size_t k, Team &team = one_process());

    /// Sums of the same multiples for a member of a team that adds a share of these rows. Its
    /// members exchange whole numbers, as devices add them up.
    /// @param rows  of the share
    /// @param team  all of whose sums are shares
    CentroidSums share(std::size_t rows, ThreadTeam &team, std::size_t rank) const {
        return {*this, rows, team, rank};
    }
    bool is_share() const { return threads_ != nullptr; }

    /// Whether others may add up other rows.
    bool has_team() const { return &team_ != &one_process(); }

    void clear();

    /// Adds some descriptors, on all threads.
    /// @param values  their floats
    /// @param words   of each, in [0, k)
    /// @param before  their previous words, or -1; becomes `words`
    /// @return how many words differ from the previous ones
    std::size_t add(std::span<const float> values, std::span<const std::int32_t> words,
                    std::span<std::int32_t> before);

    /// Completes the sums, with those of the team.
    void finish();

    /// Adds the team's sums to those that were added up elsewhere, as MemberSums has them. The
    /// other members call this, or finish(). REQUIRES: !is_share()
    void join(std::span<std::uint64_t> sums, std::span<std::uint32_t> counts);

    /// The sums of all members, in the order of ranks. The other members call this, or finish().
    /// REQUIRES: is_share()
    std::vector<MemberSums> exchange(const MemberSums &own) const;

    /// Takes finished sums, of a team those of all.
    /// @param sums    k×D multiples; empty where only counts are wanted: then empty() alone holds
    /// @param counts  how many descriptors each word has
    void take(std::span<const std::int64_t> sums, std::vector<std::uint32_t> counts);
    /// The same from what all members added up.
    void take(std::span<const MemberSums> all);
    /// The same from others of the same multiples.
    void take(const CentroidSums &others) { parts_.front() = others.parts_.front(); }

    /// The power of two that makes values multiples.
    double scale() const { return scale_; }
    /// Two factors of it, since it may leave float32's range.
    std::pair<float, float> scales() const;

    /// The sum of the squared distances between the descriptors that were added and their words'
    /// centroids: Σ|x|² minus what the sums explain, so that no descriptor is read.
    double inertia(const Vocabulary &vocabulary) const;
    /// The same from each word's part, which was computed elsewhere (move_words.cl).
    double inertia(std::span<const double> explained) const;

    /// The words without descriptors.
    std::vector<std::size_t> empty() const;

    /// Moves each other word's centroid to the mean of its descriptors.
    void move(Vocabulary &vocabulary) const;

  private:
    CentroidSums(const CentroidSums &whole, std::size_t rows, ThreadTeam &team, std::size_t rank);
    struct Part {
        std::vector<double> sums; ///< k×D, in multiples
        std::vector<std::uint32_t> counts;
    };
    std::size_t add_rows(std::span<const float> values, std::span<const std::int32_t> words,
                         std::span<std::int32_t> before, Part &part) const;

    Team &team_;
    ThreadTeam *threads_ = nullptr; ///< of a share
    std::size_t rank_ = 0;          ///< there
    std::size_t dimensions_;
    std::size_t k_;
    double scale_;            ///< makes values multiples
    double squares_;          ///< Σ|x|²
    std::vector<Part> parts_; ///< one a thread, with numbers from clear() or take() on; finish()
                              ///< adds them all to the first
};

} // namespace bowhist
