#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bowhist {

/// When an image was captured, by the first Exif block in its file, whatever the container:
/// DateTimeOriginal, else DateTimeDigitized, else DateTime, as "2026-11-26T07:10:54". The camera's
/// clock: no time zone. Nothing where no block says so; any bytes will do.
std::optional<std::string> capture_time(std::string_view file);

} // namespace bowhist
