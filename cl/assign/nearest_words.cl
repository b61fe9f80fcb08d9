// nearest_words: the m nearest words of a descriptor, where float32 proves which they are.
//
// One work-item a descriptor keeps the m + 1 smallest distances in order. As in screen.cl, the m
// words stand where the next one is further from the m-th than both errors together. They are in no
// certain order among themselves: the host orders them by the rule. With -DORDERED each word's
// distance is proven to differ from the next one's, too, so that their order stands. A row that is not proven
// gets -1 in place of its words.
//
// NEAREST: m, less than k. DIMENSIONS: of a descriptor; in private memory up to PRIVATE_DIMENSIONS.

#include "screen.cl"

#define PRIVATE_DIMENSIONS 256

#ifdef ORDERED
#define FIRST_EDGE 0
#else
#define FIRST_EDGE (NEAREST - 1)
#endif

/// The nearest words so far, and the distance of the next one.
typedef struct {
    float distance[NEAREST + 1];
    int word[NEAREST + 1];
} Nearest;

/// Moves those that are farther back. Without a branch: the lists may stay in registers.
void put_in(Nearest *nearest, const float distance, const int word)
{
    for (uint place = NEAREST; place > 0; place--) {
        const float before = nearest->distance[place - 1];
        const bool moves = distance < before;
        const bool stays = !(distance < nearest->distance[place]);
        nearest->word[place] =
            moves ? nearest->word[place - 1] : stays ? nearest->word[place] : word;
        nearest->distance[place] = moves ? before : stays ? nearest->distance[place] : distance;
    }
    if (distance < nearest->distance[0]) {
        nearest->distance[0] = distance;
        nearest->word[0] = word;
    }
}

kernel void find_nearest(global const float *descriptors, const uint n,
                         global const float *centroids, const uint k, const float relative,
                         const float absolute, global int *words)
{
    const uint row = get_global_id(0);
    if (row >= n) return;
#if DIMENSIONS <= PRIVATE_DIMENSIONS
    float x[DIMENSIONS];
    for (uint i = 0; i < DIMENSIONS; i++) x[i] = descriptors[(size_t)row * DIMENSIONS + i];
#else
    global const float *x = descriptors + (size_t)row * DIMENSIONS;
#endif
    Nearest nearest;
    for (uint i = 0; i <= NEAREST; i++) {
        nearest.distance[i] = INFINITY;
        nearest.word[i] = -1;
    }
    int last = -1; // the word seen last, as in screen.cl
    for (uint j = 0; j < k; j++) {
        float distance = 0;
        for (uint i = 0; i < DIMENSIONS; i++) {
            const float difference = x[i] - centroids[(size_t)j * DIMENSIONS + i];
            distance += difference * difference;
        }
        last = distance >= 0 ? (int)j : last;
        if (distance < nearest.distance[NEAREST]) put_in(&nearest, distance, (int)j);
    }
    bool stand = last + 1 == (int)k;
    for (uint i = FIRST_EDGE; i < NEAREST; i++) {
        const Candidate edge = {nearest.distance[i], nearest.distance[i + 1], 0, last};
        stand = stand && proven(edge, relative, absolute);
    }
    for (uint i = 0; i < NEAREST; i++)
        words[(size_t)row * NEAREST + i] = stand ? nearest.word[i] : -1;
}
