// The one translation unit that owns the precompiled header.
