// prepare_places: the numbers that are appended to a row: where its descriptor lies, its scale, its contrast.
//
// They are the host's float64 numbers, bit for bit, on devices without fp64, too. -DMIRRORS: 1 where the
// row of the mirrored image lies as many rows behind as there are descriptors.

#pragma OPENCL FP_CONTRACT OFF

#include "launch_image.h"
#include "launch_keypoint.h"
#include "logarithm.cl"

/// From one border of the image to the other, in units of deviations.
float spread(const float at, const int pixels)
{
    const Float64 a_half = constant64(0x3FE0000000000000UL);
    const Float64 less_a_half = constant64(0xBFE0000000000000UL);
    const Float64 deviation = constant64(0x3FD28F5C28F5C28FUL); // 0.29
    const Float64 share = quotient64(sum64(from_float(at), a_half), from_int(pixels));
    return to_float(quotient64(sum64(share, less_a_half), deviation));
}

/// @param column  of the rows, where x is written; y behind it
/// @param unit    of the numbers
kernel void append_position(global const LaunchKeypoint *keypoints, global const uint *bag,
                            global const LaunchImage *images, global const uint *count,
                            global float *rows, const uint pitch, const uint column, const float unit)
{
    const size_t row = get_global_id(0);
    const size_t n = *count;
    if (row >= n) return;
    const LaunchImage image = images[bag[row]];
    const float x = spread(keypoints[row].x, image.width);
    const float y = spread(keypoints[row].y, image.height) * unit;
    global float *to = rows + row * pitch + column;
    to[0] = x * unit;
    to[1] = y;
    if (MIRRORS) {
        to[n * pitch] = x == 0 ? to[0] : -x * unit;
        to[n * pitch + 1] = y;
    }
}

kernel void append_scale(global const LaunchKeypoint *keypoints, global const uint *count,
                         global float *rows, const uint pitch, const uint column, const float unit)
{
    const size_t row = get_global_id(0);
    const size_t n = *count;
    if (row >= n) return;
    const Float64 less_one = constant64(0xBFF0000000000000UL);
    const Float64 smallest = constant64(0x3FE999999999999AUL); // 0.8
    const Float64 octave = logarithm_of_2(quotient64(from_float(keypoints[row].scale), smallest));
    const float place = to_float(sum64(octave, less_one)) * unit;
    global float *to = rows + row * pitch + column;
    to[0] = place;
    if (MIRRORS) to[n * pitch] = place;
}

kernel void append_contrast(global const LaunchKeypoint *keypoints, global const uint *count,
                            global float *rows, const uint pitch, const uint column, const float unit)
{
    const size_t row = get_global_id(0);
    const size_t n = *count;
    if (row >= n) return;
    const float response = keypoints[row].response;
    const Float64 less_middle = constant64(0xC012000000000000UL); // -4.5
    const Float64 deviation = constant64(0x3FF8000000000000UL);   // 1.5
    const Float64 octave = logarithm_of_2(from_float(response > 0.5f ? response : 0.5f));
    const float place =
        to_float(quotient64(sum64(octave, less_middle), deviation)) * unit;
    global float *to = rows + row * pitch + column;
    to[0] = place;
    if (MIRRORS) to[n * pitch] = place;
}
