#include "app/shared_inputs.hpp"
#include "app/command/team.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/team/team.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

namespace bowhist::app {
namespace {

/// "inputs 4 to 6 of 9, b/1.jpg to b/3.jpg"
std::string share_text(const InputList &list, std::size_t rank) {
    const std::size_t count = list.inputs.size();
    const auto [first, end] = range_of({rank + 1, team().size()}, count);
    if (first == end) return "it had no inputs";
    return fmt::format("it had inputs {} to {} of {}, {} to {}", first + 1, end, count,
                       list.inputs[first].path, list.inputs[end - 1].path);
}

/// Names and sizes.
std::string text_of(const InputList &list) {
    std::string text;
    const std::filesystem::path *last = nullptr;
    for (const Input &input : list.inputs) {
        text +=
            input.path.native() + '\0' + input.below.native() + fmt::format("\0{}\0", input.place);
        if (last != nullptr && *last == input.path) continue; // more of a collection
        std::error_code unknown;                              // reading the file names the reason
        text += fmt::format("{}", std::filesystem::file_size(input.path, unknown));
        last = &input.path;
    }
    return text;
}

} // namespace

void share_inputs(InputSource &source, Paths outputs) {
    if (team().size() == 1) return;
    if (source.list == "-" || std::ranges::count(source.arguments, "-") > 0)
        throw Error(Fault::usage,
                    "standard input is rank 0's alone; name files that all ranks see");
    source.listed = [outputs = std::move(outputs)](const InputList &list) {
        if (team().rank() == 0) check_outputs(outputs, {}, list);
        require_same(team(), "other inputs", text_of(list));
        team().describe([list](std::size_t rank) { return share_text(list, rank); });
    };
}

} // namespace bowhist::app
