// formats/ftr/writer.hpp - writes the model to .ftr files that viewers can read.
#pragma once

#include <memory>
#include <vector>

#include "codec/losses.hpp"
#include "codec/settings.hpp"
#include "codec/writer.hpp"
#include "io/output.hpp"
#include "model/schema.hpp"

namespace hwtrace::ftr {

std::unique_ptr<Writer> create_writer(Output& output, const Schema& schema, const Settings& settings, Losses& losses);
/// Appends the losses that a conversion of `schema` to FTR may cause.
void foresee_losses(const Schema& schema, const Settings& settings, std::vector<ExpectedLoss>& losses);

}  // namespace hwtrace::ftr
