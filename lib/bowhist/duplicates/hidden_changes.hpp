#pragma once

#include <bowhist/duplicates/agreements.hpp>

#include <span>

namespace bowhist {

// Pictures that are no pages: a small thing that one of them alone shows is too small to be seen in
// thumbnails.

/// Looks closely at images that may go, in up to 2048 pixels a side, unless their letters were
/// compared. An image stays, too, if either of the two shows something that the other does not
/// show. The two are different if each shows something of its own.
/// @param moves  each image that may go, and the one that stays for it; those looked at before are
///               left out
/// @return whether one stays now, so that groups must be formed again
bool keep_hidden_changes(const NumberedImages &images, std::span<const Agreements::Pair> moves,
                         Agreements &agreements, KeptPairs &kept, Observer &observer);

} // namespace bowhist
