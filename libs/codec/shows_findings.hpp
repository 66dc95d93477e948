// codec/shows_findings.hpp - writers whose output also shows the problems of the source.
#pragma once

#include "codec/findings.hpp"

namespace hwtrace {

/// An interface that a Writer implements in addition if its output shows the findings of the source.
class ShowsFindings {
public:
    virtual ~ShowsFindings() = default;
    /// Receives the findings before the first record. They are complete when Writer::finish() is called, and must exist
    /// until then. Without this call, the writer knows nothing about findings.
    virtual void show(const Findings& findings) = 0;
};

}  // namespace hwtrace
