#include "memcheck.h"
