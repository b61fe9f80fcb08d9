#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/library/catalogue.hpp>

namespace bowhist {

/// Brings a library of an earlier version up to date, in one transaction, from what is in it: no
/// file is read, and no image described anew. Does nothing to a library of the newest version.
/// REQUIRES: a WriterLock; require_library()
/// @param observer  asked whether to stop; may be null
void upgrade(Database &database, const Observer *observer);

/// Reads the headers of files whose contents an upgrade left without what they say: frames,
/// orientation, metadata, capture time. Files that are not there, or changed, are left for a later
/// run. Commits every few hundred files.
void read_headers_after_upgrade(Catalogue &catalogue, Observer &observer);

/// Notes that there are such files. Part of the caller's transaction.
void note_unread_headers(Catalogue &catalogue);

} // namespace bowhist
