// scan_rows: what the two scans share: the rows they walk, and how a kernel is made for its types.
//
// A vector is scanned as rows, too: cut into chunks, each a row that starts with what the chunks
// before it add up to (its carry). Only the last chunk may be shorter.
//
// -DINPUT -DTYPE: elements in and out, e.g. uchar and uint.

#include "ops_launch.h"

#define JOIN_NAMES(before, type, length) before##type##length
#define VECTOR(type, length) JOIN_NAMES(, type, length)
#define CONVERT(type, length) JOIN_NAMES(convert_, type, length)

uint width_of(const ScanRows rows, const uint row)
{
    return row + 1 == rows.rows ? rows.last_width : rows.width;
}
