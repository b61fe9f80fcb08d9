// search_launch: what the host and the kernels of a search must agree on. OpenCL C and C++.

#define SEARCH_WINDOW 4096 // images that a group adds up
#define SEARCH_ITEMS 128   // work-items of a group: 32 images each
#define SEARCH_QUERIES 8   // codes that a work-item multiplies with at once

/// A word of a query that is looked up in lists.
typedef struct {
    unsigned word;
    unsigned levels; // bitmaps of the word
    unsigned factor; // of what an entry adds
} SearchList;

/// An entry whose excess 16 bits do not hold.
typedef struct {
    unsigned word;
    unsigned place; // in the window
    unsigned excess;
} SearchLongEntry;

/// Some windows of a buffer, which a launch looks at.
typedef struct {
    unsigned first_window; // of the buffer
    unsigned first_image;  // of that window, among all images
    unsigned images;       // of the windows
    unsigned first;        // the images that count, from first_image on
    unsigned end;
    unsigned capacity; // hits that have room
} SearchRound;

/// How a query's sums become scores, and which scores count.
typedef struct {
    float word_factor; // 0 where words do not count
    float code_factor;
    float limit; // scores below it are dropped
} SearchLimit;

/// An image whose score may reach the limit.
typedef struct {
    unsigned query;
    unsigned image;
    unsigned words; // products, exact
    int codes;
} SearchHit;
