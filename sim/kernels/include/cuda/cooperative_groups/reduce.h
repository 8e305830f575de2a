// CUDA's name for what Blockyard's groups of threads have.
#pragma once

#include "../../blockyard/groups.h"
