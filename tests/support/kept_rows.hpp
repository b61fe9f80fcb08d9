#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/tables/histogram_writer.hpp>

#include <string>
#include <vector>

namespace bowhist::testing {

struct KeepRows : HistogramWriter {
    void write(const Histogram &row) override { rows.push_back(row); }
    void finish() override {}
    std::vector<Histogram> rows;
};

struct Skips : Observer {
    void skipped(const std::string &reason) override { reasons.push_back(reason); }
    bool interrupted() const override { return stop; }
    std::vector<std::string> reasons;
    bool stop = false;
};

} // namespace bowhist::testing
