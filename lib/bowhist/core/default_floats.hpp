#pragma once

#include <cfenv>

#ifdef __x86_64__
#include <xmmintrin.h>
#endif

namespace bowhist {

#ifdef __x86_64__
/// The state of SSE, which does all arithmetic on floats and doubles: twenty times quicker than
/// <cfenv>, which sets the older unit's, too.
struct FloatState {
    unsigned control = _mm_getcsr();

    static void set_default() { _mm_setcsr(_MM_MASK_MASK); } // rounds to nearest, flushes nothing
    void restore() const { _mm_setcsr(control); }
};
#else
struct FloatState {
    std::fenv_t environment{};

    FloatState() { std::fegetenv(&environment); }
    static void set_default() { std::fesetenv(FE_DFL_ENV); }
    void restore() const { std::fesetenv(&environment); }
};
#endif

/// While it lives, its thread computes as IEEE 754 does by default: it rounds to nearest, keeps
/// subnormals and traps nothing. Its destructor restores the earlier state.
///
/// The caller of the library may have set another state (a start-up object of -ffast-math flushes
/// subnormals), and so may the maker of a pool's threads: each thread that computes words needs a
/// guard of its own. Hold it around calls: the compiler may move a function's own arithmetic past a
/// guard.
class DefaultFloats {
  public:
    DefaultFloats() { FloatState::set_default(); }
    ~DefaultFloats() { before_.restore(); }
    DefaultFloats(const DefaultFloats &) = delete;
    DefaultFloats &operator=(const DefaultFloats &) = delete;

  private:
    FloatState before_;
};

} // namespace bowhist
