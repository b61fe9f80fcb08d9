#include <bowhist/duplicates/candidate_search.hpp>

#include <cstdint>
#include <optional>

namespace bowhist {

CandidateSearch search_candidates(const SearchedImages &searched, std::size_t most,
                                  Observer &observer) {
    std::vector<std::uint32_t> queries, findable;
    for (std::uint32_t i = 0; i < searched.size(); ++i) {
        if (searched[i].is_ours) queries.push_back(i);
        if (!searched.has_reference() || searched[i].is_reference) findable.push_back(i);
    }
    CandidateSearch search{.proposals = std::vector<Proposals>(searched.size()), .is_new = true};
    auto found = searched.propose(queries, findable, ProposalLimits(most), observer);
    for (std::size_t q = 0; q < found.size(); ++q)
        search.proposals[queries[q]] = std::move(found[q]);
    return search;
}

CandidateSearch search_new_candidates(const SearchedImages &searched, const KeptPairs &kept,
                                      std::size_t most, Observer &observer) {
    const ProposalLimits limits(most);
    std::vector<std::uint32_t> all, fresh, known, unknown;
    CandidateSearch search{.proposals = std::vector<Proposals>(searched.size())};
    for (std::uint32_t i = 0; i < searched.size(); ++i) {
        all.push_back(i);
        if (!kept.has_proposals(i)) fresh.push_back(i);
        std::optional<Proposals> proposals = kept.proposals(i, most);
        (proposals ? known : unknown).push_back(i);
        if (proposals) search.proposals[i] = std::move(*proposals);
    }
    if (unknown.empty()) return search;
    search.is_new = true;
    auto found = searched.propose(unknown, all, limits, observer);
    for (std::size_t q = 0; q < unknown.size(); ++q)
        search.proposals[unknown[q]] = std::move(found[q]);
    found = searched.propose(known, fresh, limits, observer);
    for (std::size_t q = 0; q < found.size(); ++q)
        search.proposals[known[q]] = joined(search.proposals[known[q]], found[q], limits);
    return search;
}

} // namespace bowhist
