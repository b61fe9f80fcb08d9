// scan_rows: what the two scans share: the rows they walk, and how a kernel is made for its types.
//
// A vector is scanned as rows, too: cut into chunks, each a row that starts with what the chunks
// before it add up to (its carry). Only the last chunk may be shorter.
//
// -DINPUT -DTYPE: elements in and out, e.g. uchar and uint.

#define JOIN_NAMES(before, type, length) before##type##length
#define VECTOR(type, length) JOIN_NAMES(, type, length)
#define CONVERT(type, length) JOIN_NAMES(convert_, type, length)

typedef struct {
    uint rows;
    uint width;      // elements in of a row
    uint last_width; // of the last row
    uint extra;      // 1: a row's total follows its (exclusive) sums; else 0
    uint inclusive;  // whether an element is part of its own sum
    uint carried;    // whether each row starts with a carry
    uint in_pitch;   // elements from a row's start to the next
    uint out_pitch;
} Rows;

uint width_of(const Rows rows, const uint row)
{
    return row + 1 == rows.rows ? rows.last_width : rows.width;
}
