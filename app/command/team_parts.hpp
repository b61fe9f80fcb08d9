#pragma once

#include "app/command/console.hpp"
#include "app/command/team.hpp"
#include "app/shared_inputs.hpp"

#include <bowhist/io/atomic_file.hpp>
#include <bowhist/io/own_folders.hpp>
#include <bowhist/team/shard.hpp>

#include <filesystem>
#include <optional>
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

/// Runs the verb on each rank as a shard, and puts the parts together at rank 0. An output that
/// cannot be written ends it before the work.
/// @param request  with inputs, shard and output
/// @param make     runs the verb, by the request as it is then
/// @return the status
template <typename Request, typename Make>
int share_among_ranks(Request &request, Console &console, const Make &make) {
    const std::filesystem::path output = request.output;
    std::optional<AtomicFile> writable;
    if (team().rank() == 0 && !output.empty()) writable.emplace(output);
    require_same_model(request.centroids);
    share_inputs(request.inputs, {output});
    const TeamParts parts(".part");
    request.shard = parts.shard();
    request.output = parts.own();
    make();
    return merge_team_parts(parts, output, console);
}

} // namespace bowhist::app
