#pragma once

namespace bowhist {

/// Deletes what a C library made, by the library's own function: for std::unique_ptr.
template <auto release>
struct Release {
    template <typename Object>
    void operator()(Object *object) const {
        release(object);
    }
};

} // namespace bowhist
