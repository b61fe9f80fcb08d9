#pragma once

#include <bowhist/tables/histograms/histogram_writer.hpp>

#include <vector>

namespace bowhist::testing {

struct KeepRows : HistogramWriter {
    void write(const Histogram &row) override { rows.push_back(row); }
    void finish() override {}
    std::vector<Histogram> rows;
};

} // namespace bowhist::testing
