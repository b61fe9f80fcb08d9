#pragma once

#include <bowhist/index/update.hpp>
#include <bowhist/library/file/library_file.hpp>

#include <filesystem>
#include <memory>
#include <optional>

namespace bowhist {

/// A library that is opened to write; of a dry run to read. A new one that got no model is removed:
/// it is nothing that a run could continue.
class OpenedLibrary {
  public:
    /// @throws as WriterLock, open_to_write, open_for_dry_run
    OpenedLibrary(const IndexRequest &request, const Observer &observer);
    ~OpenedLibrary();
    OpenedLibrary(const OpenedLibrary &) = delete;
    OpenedLibrary &operator=(const OpenedLibrary &) = delete;

    Database &database() { return *database_; }
    /// A new one is removed, with its models: it got no image.
    void discard_new() { is_discarded_ = true; }

  private:
    bool has_models();
    void remove() const;

    std::filesystem::path path_;
    std::optional<WriterLock> lock_;
    std::unique_ptr<Database> database_;
    bool is_discarded_ = false;
};

} // namespace bowhist
