#include <bowhist/files/picture_writer.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>

namespace bowhist {

void write_picture(const std::filesystem::path &path, const Image & /*image*/) {
    throw Error(Fault::output,
                printable(path) + ": this bowhist was built without OpenCV and writes no pictures");
}

} // namespace bowhist
