/* method_params.h - parameters of a method from a text: METHOD_PARAMS("lra", "parts=%d", 2). */
#ifndef KN_TESTS_METHODS_METHOD_PARAMS_H
#define KN_TESTS_METHODS_METHOD_PARAMS_H

#include "methods/registry.h"
#include "params_of.h"

#define METHOD_PARAMS(name, ...) params_of(&kn__method_find(name)->entry, __VA_ARGS__)

#endif
