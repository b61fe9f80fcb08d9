#pragma once

#include <bowhist/device/drivers/driver_news.hpp>
#include <bowhist/device/drivers/sift.hpp>

namespace bowhist {

/// The drivers here, tried once a process, or known from an earlier one. News of bad ones are added
/// (driver_news.hpp) by the first call.
/// @throws Error{Fault::interrupted}; the next call then tries them again
const DriverReport &tried_drivers();

/// That a driver is not used, why, and what to do.
DriverNews news_of(const BadDriver &bad);

/// Loads the good drivers; the loader sees no others from now on. Belongs before any other call of
/// OpenCL's.
/// @return false where no driver may be loaded: OpenCL must not be called @throws the same
bool load_good_drivers();

/// Whether it was called, and loaded some, or does so now. For signal handlers, too.
bool has_loaded_drivers();

} // namespace bowhist
