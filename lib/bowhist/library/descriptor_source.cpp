#include <bowhist/library/descriptor_source.hpp>

#include <bowhist/assign/host/host_assigner.hpp>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace bowhist {
namespace {

/// An image in the list, so that a recipe opens what images need.
const InputList &one_image() {
    static const InputList list{.inputs = {{"image.jpg", "image.jpg"}}};
    return list;
}

} // namespace

DescriptorSource::DescriptorSource(const VocabularyPair &recorded, const DescribeOptions &options,
                                   Observer &observer)
    : recipe_({}, recorded),
      options_(recipe_.options_for(one_image(), options.stream,
                                   {options.level.device, options.level.kernel_dir}, observer)) {}

Described DescriptorSource::describe(Image image) const {
    if (options_.preprocessor) image = options_.preprocessor->run(image);
    Described described;
    described.width = image.width;
    described.height = image.height;
    described.descriptors = recipe_.extractor().extract(image);
    described.found = described.descriptors.size();
    if (options_.prepare) options_.prepare(described);
    return described;
}

std::string DescriptorSource::text(const LevelChoice &level) const {
    return as_options(recipe()) + ", assigning with " + level.name();
}

LevelChoice level_for(const DescribeOptions &options, const Vocabulary &words, double rows,
                      Observer &observer, std::shared_ptr<const VocabularyTree> tree) {
    LevelRequest wished = options.level;
    wished.options.tree = std::move(tree);
    wished.options.threads = options.stream.threads;
    wished.options.observer = &observer;
    wished.host_seconds =
        host_seconds(wished, words.dimensions, words.size(), rows * options.images);
    return choose_level(wished, words.dimensions, words.size());
}

bool finds_words_alone(Assigner &assigner) {
    const HostAssigner *const host = assigner.on_host();
    return host != nullptr && !host->has_one_thread();
}

void for_all(std::size_t count, const std::function<void(std::size_t)> &work) {
    // Isolated: a thread that waits for the others must not take up an image to extract.
    tbb::this_task_arena::isolate([&] { tbb::parallel_for(std::size_t{0}, count, work); });
}

} // namespace bowhist
