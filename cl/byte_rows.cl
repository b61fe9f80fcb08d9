// byte_rows: 8-bit pictures, sixteen pixels at a step.
//
// A picture is a number of rows, each of whole vectors and perhaps a shorter one at its end. Pictures
// without padding are a single long row. A group takes a run of consecutive vectors.
//
// -DALIGNED: whether every row starts at a multiple of sixteen bytes.

typedef struct {
    uint width;   // pixels of a row
    uint vectors; // of a row, the last perhaps not whole
    uint height;  // rows of a picture
    uint in_pitch;
    uint out_pitch;
    uint run; // vectors a group
} ByteRows;

uchar16 load_pixels(global const uchar *from)
{
    return ALIGNED ? *(global const uchar16 *)from : vload16(0, from);
}

void store_pixels(global uchar *to, const uchar16 pixels)
{
    if (ALIGNED)
        *(global uchar16 *)to = pixels;
    else
        vstore16(pixels, 0, to);
}
