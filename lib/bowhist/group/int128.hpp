#pragma once

namespace bowhist {

__extension__ using Int128 = __int128;

} // namespace bowhist
