// last_seen: the tile of words that a kernel saw last.
//
// A driver may end long loops early, silently. So a kernel keeps the number of the tile that it saw
// last, by a comparison that holds for every start, -||c||^2 / 2; no compiler can know
// that.

#define LAST_SEEN(start, tile, last) ((start) <= 0 ? (tile) : (last))
