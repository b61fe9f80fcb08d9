#pragma once

#include <bowhist/index/ingest.hpp>
#include <bowhist/index/update.hpp>
#include <bowhist/index/wanted_settings.hpp>
#include <bowhist/library/catalogue.hpp>

#include <string>
#include <vector>

namespace bowhist {

/// The models of a library: those that it has; else those that are given; else those that it
/// learns from images, each written once it is there.
/// @param source  where the images are
/// @throws Error{Fault::usage} where given models differ from the library's; as learn, learn_model
LibraryModels models_for(Catalogue &catalogue, const IndexRequest &request,
                         const LibrarySettings &settings, const InputSource &source,
                         Observer &observer);

/// Models to replace those of a library: given ones, or learned from images. Nothing is written.
std::vector<StoredModel> new_models(const IndexRequest &request, const LibrarySettings &settings,
                                    const InputSource &source, Observer &observer);

/// Fingerprints of the models that are given.
/// @throws Error{Fault::usage} where a description that is wanted has none
std::vector<std::string> given_fingerprints(const IndexRequest &request);

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
