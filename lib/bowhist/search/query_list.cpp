#include <bowhist/search/query_list.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/tables/descriptors/descriptor_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

namespace bowhist {
namespace {

std::string read_standard_input(const Observer &observer) {
    std::string bytes;
    std::string piece(std::size_t{1} << 16U, '\0');
    while (std::cin.good()) {
        observer.stop_if_interrupted();
        std::cin.read(piece.data(), static_cast<std::streamsize>(piece.size()));
        bytes.append(piece, 0, static_cast<std::size_t>(std::cin.gcount()));
    }
    return bytes;
}

/// Whether an argument is standard input. A "-" in a list is a file of this name.
bool takes_standard_input(const InputSource &source) {
    const auto times = std::ranges::count(source.arguments, "-");
    if (times > 1 || (times == 1 && source.list == "-"))
        throw Error(Fault::usage,
                    "standard input is one picture or one list of them; name it once");
    return times == 1;
}

} // namespace

std::vector<SearchQuery> list_queries(const InputSource &source, bool strict, Observer &observer,
                                      const std::function<void(const std::string &)> &skip,
                                      std::size_t &skipped) {
    bool standard_input = takes_standard_input(source);
    const InputList list = list_given_inputs(source, strict, observer);
    skipped += list.skipped;
    std::vector<SearchQuery> queries;
    for (const Input &input : list.inputs) {
        if (input.collection || is_descriptor_file(input.path)) {
            if (input.place == 0)
                skip(fmt::format("{}: holds numbers, and a search takes pictures", input.path));
            continue;
        }
        SearchQuery &query = queries.emplace_back(SearchQuery{.path = input.path.native()});
        if (!standard_input || query.path != "-") continue;
        query.bytes = read_standard_input(observer);
        standard_input = false; // arguments come before the list
    }
    return queries;
}

} // namespace bowhist
