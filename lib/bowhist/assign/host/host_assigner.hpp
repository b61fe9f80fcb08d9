#pragma once

#include <bowhist/assign/host/host_search.hpp>

#include <vector>

namespace bowhist {

/// The levels that need no device: a search, cut into slices so that it can be interrupted, and
/// the counting. Any D, any k.
class HostAssigner : public Assigner {
  public:
    HostAssigner(MakeHostSearch make_search, const Vocabulary &vocabulary,
                 const AssignOptions &options);
    Assignment run(const Batch &batch) override;
    void replace(const Vocabulary &vocabulary) override;

  private:
    void search(std::span<const float> values, std::span<std::int32_t> words);
    void count(const Batch &batch, Assignment &result) const;

    MakeHostSearch make_search_;
    Vocabulary vocabulary_;
    const Observer *observer_;
    int threads_;
    double bound_scale_;
    HostSearch search_; ///< refers to vocabulary_
};

} // namespace bowhist
