#pragma once

#include "app/cluster/cluster_call.hpp"
#include "app/cluster/cluster_subjects.hpp"

#include <bowhist/group/agreement.hpp>
#include <bowhist/io/atomic_file.hpp>
#include <bowhist/report/page_files.hpp>

#include <optional>

namespace bowhist::app {

/// All files of `cluster`. All or none: all can be created before the work begins, and are whole
/// before the first appears. A table that is printed, which cannot be taken back, comes behind
/// them, and the folders of groups last: if something fails, another run makes up for it.
class Outputs {
  public:
    explicit Outputs(const ClusterCall &call);

    /// @param agreement  with labels; or null
    /// @return how many images the folders lack
    std::size_t write(const Subjects &subjects, const Grouping &grouping,
                      const Agreement *agreement, Console &console);

  private:
    void write_table(const Subjects &subjects, const Grouping &grouping);

    bool writes_groups_;
    std::optional<GroupFoldersWriter> folders_;
    std::optional<AtomicFile> groups_;
    std::optional<PageFiles> page_;
    std::optional<AtomicFile> tree_;
};

} // namespace bowhist::app
