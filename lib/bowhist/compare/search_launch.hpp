#pragma once

namespace bowhist {

#include <search/search_launch.h> // of cl/: the kernels read the same file

} // namespace bowhist
