"""Thirty questions about what no log of an agent and no talk of two friends says."""

from __future__ import annotations

__all__ = ["ABSURD"]

ABSURD = (
    "What did the lighthouse keeper feed the purple walrus on Ascension Day?",
    "How many zeppelins were moored above the cathedral of Trondheim?",
    "Which emperor abdicated because of the marmalade shortage?",
    "Who taught the glass octopus to play the bassoon?",
    "When was the moon's customs office moved to Antwerp?",
    "Why did the tax inspector bury the harpsichord under the glacier?",
    "What is the maiden name of the basilisk's godmother?",
    "Which volcano was baptised in the Treaty of Utrecht?",
    "How much did the invisible tugboat weigh in hundredweights?",
    "Where does the archbishop keep his collection of thunderclaps?",
    "What colour were the sails of the submarine monastery?",
    "Who won the duel between the beekeeper and the cosmonaut?",
    "Which recipe calls for nine ounces of powdered unicorn antler?",
    "How deep is the wishing well on the back of the giant tortoise?",
    "What did Napoleon's parrot whisper to the ambassador of Lapland?",
    "In which year did the penguins of Madagascar ratify the constitution?",
    "What toll does the troll of the viaduct charge a barrel organ?",
    "Which opera did the lobster conduct during the solar eclipse?",
    "Who knitted the scarf of the Colossus of Rhodes?",
    "How many accordions fit into the mammoth's left tusk?",
    "Why was the weathercock of Reykjavik charged with perjury?",
    "What is inscribed on the tombstone of the last mermaid of Saskatchewan?",
    "Which alchemist turned the bagpipes into saffron?",
    "When do the stone gargoyles of Prague hold their regatta?",
    "What dowry did the sultan offer for the clockwork ostrich?",
    "Who stole the yodelling trophy from the igloo of the countess?",
    "Wie viele Dudelsäcke besaß der Zwergkönig von Samarkand?",
    "¿Por qué enterró el flamenco la corona del zar?",
    "Quel évêque a dressé les morses de la tour Eiffel ?",
    "月亮上的海关总署为什么禁止紫色的海象",
)
