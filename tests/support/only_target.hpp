#pragma once

#include <hwy/targets.h>

#include <cstdint>
#include <functional>
#include <string>

namespace bowhist::testing {

/// While it lives, Highway sees one generation of vector units only.
class OnlyTarget {
  public:
    explicit OnlyTarget(std::int64_t target) { hwy::SetSupportedTargetsForTest(target); }
    ~OnlyTarget() { hwy::SetSupportedTargetsForTest(0); }
    OnlyTarget(const OnlyTarget &) = delete;
    OnlyTarget &operator=(const OnlyTarget &) = delete;
};

/// Calls it with the name of each generation that this CPU has, while Highway sees only that.
inline void for_each_target(const std::function<void(const std::string &)> &work) {
    const std::int64_t supported = hwy::SupportedTargets();
    for (std::int64_t rest = supported; rest != 0; rest &= rest - 1) {
        const OnlyTarget only(rest & -rest);
        work(hwy::TargetName(rest & -rest));
    }
}

} // namespace bowhist::testing
