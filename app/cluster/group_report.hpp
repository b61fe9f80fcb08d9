#pragma once

#include "app/command/console.hpp"

#include <bowhist/group/agreement.hpp>
#include <bowhist/group/grouping.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace bowhist::app {

/// Labels that groups are compared with.
class Labels {
  public:
    /// Reads the file (image,label). @param source  "folders": each image's is the name of its
    /// folder; empty: there are none  @throws Error{Fault::input}
    explicit Labels(const std::string &source);

    /// @throws Error{Fault::input} where the file has a label for none of them
    void require_any(const std::vector<std::string> &images) const;
    /// Each image's label. Images without one have an empty one, and are counted in a warning.
    /// @throws as require_any
    std::vector<std::string> of(const std::vector<std::string> &images, Console &console) const;

  private:
    /// did_you_mean() the first image without a label whose other spelling has one.
    std::string near_match(const std::vector<std::string> &images) const;

    std::string source_;
    std::optional<std::map<std::string, std::string>> known_ = {}; ///< of a file
};

/// Says what each group is like: its size, spread, the words that set it apart and its most typical
/// image, and with labels its most frequent ones. Without labels these are notes.
void report_groups(const Grouping &grouping, const std::vector<std::string> &images,
                   const Agreement *agreement, Console &console);

/// "; 10 labels: purity 0.300, NMI 0.174, ARI 0.071"
std::string figures_of(const Agreement &agreement);

} // namespace bowhist::app
