// CUDA's name for Blockyard's groups of threads.
#pragma once

#include "../blockyard/groups.h"
