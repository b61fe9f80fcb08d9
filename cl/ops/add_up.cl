// add_up: prefix sums within a vector. TYPE16: its type.

/// Each element and all before it within the vector.
TYPE16 add_up(TYPE16 v)
{
    v += (TYPE16)(0, v.s01234567, v.s89ab, v.scd, v.se);
    v += (TYPE16)(0, 0, v.s01234567, v.s89ab, v.scd);
    v += (TYPE16)(0, 0, 0, 0, v.s01234567, v.s89ab);
    v += (TYPE16)(0, 0, 0, 0, 0, 0, 0, 0, v.s01234567);
    return v;
}
