// formats/ftr/writer.hpp - the model to .ftr files, as viewers read them.
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
/// What the writer may have to leave out or change.
void foresee_losses(const Schema& schema, const Settings& settings, std::vector<ExpectedLoss>& losses);

}  // namespace hwtrace::ftr
