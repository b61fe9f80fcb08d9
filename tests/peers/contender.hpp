#pragma once

#include <bowhist/core/descriptors.hpp>
#include <bowhist/core/vocabulary.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace bowhist::peers {

/// What everyone solves. Outlives the contenders made from it.
struct Problem {
    Descriptors descriptors;
    Vocabulary vocabulary;
    int threads = 1;
};

/// One way to find each descriptor's nearest centroid. What depends on the vocabulary alone is
/// prepared before run() is first called; buffers for the result too.
struct Contender {
    std::string name;
    std::function<void()> run;
    std::function<std::vector<std::int32_t>()> words; ///< what the last run() found
};

/// A peer, and what brings it where it is missing.
struct Peer {
    std::string name;
    std::string package;                                         ///< Debian's name for it
    std::function<std::vector<Contender>(const Problem &)> make; ///< empty where it is missing
};

/// Other people's work, whether it could be built here or not.
const std::vector<Peer> &peers();

/// Every host level but the reference, which is the first; the fastest stands last.
std::vector<Contender> host_levels(const Problem &problem);

/// Every device level that can run on the first device, as users get it.
std::vector<Contender> device_levels(const Problem &problem);

/// The same levels built with -cl-fast-relaxed-math, the rule's own kernel excepted; none where
/// the first device is not PoCL's, which alone takes options from the environment.
std::vector<Contender> relaxed_levels(const Problem &problem);

/// The words of the problem's first rows, by the rule.
std::vector<std::int32_t> words_by_the_rule(const Problem &problem, std::size_t rows);

std::vector<Contender> faiss_contenders(const Problem &problem);
std::vector<Contender> opencv_contenders(const Problem &problem);
std::vector<Contender> openblas_contenders(const Problem &problem);
std::vector<Contender> vlfeat_contenders(const Problem &problem);

} // namespace bowhist::peers
