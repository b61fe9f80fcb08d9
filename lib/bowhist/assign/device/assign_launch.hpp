#pragma once

namespace bowhist {

#include <assign/assign_launch.h> // of cl/: the kernels read the same file

} // namespace bowhist
