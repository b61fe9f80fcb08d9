// last_seen: the tile of words that a kernel saw last.
//
// A driver may end long loops early, silently (llvmpipe does, after 65 535 steps). So a kernel keeps
// what it saw last, by a comparison that always holds, here of every start, -||c||^2 / 2; no compiler
// can know that.

#define LAST_SEEN(start, tile, last) ((start) <= 0 ? (tile) : (last))
