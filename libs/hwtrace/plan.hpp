// hwtrace/plan.hpp - the parts of a conversion, for programs that run their own: sources, slices, plans, stages,
// verification.
#pragma once

#include "convert/convert.hpp"
#include "convert/model_dump.hpp"
#include "convert/part_losses.hpp"
#include "convert/plan.hpp"
#include "convert/prescan.hpp"
#include "convert/verify.hpp"
#include "operate/scan.hpp"
#include "select/clock.hpp"
#include "select/criteria.hpp"
#include "select/range.hpp"
#include "select/stage.hpp"
