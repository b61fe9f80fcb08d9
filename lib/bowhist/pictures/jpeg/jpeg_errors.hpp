#pragma once

#include <csetjmp>
#include <cstdio> // jpeglib.h wants it

#include <jpeglib.h>

namespace bowhist {

/// Takes the reports of a libjpeg object: prints nothing, and turns libjpeg's longjmp into an
/// exception. Each call of libjpeg that may fail is made within `guard`.
///
/// A jpeg_error_mgr, as libjpeg sees it. It must stay where it is.
class JpegErrors : public jpeg_error_mgr {
  public:
    JpegErrors();
    JpegErrors(const JpegErrors &) = delete;
    JpegErrors &operator=(const JpegErrors &) = delete;

    /// @throws Error{Fault::input} without a path, when libjpeg gives up; Error{Fault::device} when
    ///         it is not the libjpeg of jpeglib.h; std::bad_alloc.
    /// `call` holds nothing to destroy: libjpeg's jump runs no destructor.
    template <typename Call>
    void guard(Call call) {
        if (!returned(call)) throw_failure();
    }

    /// The first warning about damaged data; empty without one.
    const char *damage() const { return damage_; }

    /// Whether libjpeg went beyond the bytes without an end of image.
    bool lacks_end() const { return lacks_end_; }
    /// The number of last bytes that the image left over, as libjpeg says once it lacks the end.
    std::size_t left_over() const { return left_over_; }

  private:
    template <typename Call>
    bool returned(Call call) {
        if (setjmp(jump_) != 0) return false;
        call();
        return true;
    }
    [[noreturn]] void throw_failure() const;
    [[noreturn]] static void fail(j_common_ptr object);
    static void note(j_common_ptr object, int level);

    std::jmp_buf jump_;
    char failure_[JMSG_LENGTH_MAX] = {};
    char damage_[JMSG_LENGTH_MAX] = {};
    bool lacks_end_ = false;
    std::size_t left_over_ = 0;
};

/// @throws Error{Fault::device} when the libjpeg that is loaded is of another version than the
///         jpeglib.h that this was compiled with
void require_jpeg_library();

} // namespace bowhist
