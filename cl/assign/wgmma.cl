// wgmma: the products of a warpgroup, four warps, on Hopper's matrix units, which read the second
// operand from local memory by themselves.
//
// OpenCL C's compiler assembles for a target without these instructions: they stand behind "//@ ",
// a comment, until device/ptx.hpp uncovers them in the program's PTX. 64 descriptors (an operand in
// registers, a quarter of a row's 16 dimensions a work-item) by 64 centroids (a descriptor of a
// matrix in local memory) give 32 sums a work-item: for two descriptors, two centroids of each tile
// of eight (PTX ISA, "Asynchronous warpgroup level matrix instructions").

/// The work-item's 32 sums as operands, read and written.
#define SUMS(d)                                                                                    \
    "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),            \
    "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),        \
    "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]),     \
    "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]),     \
    "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])

/// sums = descriptors * centroids, and with `onto` 1 the sums so far.
#define MULTIPLY(onto, d, a, centroids)                                                            \
    asm volatile("//@ { .reg .pred p; setp.ne.b32 p, " #onto ", 0; "                               \
                 "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, " \
                 "%7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "   \
                 "%23, %24, %25, %26, %27, %28, %29, %30, %31}, {%32, %33, %34, %35}, %36, p, 1, " \
                 "1, 0; }\n"                                                                       \
        : SUMS(d) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(centroids) : "memory")

/// sums = descriptors * centroids. The sums are there after await_products.
void start_products(private float *d, const private uint *a, const ulong centroids)
{
    MULTIPLY(0, d, a, centroids);
}

/// sums += descriptors * centroids
void add_products(private float *d, const private uint *a, const ulong centroids)
{
    MULTIPLY(1, d, a, centroids);
}

/// Before the first product of several: registers written so far are seen by them.
void open_products(private float *d)
{
    asm volatile("//@ wgmma.fence.sync.aligned;\n" : SUMS(d) :: "memory");
}

void close_products()
{
    asm volatile("//@ wgmma.commit_group.sync.aligned;\n" ::: "memory");
}

void await_products(private float *d)
{
    asm volatile("//@ wgmma.wait_group.sync.aligned 0;\n" : SUMS(d) :: "memory");
}

/// Makes the matrix units see what this work-item copied to local memory.
void show_copies()
{
    asm volatile("//@ fence.proxy.async.shared::cta;\n" ::: "memory");
}

/// Starts to bring memory into the second cache: a multiple of 16 bytes, and so aligned.
void prefetch_bytes(global const void *from, const uint bytes)
{
    asm volatile("//@ cp.async.bulk.prefetch.L2.global [%0], %1;\n" :: "l"(from), "r"(bytes));
}
