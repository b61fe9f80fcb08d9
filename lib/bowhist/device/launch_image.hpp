#pragma once

namespace bowhist {

#include <device/launch_image.h> // of cl/: the kernels read the same file

} // namespace bowhist
