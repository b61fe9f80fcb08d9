#include <bowhist/duplicates/output/duplicate_rows.hpp>
#include <bowhist/duplicates/output/groups_npz.hpp>

#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>
