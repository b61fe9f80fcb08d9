// multiply_codes: products of codes, exact. A work-item multiplies an image with eight queries.
//
// Codes of images: [group of 64][pair of dimensions][image][2]; of queries: [eight][pair][query].

#include "search_launch.h"

kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void multiply_codes(global const char2 *codes, const uint pairs, const uint first_group,
                    global const short2 *queries, const uint images, global int *products)
{
    const uint item = get_local_id(0);
    const uint batch = get_group_id(1);
    global const char2 *mine = codes + (size_t)(first_group + get_group_id(0)) * pairs * 64 + item;
    global const short2 *with = queries + (size_t)batch * pairs * SEARCH_QUERIES;

    int sum[SEARCH_QUERIES];
#pragma unroll
    for (uint q = 0; q < SEARCH_QUERIES; ++q) sum[q] = 0;
    for (uint pair = 0; pair < pairs; ++pair, mine += 64, with += SEARCH_QUERIES) {
        const int2 code = convert_int2(*mine);
#pragma unroll
        for (uint q = 0; q < SEARCH_QUERIES; ++q) {
            const int2 other = convert_int2(with[q]);
            sum[q] += code.x * other.x + code.y * other.y;
        }
    }
    const size_t to = (size_t)batch * SEARCH_QUERIES * images + get_group_id(0) * 64 + item;
#pragma unroll
    for (uint q = 0; q < SEARCH_QUERIES; ++q) products[to + (size_t)q * images] = sum[q];
}
