// FAISS: an exhaustive index over the centroids, searched for one neighbour. Its products are
// sgemm of whatever BLAS the system's alternatives name.
#include "tests/peers/contender.hpp"

#include <faiss/IndexFlat.h>

#include <omp.h>

#include <memory>

namespace bowhist::peers {

std::vector<Contender> faiss_contenders(const Problem &problem) {
    struct State {
        faiss::IndexFlatL2 index;
        std::vector<float> distances;
        std::vector<faiss::Index::idx_t> labels;
    };
    const Descriptors &descriptors = problem.descriptors;
    const auto state = std::make_shared<State>();
    state->index = faiss::IndexFlatL2(static_cast<faiss::Index::idx_t>(descriptors.dimensions));
    state->index.add(static_cast<faiss::Index::idx_t>(problem.vocabulary.size()),
                     problem.vocabulary.values.data());
    state->distances.resize(descriptors.size());
    state->labels.resize(descriptors.size());
    return {{"FAISS IndexFlatL2",
             [state, &problem] {
                 omp_set_num_threads(problem.threads);
                 state->index.search(static_cast<faiss::Index::idx_t>(problem.descriptors.size()),
                                     problem.descriptors.values.data(), 1, state->distances.data(),
                                     state->labels.data());
             },
             [state] {
                 return std::vector<std::int32_t>(state->labels.begin(), state->labels.end());
             }}};
}

} // namespace bowhist::peers
