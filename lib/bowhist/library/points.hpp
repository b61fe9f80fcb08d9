#pragma once

#include <bowhist/library/library.hpp>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace bowhist {

// Images as rows of vector databases, an object a line:
//
//   .qdrant.jsonl  {"id":ID,"vector":{"code":[…],"words":{"indices":[…],"values":[…]}},
//                   "payload":{"image":PATH}}       a point of Qdrant's "Upsert points"
//   .milvus.jsonl  {"id":ID,"image":PATH,"code":[…],"words":{"7":0.5,…}}
//                                                    a row of Milvus' insert and bulk import
//
// ID is a UUID (RFC 9562, version 8) of the path's bytes by XXH3-128, so that a later export
// replaces the row. "code" are the code's whole numbers, to be compared by cosine. "words" has
// round(8·√count) of each word, divided by their length and rounded to float32, to be compared by
// products. A byte of a path that is not UTF-8 is U+FFFD.

enum class PointsFormat { qdrant, milvus };

/// The format that the ending of a file's name means; nothing for another ending.
std::optional<PointsFormat> points_format(const std::filesystem::path &path);

/// The UUID of a path.
std::string point_id(const std::string &path);

/// As export_library(), to a file of points. Images without descriptors have no row in a file for
/// Milvus, which takes no empty vectors: the observer is warned.
/// REQUIRES: the library has what is wanted
std::size_t export_points(const Library &library, const ExportRequest &request, PointsFormat format,
                          Observer &observer);

} // namespace bowhist
