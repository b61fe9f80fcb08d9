#include <bowhist/duplicates/kept_proposals.hpp>

#include <bowhist/duplicates/number_bytes.hpp>

#include <vector>

namespace bowhist {
namespace {

constexpr std::uint32_t score_bits = 32; ///< a score of one part is at most 2²⁴

void write(const std::vector<ScoredImage> &images, NumberWriter &writer) {
    writer(images.size());
    for (const auto &[image, score] : images)
        writer(std::size_t{image} << score_bits | static_cast<std::size_t>(score));
}

/// @return whether no image is missing that should have been proposed
bool read(NumberReader &reader, std::size_t limit,
          const std::map<std::size_t, std::uint32_t> &numbers, std::vector<ScoredImage> &images) {
    std::size_t count = 0;
    reader(count);
    for (std::size_t i = 0; i < count && !reader.is_at_end(); ++i) {
        std::size_t entry = 0;
        reader(entry);
        const auto number = numbers.find(entry >> score_bits);
        if (number == numbers.end()) continue;
        images.push_back({number->second, static_cast<std::int64_t>(entry & 0xFFFFFFFFU)});
    }
    return count < limit || images.size() == count;
}

} // namespace

std::string proposals_as_bytes(const Proposals &proposals, std::size_t most) {
    NumberWriter writer;
    writer(most);
    for (const auto *images : {&proposals.words, &proposals.mirrored, &proposals.codes})
        write(*images, writer);
    return std::move(writer.bytes);
}

std::optional<Proposals> proposals_of_bytes(std::string_view bytes, std::size_t most,
                                            const std::map<std::size_t, std::uint32_t> &numbers) {
    NumberReader reader(bytes);
    std::size_t most_then = 0;
    reader(most_then);
    if (most_then != most) return std::nullopt;
    const ProposalLimits limits(most);
    Proposals proposals;
    if (!read(reader, limits.words, numbers, proposals.words) ||
        !read(reader, limits.words, numbers, proposals.mirrored) ||
        !read(reader, limits.codes, numbers, proposals.codes))
        return std::nullopt;
    return proposals;
}

} // namespace bowhist
