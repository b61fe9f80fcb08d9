// compact: what both ways of compaction share: a vector in chunks, and what is kept of it.
//
// -DELEMENT: the type of an element. -DPREDICATE: whether it is kept, an expression of `value`,
// `index` and `flags` (a uchar for each element, if need be).

#include "ops_launch.h"

bool is_kept(const ELEMENT value, const uint index, global const uchar *flags)
{
    return PREDICATE;
}
