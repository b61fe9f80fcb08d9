// score_bound: how far a scaled fp16 score may be off (docs/words.md, "The bound of an fp16 score").

/// A norm from its square, never too small: pays for the sum's roundings and squares that underflow.
float norm_of(const float square)
{
    return sqrt(square * 1.0001f + 1e-35f);
}

/// The bound by a row's |x| and |x - x^|, and by the words' largest |c^|, |c - c^| and |c|^2/2.
/// `rounding` is what the unit's sums cut off, relative to the largest term. The unit takes a
/// subnormal operand for 2^-14 when it looks for that term.
float score_bound(const float norm, const float residual, const float centroid_norm,
                  const float centroid_residual, const float half_square, const float rounding)
{
    const float largest = fmax(norm, 0x1p-14f) * fmax(centroid_norm, 0x1p-14f) + half_square;
    return residual * centroid_norm + norm * centroid_residual + rounding * largest +
           0x1p-44f * norm * norm;
}
