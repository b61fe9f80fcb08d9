#pragma once

#include <bowhist/core/preparation.hpp>
#include <bowhist/tables/formats/sidecar_json.hpp>

#include <nlohmann/json.hpp>

#include <string_view>

// The JSON of preparations, in sidecars of vocabularies and in `meta` of models.

namespace bowhist {

/// The steps, "mirroring", "dimensions", "deviation"; without the numbers of whiten.
nlohmann::ordered_json as_json_without_whiten(const Preparation &preparation);

/// Reads the JSON of as_json_without_whiten(). @throws Error of the file's fault
Preparation preparation_without_whiten_in(const Section &section);

/// All of it: with whiten also "mean" and "projection", row after row.
nlohmann::ordered_json as_json(const Preparation &preparation);
Preparation preparation_in(const Section &section);

/// @throws Error of the file's fault where its parts do not fit together
void require_whole(const Section &section, const Preparation &preparation);

} // namespace bowhist
