#pragma once

#include <bowhist/library/ingest.hpp>
#include <bowhist/library/settings.hpp>
#include <bowhist/library/update.hpp>

namespace bowhist {

/// Learns, or takes, other models, and describes all images by them, in one transaction, which it
/// commits.
/// @throws as learn, learn_model, Ingest
IngestCounts relearn(Catalogue &catalogue, const IndexRequest &request,
                     const LibrarySettings &settings, Observer &observer);

/// How a library describes, which holds this of each image.
/// @param images  about how many there are
DescribeOptions describe_options(const IndexRequest &request, const LibrarySettings &settings,
                                 double images);

} // namespace bowhist
