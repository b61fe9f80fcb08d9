#include <bowhist/device/opencl.hpp>
#include <bowhist/device/ptx.hpp>

namespace bowhist {
namespace {

constexpr std::string_view covered = "//@ ";
constexpr std::string_view covered_head = "//^ ";

/// Takes the first line that has `mark` out of `text`; returns what follows the mark.
std::string take_line(std::string &text, std::string_view mark) {
    const std::size_t at = text.find(mark);
    if (at == std::string::npos) return {};
    const std::size_t from = at + mark.size();
    const std::size_t end = std::min(text.find('\n', from), text.size());
    std::string line = text.substr(from, end - from);
    text.erase(at, end - at);
    return line;
}

} // namespace

bool has_covered_ptx(std::string_view source) {
    return source.find("\"//@ ") != std::string_view::npos;
}

std::string uncovered_ptx(std::string ptx) {
    while (!ptx.empty() && ptx.back() == '\0') ptx.pop_back();
    const std::size_t target = ptx.find(".target");
    if (target == std::string::npos)
        throw BuildFailure("the compiler's binary is no PTX, so its covered instructions "
                           "cannot be uncovered");
    ptx.replace(target, std::min(ptx.find('\n', target), ptx.size()) - target, ".target sm_90a");
    const std::string head = take_line(ptx, covered_head);
    const std::size_t group_size = ptx.find(".reqntid");
    if (!head.empty() && group_size != std::string::npos)
        ptx.insert(std::min(ptx.find('\n', group_size), ptx.size()), "\n" + head);
    for (std::size_t at = ptx.find(covered); at != std::string::npos; at = ptx.find(covered, at))
        ptx.erase(at, covered.size());
    return ptx;
}

} // namespace bowhist
