// CUDA's name for Blockyard's floats of 16 bits.
#pragma once

#include "../blockyard/half.h"
