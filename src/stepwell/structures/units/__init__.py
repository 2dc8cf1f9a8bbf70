"""Overlapping semantic units: steps that share an entity, a tool, a subgoal or a topic."""
