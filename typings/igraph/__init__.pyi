from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

class _Generator(Protocol):
    def random(self) -> float: ...
    def randint(self, a: int, b: int, /) -> int: ...
    def gauss(self, mu: float, sigma: float, /) -> float: ...

def set_random_number_generator(generator: _Generator | Any | None) -> None: ...

class VertexClustering:
    @property
    def membership(self) -> list[int]: ...

class Graph:
    def __init__(self, n: int = ..., edges: NDArray[np.int64] | None = ...) -> None: ...
    @classmethod
    def Erdos_Renyi(cls, n: int, p: float) -> Graph: ...  # noqa: N802 -- the library's name
    def vcount(self) -> int: ...
    def get_edgelist(self) -> list[tuple[int, int]]: ...
    def personalized_pagerank(
        self,
        *,
        directed: bool = ...,
        damping: float = ...,
        reset: Sequence[float] = ...,
        weights: Sequence[float] | None = ...,
    ) -> list[float]: ...
    def community_leiden(
        self,
        objective_function: str = ...,
        weights: Sequence[float] | None = ...,
        resolution: float = ...,
        n_iterations: int = ...,
    ) -> VertexClustering: ...
