#include <bowhist/files/opencv_matrix.hpp>

namespace bowhist {

FloatMatrix read_opencv_matrix(InputFile &file) {
    file.fail(
        "this bowhist was built without OpenCV, which reads .yml and .xml; convert it to .npy");
}

} // namespace bowhist
