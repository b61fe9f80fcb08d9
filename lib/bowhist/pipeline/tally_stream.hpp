#pragma once

#include <bowhist/pipeline/device_encoder.hpp>
#include <bowhist/pipeline/recipe.hpp>
#include <bowhist/pipeline/word_stream.hpp>

#include <optional>

namespace bowhist {

/// Inputs in, a row of numbers of each out, in input order, made of tallies of the assigner's
/// device, which prepares rows, finds words and adds up; a GPU also extracts `dense` and `surf`
/// (make_image_counter). Memory does not grow with the number of inputs.
/// @param preparation  null: none
/// @param options  as PreparedRecipe made them; its `dimensions` and `prepare` are set here
/// @param encode   fills in the code or the row; called by many threads
/// @return nothing, and nothing was read, where the level runs on the host or the device cannot
///         (make_device_encoder)
/// @throws as stream_descriptors, the device, `encode` and `sink`
std::optional<StreamCounts>
stream_tallies(std::span<const Input> inputs, const PreparedRecipe &recipe,
               const Preparation *preparation, const TallyShape &shape, Assigner &assigner,
               StreamOptions options, Observer &observer,
               const std::function<void(std::span<const std::uint32_t>, EncodedImage &)> &encode,
               const std::function<void(EncodedImage &&)> &sink);

/// The same by an encoder. @param options  its counter, if any, makes tallies of that shape
StreamCounts
stream_tallies(std::span<const Input> inputs, const PreparedRecipe &recipe, DeviceEncoder &device,
               StreamOptions options, Observer &observer,
               const std::function<void(std::span<const std::uint32_t>, EncodedImage &)> &encode,
               const std::function<void(EncodedImage &&)> &sink);

} // namespace bowhist
