#pragma once

#include <bowhist/core/projection.hpp>
#include <bowhist/pipeline/word_stream.hpp>
#include <bowhist/team/team.hpp>

#include <functional>
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

} // namespace bowhist
