#include <bowhist/team/mpi/transport.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <unistd.h>

namespace bowhist {
namespace {

/// Whether a line of Open MPI's parameters, or a variable, chooses how messages are sent.
bool chooses_transport(std::string_view line) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    const std::string_view name = line.substr(0, line.find_first_of(" \t="));
    return name == "pml" || name == "btl";
}

/// Whether the user or the machine's keeper chose a transport, in variables or in Open MPI's files.
bool transport_is_chosen() {
    constexpr std::string_view of_mca = "OMPI_MCA_";
    for (char **variable = environ; *variable != nullptr; ++variable)
        if (const std::string_view text = *variable; text.starts_with(of_mca))
            if (chooses_transport(text.substr(of_mca.size()))) return true;
    const char *home = std::getenv("HOME");
    for (const std::string &path :
         {std::string("/etc/openmpi/openmpi-mca-params.conf"),
          std::string(home != nullptr ? home : "") + "/.openmpi/mca-params.conf"}) {
        std::ifstream file(path);
        for (std::string line; std::getline(file, line);)
            if (chooses_transport(line)) return true;
    }
    return false;
}

} // namespace

void stay_on_one_machine() {
    const char *here = std::getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    const char *all = std::getenv("OMPI_COMM_WORLD_SIZE");
    if (here != nullptr && all != nullptr && std::string_view(here) == all &&
        !transport_is_chosen())
        ::setenv("OMPI_MCA_pml", "ob1", 0);
}

} // namespace bowhist
