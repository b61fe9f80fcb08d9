#include "tests/peers/contender.hpp"

namespace bowhist::peers {

const std::vector<Peer> &peers() {
    static const std::vector<Peer> table = {
#ifdef BOWHIST_PEER_FAISS
        {"FAISS", "libfaiss-dev", faiss_contenders},
#else
        {"FAISS", "libfaiss-dev", {}},
#endif
#ifdef BOWHIST_PEER_OPENCV
        {"OpenCV", "libopencv-dev", opencv_contenders},
#else
        {"OpenCV", "libopencv-dev", {}},
#endif
#ifdef BOWHIST_PEER_OPENBLAS
        {"OpenBLAS", "libopenblas-dev", openblas_contenders},
#else
        {"OpenBLAS", "libopenblas-dev", {}},
#endif
#ifdef BOWHIST_PEER_VLFEAT
        {"VLFeat", "libvlfeat-dev", vlfeat_contenders},
#else
        {"VLFeat", "libvlfeat-dev", {}},
#endif
    };
    return table;
}

} // namespace bowhist::peers
