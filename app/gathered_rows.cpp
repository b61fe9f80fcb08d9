#include "app/gathered_rows.hpp"

#include <bowhist/tables/collection_rows.hpp>
#include <bowhist/train/sample.hpp>

#include <malloc.h>

#include <algorithm>
#include <utility>

namespace bowhist::app {

GatheredRows gather_rows(const MemoryRequest &request, const InputList &list,
                         const Extractor &extractor, StreamOptions options, Observer &observer) {
    constexpr int large = 1 << 20; // bytes; what is freed of them goes back to the system at once
    if (request.memory > 0) ::mallopt(M_MMAP_THRESHOLD, large);
    const TrainingMemory memory(request, list);
    options.in_flight = memory.in_flight();
    GatheredRows gathered;
    DescriptorSample sample(request.sample, request.training->seed);
    std::unique_ptr<CollectionRows> in_files;
    if (memory.part() > 0) in_files = std::make_unique<CollectionRows>(memory.part(), observer);
    const auto add = [&](Described &&described) {
        const Descriptors &some = described.descriptors;
        if (!gathered.made_by) gathered.made_by = described.recipe;
        if (in_files) return in_files->add(described.input.collection, described.input.place);
        const std::uint64_t all = sample.size() + some.size();
        memory.require_room(request.sample == 0 ? all
                                                : std::min<std::uint64_t>(all, request.sample),
                            some.dimensions);
        sample.reserve(memory.expected() * some.dimensions);
        sample.add(some.values, some.dimensions);
    };
    gathered.counts = stream_descriptors(list.inputs, extractor, options, observer, add);
    if (in_files) {
        in_files->keep(memory.left_over());
        gathered.seen = in_files->size();
        gathered.rows = std::move(in_files);
    } else {
        gathered.seen = sample.seen();
        gathered.in_memory = std::make_unique<Descriptors>(std::move(sample).take());
        gathered.rows = std::make_unique<RowsInMemory>(*gathered.in_memory);
    }
    return gathered;
}

} // namespace bowhist::app
