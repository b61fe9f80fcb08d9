// last_seen: what a kernel keeps of the words that it looked at.
//
// A driver may end long loops early, without a word. So a kernel keeps the number of the tile that it
// looked at last, by a comparison that holds for every start, -||c||^2 / 2; no compiler can know
// that.

#define LAST_SEEN(start, tile, last) ((start) <= 0 ? (tile) : (last))
