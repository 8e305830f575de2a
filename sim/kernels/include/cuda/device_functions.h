// CUDA's name for what blockyard.h has.
#pragma once

#include "../blockyard.h"
