#pragma once

#include <bowhist/core/preparation.hpp>
#include <bowhist/core/recipe.hpp>
#include <bowhist/pipeline/word_stream.hpp>
#include <bowhist/team/team.hpp>

#include <functional>
#include <optional>
#include <string>

namespace bowhist {

/// Images that the members of a team encode, each its share: rank 0 gets them all, in order.
///
/// Protocol: take, then join.
class SharedImages {
  public:
    using Sink = std::function<void(EncodedImage &&)>;

    explicit SharedImages(Team &team) : team_(team) {}

    /// The sink for this member's own images.
    Sink take(const Sink &sink);

    /// Hands the others' images to rank 0's sink.
    void join(const Sink &sink);

  private:
    Team &team_;
    std::string images_; ///< for rank 0
};

/// All get rank 0's.
void share_projection(Projection &projection, Team &team);

/// A recipe as text, and back; of none empty.
std::string recipe_text(const std::optional<Recipe> &recipe);
std::optional<Recipe> recipe_of_text(const std::string &text);

/// Rank 0's preparation for all members: rank 0 sends it, the others receive it.
void send_preparation(Team &team, const Preparation &preparation);
Preparation received_preparation(Team &team);

} // namespace bowhist
