#pragma once

#include <bowhist/assign/assigner.hpp>
#include <bowhist/pipeline/descriptor_stream.hpp>
#include <bowhist/tables/histograms/histogram_writer.hpp>

namespace bowhist {

struct HistogramOptions {
    StreamOptions stream;
    std::size_t words = 0;     ///< k
    std::size_t rows_each = 1; ///< that stream.prepare makes of a descriptor: 2 with mirrored ones
    std::size_t batch = std::size_t{1} << 18; ///< descriptors that go to the assigner together
};

/// Images in, histograms out, in input order: counted by options.stream.counter, or the
/// descriptors of many images are assigned together. An image without descriptors is a row of
/// zeros. Memory does not grow with the number of inputs. Calls writer.write, not writer.finish.
/// @throws as stream_descriptors, the assigner and the writer
StreamCounts stream_histograms(std::span<const Input> inputs, const Extractor &extractor,
                               Assigner &assigner, HistogramWriter &writer,
                               const HistogramOptions &options, Observer &observer);

} // namespace bowhist
