#pragma once

namespace bowhist {

#include <train/train_launch.h> // of cl/: the kernels read the same file

} // namespace bowhist
