// VLFeat: the quantisation step of its k-means, which compares every pair.
#include "tests/peers/contender.hpp"

extern "C" {
#include <vl/generic.h>
#include <vl/kmeans.h>
}

#include <memory>

namespace bowhist::peers {

std::vector<Contender> vlfeat_contenders(const Problem &problem) {
    const std::shared_ptr<VlKMeans> kmeans(vl_kmeans_new(VL_TYPE_FLOAT, VlDistanceL2),
                                           vl_kmeans_delete);
    vl_kmeans_set_centers(kmeans.get(), problem.vocabulary.values.data(),
                          problem.vocabulary.dimensions, problem.vocabulary.size());
    const auto words = std::make_shared<std::vector<vl_uint32>>(problem.descriptors.size());
    const auto distances = std::make_shared<std::vector<float>>(problem.descriptors.size());
    return {{"VLFeat vl_kmeans_quantize",
             [=, &problem] {
                 vl_set_num_threads(static_cast<vl_size>(problem.threads));
                 vl_kmeans_quantize(kmeans.get(), words->data(), distances->data(),
                                    problem.descriptors.values.data(), words->size());
             },
             [words] { return std::vector<std::int32_t>(words->begin(), words->end()); }}};
}

} // namespace bowhist::peers
