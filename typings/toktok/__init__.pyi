# The part of toktok-rs that Stepwell uses; the package ships no types.
