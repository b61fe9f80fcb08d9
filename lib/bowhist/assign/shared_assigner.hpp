#pragma once

#include <bowhist/assign/assigner.hpp>
#include <bowhist/assign/choose/choice.hpp>
#include <bowhist/core/kept_lines.hpp>

#include <functional>
#include <memory>
#include <vector>

namespace bowhist {

class SharedPieces;

/// Devices that share each batch: each takes a piece of the rows, and the next piece when that is
/// done, so that a faster one takes more. A device that fails leaves (leave.hpp), and the others
/// take its piece. A row's word depends on that row alone, not on the device that finds it.
class SharedAssigner : public Assigner {
  public:
    /// @param choices  each of one device; what they report goes to their observer when run()
    ///                 returns, in this order
    /// @throws as LevelChoice::prepare, where none can be prepared; one that cannot leaves
    SharedAssigner(const std::vector<LevelChoice> &choices, const Vocabulary &vocabulary);

    SharedAssigner *on_devices() override { return this; }
    Assignment run(const Batch &batch) override;
    void replace(const Vocabulary &vocabulary) override;
    /// The sums of the members', and the longest of their wall times.
    const AssignmentReport &report() const override;

    /// A device, and its level prepared there.
    struct Member {
        LevelChoice choice;
        std::unique_ptr<KeptLines> lines; ///< what the device reports
        std::unique_ptr<Assigner> assigner = {};

        bool has_left() const;
        /// As leave.hpp's, of the device. From any thread, if the observer may be called there.
        void leave(const Error &failure, Observer &observer) const;
    };
    /// The members that have not left; at least one, whose error is the run's. Callers share out
    /// work of their own among them: one thread a member at a time, and none in run().
    std::vector<Member *> members();

  private:
    void work(Member &member, const Batch &batch, std::size_t rows, SharedPieces &pieces,
              std::vector<std::int32_t> &words);
    /// Calls `act` for each member. One that fails leaves. @throws its error where none is left
    void keep_those_that_can(const std::function<void(Member &)> &act);
    void pass_on_lines();

    std::size_t dimensions_;
    std::size_t k_;
    std::vector<Member> members_;
    mutable AssignmentReport joined_; ///< the result of report()
};

/// Adds what one of several devices did: sums, and the longest of their wall times.
void join(const AssignmentReport &its, AssignmentReport &all);

} // namespace bowhist
