#pragma once

#include <bowhist/core/kept_lines.hpp>
#include <bowhist/team/thread_team.hpp>
#include <bowhist/train/device_word_search.hpp>
#include <bowhist/train/word_search.hpp>

#include <chrono>
#include <exception>
#include <functional>

namespace bowhist {

/// Devices that share the descriptors of a training: each has consecutive ones, finds their words
/// and adds them up; each sends them to the others, through the host's memory, and moves the
/// centroids by those of all. Sums are integers, so that shares change nothing.
///
/// Shares follow the devices' speeds. They are cut anew when an iteration would gain a fifth by it,
/// twice in a row. A device that fails leaves (leave.hpp), and its share goes to the others. New
/// shares find the words of the iteration before once more, so that the moved ones are counted.
class SharedWordSearch : public WordSearch {
  public:
    /// @param rows     outlive the search, as the observer does
    /// @param choices  each of one device, at least two
    /// @throws as make_word_search(), where no device is left
    SharedWordSearch(const DescriptorRows &rows, const std::vector<LevelChoice> &choices,
                     const Vocabulary &vocabulary, Observer &observer, bool anywhere,
                     std::optional<std::size_t> most_kept);
    ~SharedWordSearch() override;

    void replace(const Vocabulary &vocabulary) override;
    void forget() override;
    Iteration run(CentroidSums &sums) override;
    void move(const CentroidSums &sums) override;
    FarRows far_rows(std::size_t count) override;
    bool on_device() const override;
    bool finds_farthest_on_device(std::size_t count) const override;
    Vocabulary vocabulary() override;
    std::vector<std::int32_t> &words() override;
    const AssignmentReport &report() override;

  private:
    struct Member;
    using Centroids = std::shared_ptr<const Vocabulary>;

    void share_out();
    void keep_reports();
    void make_members();
    void make(Member &member);
    Iteration joined(CentroidSums &sums) const;
    void consider_new_shares();
    /// Calls `act` with all members, on a thread each. Members that fail leave.
    /// @param meanwhile  on one more thread
    /// @return whether none did @throws what is no device's failure, or that of the last device
    bool all_can(const std::function<void(Member &)> &act,
                 const std::function<void()> &meanwhile = {});
    /// The same again and again, with new shares, until none fails.
    void until_all_can(const std::function<void(Member &)> &act,
                       const std::function<void()> &meanwhile = {});
    void settle_failure(Member &member);
    void settle_centroids();

    const DescriptorRows &rows_;
    std::vector<LevelChoice> choices_; ///< of devices that have not left
    Observer &observer_;
    std::vector<std::unique_ptr<KeptLines>> lines_; ///< of the devices, in their order
    bool anywhere_;
    std::optional<std::size_t> most_kept_;
    StandingThreads threads_;
    CentroidSums *sums_ = nullptr;     ///< those of run()
    std::unique_ptr<ThreadTeam> team_; ///< of members_
    std::vector<std::unique_ptr<Member>> members_;
    std::vector<double> paces_; ///< rows a second of each of choices_
    int slow_runs_ = 0;         ///< one after the other, that other shares would shorten
    int slow_enough_ = 2;       ///< of these, until shares are cut anew
    bool wants_shares_ = false; ///< before the next run
    bool needs_shares_ = true;  ///< before anything else: there are none, or a device left
    bool must_move_ = false;    ///< the members' centroids, by the sums of the last run
    Centroids current_;         ///< but for the last move, where totals_ has it
    Centroids ran_with_;        ///< of the last run; null: its words are forgotten
    /// The sums by which devices moved the centroids and the host has not yet: it follows while
    /// they run.
    std::vector<std::shared_ptr<TeamTotals>> totals_;  ///< of each member, or none
    std::vector<std::shared_ptr<TeamTotals>> settled_; ///< memory for the next ones
    std::vector<std::int32_t> words_;                  ///< the result of words()
    AssignmentReport report_;                          ///< of members that are gone
    AssignmentReport joined_;                          ///< the result of report()
};

} // namespace bowhist
