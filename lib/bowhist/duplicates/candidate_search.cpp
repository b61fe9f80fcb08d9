#include <bowhist/duplicates/candidate_search.hpp>

#include <cstdint>
#include <numeric>
#include <optional>

namespace bowhist {

namespace {

std::vector<std::uint32_t> all_numbers(const SearchedImages &searched) {
    std::vector<std::uint32_t> all(searched.size());
    std::iota(all.begin(), all.end(), 0U);
    return all;
}

/// Searches the library's images among those of the reference.
CandidateSearch search_reference(const SearchedImages &searched, std::size_t most,
                                 Observer &observer) {
    std::vector<std::uint32_t> queries, findable;
    for (std::uint32_t i = 0; i < searched.size(); ++i) {
        if (searched[i].is_ours) queries.push_back(i);
        if (searched[i].is_reference) findable.push_back(i);
    }
    CandidateSearch search{.proposals = std::vector<Proposals>(searched.size()), .is_new = true};
    auto found = searched.propose(queries, findable, ProposalLimits(most), observer);
    for (std::size_t q = 0; q < found.size(); ++q)
        search.proposals[queries[q]] = std::move(found[q]);
    return search;
}

} // namespace

CandidateSearch search_candidates(const SearchedImages &searched, std::size_t most,
                                  Observer &observer) {
    if (searched.has_reference()) return search_reference(searched, most, observer);
    CandidateSearch search{.proposals = {}, .is_new = true};
    PairedProposals found(searched.size(), ProposalLimits(most));
    const auto all = all_numbers(searched);
    searched.compare(all, all, found, observer);
    for (const std::uint32_t i : all) search.proposals.push_back(found.take(i));
    return search;
}

CandidateSearch search_new_candidates(const SearchedImages &searched, const KeptPairs &kept,
                                      std::size_t most, Observer &observer) {
    const ProposalLimits limits(most);
    std::vector<std::uint32_t> known, unknown;
    CandidateSearch search{.proposals = std::vector<Proposals>(searched.size())};
    for (std::uint32_t i = 0; i < searched.size(); ++i) {
        std::optional<Proposals> proposals = kept.proposals(i, most);
        (proposals ? known : unknown).push_back(i);
        if (proposals) search.proposals[i] = std::move(*proposals);
    }
    if (unknown.empty()) return search;
    search.is_new = true;
    // every pair of which one is not known
    PairedProposals found(searched.size(), limits);
    const auto all = all_numbers(searched);
    searched.compare(unknown, all, found, observer);
    searched.compare(known, unknown, found, observer);
    for (const std::uint32_t i : all)
        search.proposals[i] = joined(search.proposals[i], found.take(i), limits);
    return search;
}

} // namespace bowhist
