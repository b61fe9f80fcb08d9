#define CATCH_CONFIG_RUNNER
#include "tests/support/levels.hpp"

#include <catch2/catch.hpp>

int main(int argc, char **argv) {
    const int status = Catch::Session().run(argc, argv);
    bowhist::testing::device_of_the_run().reset();
    return status;
}
