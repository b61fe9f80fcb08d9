#include <bowhist/pipeline/one_run.hpp>

#include <bowhist/core/printable.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace bowhist {
namespace {

void refuse(const PartOfOneRun &part, const PartOfOneRun &first, const std::string &difference) {
    throw Error(Fault::input, fmt::format("{} and {} {}", first.path, part.path, difference));
}

/// @throws Error{Fault::input} where the parts are not of one run
void require_alike(const PartOfOneRun &part, const PartOfOneRun &first) {
    const PartHead &a = first.head;
    const PartHead &b = part.head;
    if (a.version != b.version)
        refuse(part, first,
               fmt::format("are of bowhist {} and {}; make all parts with one", excerpt(a.version),
                           excerpt(b.version)));
    if (a.shard.of != b.shard.of)
        refuse(part, first,
               fmt::format("are shards {}/{} and {}/{}; make all parts with one number of shards",
                           a.shard.number, a.shard.of, b.shard.number, b.shard.of));
    if (a.content.index() != b.content.index())
        refuse(part, first, "hold different things; give the parts of one run");
    if (a.vocabulary != b.vocabulary)
        refuse(part, first,
               "were made with different --centroids or --descend; make all parts with the same");
    if (a.settings != b.settings || a.file != b.file)
        refuse(part, first, "were made with different options; make all parts with the same");
    if (a.inputs != b.inputs || a.list != b.list)
        refuse(part, first,
               fmt::format("are of different inputs ({} and {}); give all shards the same INPUTs",
                           a.inputs, b.inputs));
}

/// @throws Error{Fault::input} unless each part is there once
void require_each_once(const std::vector<PartOfOneRun> &parts) {
    const std::size_t of = parts.front().head.shard.of;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::size_t number = parts[i].head.shard.number;
        if (i > 0 && number == parts[i - 1].head.shard.number)
            throw Error(Fault::input, fmt::format("{} and {} are both shard {}/{}; give each once",
                                                  parts[i - 1].path, parts[i].path, number, of));
        if (number != i + 1)
            throw Error(Fault::input,
                        fmt::format("shard {}/{} is missing; give its part, too", i + 1, of));
    }
    if (parts.size() != of)
        throw Error(Fault::input, fmt::format("shard {}/{} is missing; give its part, too",
                                              parts.size() + 1, of));
}

} // namespace

void require_one_run(std::vector<PartOfOneRun> &parts) {
    if (parts.empty())
        throw Error(Fault::usage, "there is no PART; give the files that --shard made");
    for (const PartOfOneRun &part : parts) require_alike(part, parts.front());
    std::ranges::stable_sort(parts, {},
                             [](const PartOfOneRun &part) { return part.head.shard.number; });
    require_each_once(parts);
}

} // namespace bowhist
