#pragma once

#include <bowhist/pipeline/part_record.hpp>

#include <filesystem>
#include <vector>

namespace bowhist {

/// A part and what it says of itself.
struct PartOfOneRun {
    std::filesystem::path path;
    PartHead head;
};

/// Sorts parts by their numbers.
/// @throws Error{Fault::input} where they are not of one run, one is missing, or one is there
///         twice; Fault::usage without any
void require_one_run(std::vector<PartOfOneRun> &parts);

} // namespace bowhist
