"""Overlapping semantic units: groups of steps that share an entity, a tool, a subgoal or a topic."""
