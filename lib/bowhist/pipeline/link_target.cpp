#include <bowhist/pipeline/link_target.hpp>

#include <bowhist/pipeline/ignored.hpp>

#include <algorithm>
#include <system_error>
#include <utility>

namespace bowhist {

namespace fs = std::filesystem;

LinkTarget::LinkTarget(fs::path link) : link_(std::move(link)) {
    std::error_code error; // what leads nowhere is skipped when it is listed
    target_ = fs::canonical(link_, error);
    parent_ = fs::canonical(link_.parent_path(), error);
}

bool LinkTarget::leads_back(fs::path below) const {
    if (std::ranges::mismatch(target_, parent_).in1 == target_.end()) return true;
    std::error_code error;
    fs::path above = link_.parent_path();
    for (; !below.empty(); below = below.parent_path()) {
        if (fs::equivalent(above, target_, error)) return true;
        above = above.parent_path();
    }
    return false;
}

bool LinkTarget::leads_into_clutter() const {
    const auto own = std::ranges::mismatch(target_, parent_).in1;
    fs::path folder;
    bool is_own = false;
    for (auto name = target_.begin(); name != target_.end(); ++name) {
        folder /= *name;
        is_own = is_own || name == own;
        if (is_own && is_clutter(folder)) return true;
    }
    return false;
}

} // namespace bowhist
