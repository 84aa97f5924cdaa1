#pragma once

// What nearly every test needs.

#include <catch2/catch.hpp>

#include "base/precompiled.hpp"
