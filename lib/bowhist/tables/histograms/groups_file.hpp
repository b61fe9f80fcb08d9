#pragma once

#include <bowhist/io/atomic_file.hpp>

#include <cstdint>
#include <span>
#include <string>

namespace bowhist {

/// Writes `image,group,distance`, a row for each image, as the histogram CSV is written (RFC 4180
/// quoting, LF, path bytes as given, floats in the shortest form that reads back).
/// The caller commits `file`, together with other results. @throws Error{Fault::output}
void write_groups(AtomicFile &file, std::span<const std::string> images,
                  std::span<const std::int32_t> groups, std::span<const double> distances);

} // namespace bowhist
