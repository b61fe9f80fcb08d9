#include <bowhist/pictures/jpeg/jpeg_errors.hpp>

#include <bowhist/core/error.hpp>

#include <fmt/format.h>
#include <jerror.h>

#include <new>

namespace bowhist {
namespace {

/// Whether a warning of libjpeg means damage: all do but those that leave the pixels as they were
/// written.
bool is_damage(int warning) {
    switch (warning) {
    case JWRN_EXTRANEOUS_DATA: // rubbish before a marker
    case JWRN_ADOBE_XFORM:     // an unknown color transform; libjpeg assumes the usual one
    case JWRN_JFIF_MAJOR:      // a version to come
    case JWRN_NOT_SEQUENTIAL:  // Samsung's cameras write Se = 0
    case JWRN_JPEG_EOF:        // the end of the bytes: JWRN_HIT_MARKER follows where rows lack bits
    case JWRN_BOGUS_ICC:       // a color profile in disorder; profiles are not looked at
        return false;
    default:
        return true;
    }
}

} // namespace

JpegErrors::JpegErrors() {
    jpeg_std_error(this);
    error_exit = fail;
    emit_message = note;
    output_message = [](j_common_ptr) {};
}

void JpegErrors::fail(j_common_ptr object) {
    auto *errors = static_cast<JpegErrors *>(object->err);
    errors->format_message(object, errors->failure_);
    std::longjmp(errors->jump_, 1);
}

void JpegErrors::note(j_common_ptr object, int level) {
    auto *errors = static_cast<JpegErrors *>(object->err);
    if (level >= 0) return; // it traces; below 0 it warns
    if (errors->msg_code == JWRN_JPEG_EOF) errors->lacks_end_ = true;
    if (errors->msg_code == JWRN_EXTRANEOUS_DATA && errors->lacks_end_)
        errors->left_over_ = static_cast<std::size_t>(errors->msg_parm.i[0]);
    if (errors->damage_[0] == '\0' && is_damage(errors->msg_code))
        errors->format_message(object, errors->damage_);
}

void JpegErrors::throw_failure() const {
    if (msg_code == JERR_OUT_OF_MEMORY) throw std::bad_alloc();
    if (msg_code == JERR_BAD_LIB_VERSION || msg_code == JERR_BAD_STRUCT_SIZE)
        throw Error(Fault::device,
                    fmt::format("the libjpeg that is loaded is not the one that bowhist was "
                                "compiled for ({}); install libjpeg-turbo of that version, or see "
                                "where LD_LIBRARY_PATH leads",
                                failure_));
    throw Error(Fault::input,
                fmt::format("damaged, or a kind of JPEG that libjpeg does not read ({}); get the "
                            "picture again, or convert it to PNG",
                            failure_));
}

void require_jpeg_library() {
    JpegErrors errors;
    jpeg_decompress_struct decoder = {};
    decoder.err = &errors;
    errors.guard([&decoder] { jpeg_create_decompress(&decoder); });
    jpeg_destroy_decompress(&decoder);
}

} // namespace bowhist
