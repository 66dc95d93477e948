// hwtrace/format.hpp - what a format is, for programs that add one: descriptor, reader, writer, findings, losses,
// options. Also the list of all formats.
#pragma once

#include "codec/findings.hpp"
#include "codec/format.hpp"
#include "codec/losses.hpp"
#include "codec/reader.hpp"
#include "codec/record_sorter.hpp"
#include "codec/settings.hpp"
#include "codec/shapes.hpp"
#include "codec/writer.hpp"
#include "formats.hpp"
#include "hwtrace/model.hpp"
