#include <bowhist/files/picture.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>

namespace bowhist {
namespace {

[[noreturn]] void refuse(const std::filesystem::path &path) {
    throw Error(Fault::input, printable(path) +
                                  ": this bowhist was built without OpenCV and reads no "
                                  "pictures; give descriptor files (.npy, .fvecs, .fbin)");
}

} // namespace

Image read_picture(const std::filesystem::path &path, const PictureLimits & /*limits*/) {
    refuse(path);
}

std::string thumbnail_jpeg(const std::filesystem::path &path, int /*side*/) {
    refuse(path);
}

} // namespace bowhist
