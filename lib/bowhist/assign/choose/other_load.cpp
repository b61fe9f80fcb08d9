#include <bowhist/assign/choose/other_load.hpp>

#include <sys/times.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace bowhist {

OtherLoad::Ticks OtherLoad::now() {
    Ticks ticks;
    std::ifstream file("/proc/stat"); // "cpu  user nice system idle iowait irq softirq steal"
    std::string name;
    file >> name;
    double value = 0;
    for (int column = 0; column < 8 && file >> value; ++column) {
        ticks.all += value;
        if (column != 3 && column != 4) ticks.busy += value;
    }
    tms own{};
    times(&own);
    ticks.own = static_cast<double>(own.tms_utime + own.tms_stime);
    return ticks;
}

double OtherLoad::share() const {
    const Ticks end = now();
    if (end.all <= start_.all) return 0;
    const double others = (end.busy - start_.busy) - (end.own - start_.own);
    return std::clamp(others / (end.all - start_.all), 0.0, 1.0);
}

} // namespace bowhist
