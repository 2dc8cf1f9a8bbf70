"""The policies that come with Stepwell, one TOML file each."""
