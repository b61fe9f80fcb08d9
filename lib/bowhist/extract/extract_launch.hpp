#pragma once

namespace bowhist {

#include <extract/extract_launch.h> // of cl/: the kernels read the same file

} // namespace bowhist
