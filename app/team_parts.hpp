#pragma once

#include "app/console.hpp"

#include <bowhist/io/own_folders.hpp>
#include <bowhist/team/shard.hpp>

#include <filesystem>
#include <vector>

namespace bowhist::app {

/// Ranks as shards that talk: each runs the verb as the shard of its number, into a file of its
/// own, and rank 0 gets all files. No folder but that of the inputs need be shared.
class TeamParts {
  public:
    /// @param ending  of the files: ".part", ".bow"
    explicit TeamParts(const char *ending);

    Shard shard() const;
    std::filesystem::path own() const; ///< where this rank's part goes

    /// Rank 0 gets the parts of all ranks; the others none. All call it, their parts written.
    std::vector<std::filesystem::path> gather() const;

  private:
    std::filesystem::path place_of(std::size_t rank) const;

    ScratchFolder scratch_;
    const char *ending_;
};

/// Puts together what the ranks wrote, at rank 0, which says what came of all. @return the status
int merge_team_parts(const TeamParts &parts, const std::filesystem::path &output, Console &console);

/// All ranks must have one vocabulary, or model of codes. @throws as require_same, and where a rank
/// cannot read it
void require_same_model(const std::filesystem::path &path);

} // namespace bowhist::app
