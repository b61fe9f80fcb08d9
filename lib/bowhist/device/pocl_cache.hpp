#pragma once

namespace bowhist {

/// PoCL has no device at all where it cannot make its cache of compiled kernels, as in a home that
/// is read-only. There it gets a folder for this run. To be called before OpenCL begins.
void ensure_pocl_cache();

} // namespace bowhist
