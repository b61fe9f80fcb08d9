#pragma once

// In front of a function: one copy of it for each generation of vector units, chosen when the
// program starts. Not under sanitizers, which cannot instrument the chooser.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define BOWHIST_FOR_EACH_CPU __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define BOWHIST_FOR_EACH_CPU
#endif
