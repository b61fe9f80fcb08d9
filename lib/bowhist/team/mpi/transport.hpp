#pragma once

namespace bowhist {

/// On one machine ranks talk through its memory, unless something else is chosen. That Open MPI
/// looks for networks takes longer than all else of its start. To be called before that.
void stay_on_one_machine();

} // namespace bowhist
