"""Memory structures: indexes over passages behind one Protocol."""
