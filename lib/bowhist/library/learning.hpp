#pragma once

#include <bowhist/library/catalogue.hpp>
#include <bowhist/library/update.hpp>

namespace bowhist {

/// The models of a library: those that it has; else those that are given; else those that it
/// learns from images, each written once it is there.
/// @param source  where the images are
/// @throws Error{Fault::usage} where given models differ from the library's; as learn, learn_model
LibraryModels models_for(Catalogue &catalogue, const IndexRequest &request,
                         const InputSource &source, Observer &observer);

} // namespace bowhist
