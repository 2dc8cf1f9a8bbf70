"""The OSU-Mem benchmarks: choosing evidence steps of long runs under a token budget."""
