#pragma once

namespace bowhist {

#include <group/group_launch.h> // of cl/: the kernels read the same file

} // namespace bowhist
