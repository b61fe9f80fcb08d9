#include <bowhist/tables/formats/filter_file.hpp>

#include <bowhist/core/as_number.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/input_file.hpp>

#include <string_view>
#include <vector>

namespace bowhist {
namespace {

/// Cuts the text up to the first of `ends` off its front; that one is dropped.
std::string_view cut(std::string_view &text, std::string_view ends) {
    const auto size = text.find_first_of(ends);
    const std::string_view front = text.substr(0, size);
    text.remove_prefix(size == std::string_view::npos ? text.size() : size + 1);
    return front;
}

/// @param number  of the line, from 1
std::vector<float> weights_in(std::string_view line, const InputFile &file, std::size_t number) {
    std::vector<float> weights;
    line = line.substr(0, line.find('#'));
    while (!line.empty()) {
        std::string_view word = cut(line, " \t\r,");
        if (word.empty()) continue;
        if (word.front() == '+') word.remove_prefix(1);
        const auto weight = as_number<float>(word);
        if (!weight)
            file.fail("line {} holds {}, which is no number of a filter", number, excerpt(word));
        weights.push_back(*weight);
    }
    return weights;
}

} // namespace

Filter read_filter(const std::filesystem::path &path) {
    constexpr std::uint64_t most_bytes = 1 << 20; // 961 numbers with comments
    InputFile file(path, Fault::usage);
    if (file.size() > most_bytes)
        file.fail("has {} bytes; a filter has at most {} numbers", file.size(),
                  Filter::longest_side * Filter::longest_side);
    const std::string text = file.read_text();
    Filter filter;
    std::string_view rest = text;
    for (std::size_t line = 1; !rest.empty(); ++line) {
        const std::vector<float> weights = weights_in(cut(rest, "\n"), file, line);
        if (weights.empty()) continue;
        if (filter.height == 0) filter.width = weights.size();
        if (weights.size() != filter.width)
            file.fail(
                "line {} has {} numbers, those above have {}; give every row of the filter as many",
                line, weights.size(), filter.width);
        filter.weights.insert(filter.weights.end(), weights.begin(), weights.end());
        ++filter.height;
    }
    if (const auto fault = fault_of(filter)) file.fail("holds {}", *fault);
    return filter;
}

} // namespace bowhist
