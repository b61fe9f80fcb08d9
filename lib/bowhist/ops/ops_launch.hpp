#pragma once

namespace bowhist {

#include <ops/ops_launch.h> // of cl/: the kernels read the same file

} // namespace bowhist
