#include "app/verbs.hpp"

int main(int argc, char **argv) {
    return bowhist::app::run({argv + 1, argv + argc});
}
