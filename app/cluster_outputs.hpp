#pragma once

#include "app/cluster_call.hpp"
#include "app/cluster_subjects.hpp"

#include <bowhist/group/agreement.hpp>
#include <bowhist/io/atomic_file.hpp>

#include <optional>

namespace bowhist::app {

/// All files of `cluster`. All or none: all are whole before the first appears, and a table that is
/// printed, which cannot be taken back, comes last.
class Outputs {
  public:
    explicit Outputs(const ClusterCall &call);

    /// @param agreement  with labels; or null
    void write(const Subjects &subjects, const Grouping &grouping, const Agreement *agreement,
               Console &console);

  private:
    void write_table(const Subjects &subjects, const Grouping &grouping);

    bool writes_groups_;
    std::optional<GroupFolders> folders_;
    std::optional<AtomicFile> groups_;
    std::optional<AtomicFile> page_;
    std::optional<AtomicFile> tree_;
};

} // namespace bowhist::app
