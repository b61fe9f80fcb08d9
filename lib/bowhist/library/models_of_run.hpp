#pragma once

#include <bowhist/library/settings.hpp>
#include <bowhist/library/targets.hpp>
#include <bowhist/library/update.hpp>

namespace bowhist {

/// @throws Error{Fault::usage} where options of learning differ from how the library's models were
///         learned, unless they are learned again; or are of a description that it does not hold
void require_own_models(Catalogue &catalogue, const IndexRequest &request,
                        const LibrarySettings &settings);

/// The models of a library, which a new one takes or learns from the images of a run.
/// @throws as models_for; input where no image is there; interrupted, with a line that says what is
///         kept of models that were being learned
LibraryModels models_of_run(Catalogue &catalogue, const IndexRequest &request,
                            const LibrarySettings &settings, const Targets &targets,
                            Observer &observer);

} // namespace bowhist
