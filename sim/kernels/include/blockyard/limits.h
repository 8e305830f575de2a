// NULL and the limits of numbers: what limits.h and float.h define, which come with clang and may be
// included before or after.
#pragma once

#include <float.h>
#include <limits.h>

#ifndef NULL
#define NULL __null
#endif
