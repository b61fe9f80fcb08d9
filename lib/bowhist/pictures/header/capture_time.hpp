#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bowhist {

/// When an image was captured, by the first Exif block in its file, whatever the container:
/// DateTimeOriginal, else DateTimeDigitized, else DateTime, as "2026-11-26T07:10:54". The camera's
/// clock; where Exif gives its offset from UTC, too, it follows: "2026-11-26T07:10:54+02:00".
/// Nothing where no block says so; any bytes will do.
std::optional<std::string> capture_time(std::string_view file);

/// Whether a capture time is one that cameras and programs write where they know none, or one of a
/// clock that was reset to it and ran on: in the year 0001, in January 1970 or 1980, in the hour
/// from midnight of 2000-01-01 or from noon of 2002-12-08. The offset does not count.
bool is_default_time(std::string_view captured);

} // namespace bowhist
