"""`PlanCache`: the plans of a `PlanExecutor` by the shapes of their inputs, bounded in number and bytes (approximately LRU)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from to_static.compiler.runtime.plan import Plan
from to_static.core.flags import declare

if TYPE_CHECKING:
    from collections.abc import Hashable

cache_size = declare(
    "TO_STATIC_PLAN_CACHE",
    32,
    "How many combinations of input shapes a Program with unknown dimensions has a plan of its own for, the last ones used; all "
    "others share a plan without preallocated buffers",
)
cache_bytes = declare(
    "TO_STATIC_PLAN_CACHE_BYTES", 1 << 30, "How many bytes of buffers the plans of one Program with unknown dimensions hold"
)
AT_ONCE = 4  # the first so many shapes get plans at their first use
OFTEN = 3  # uses after which other shapes of a large Program get a plan
_RARELY = 64  # the same for a small Program, where a plan saves little in each call
_LARGE = 1 << 20  # the number of elements, of weights and inputs together, of a large Program
_FEW = 8  # plans from which on each further one needs one more use
_PAYS = 100  # uses after which shapes get a plan if another plan must be dropped for it
_REMEMBERED = 1000  # shapes whose uses are counted


class PlanCache:
    """The plans of one Program.

    A hit is one look-up in ``young`` and records nothing, so recency is known by generations: ``young`` are the plans that were
    requested since those in ``_old`` were young. If the cache is full, the first of ``_old`` is dropped, but only for shapes that
    are used very often: if more shapes alternate than fit, each would otherwise drop a plan that is needed again soon.
    """

    def __init__(self, weights: int = 0) -> None:
        """``weights``: the number of elements of the Program's weights."""
        self._weights = weights
        self.young: dict[Any, Plan] = {}
        self._old: dict[Any, Plan] = {}
        self._uses: dict[Any, int] = {}

    def with_holders(self, replacement: Callable[[Any], Any]) -> PlanCache:
        """Return a copy whose plans use other holders; see `Plan.with_holders`."""
        copied = PlanCache(self._weights)
        copied.young = {key: plan.with_holders(replacement) for key, plan in self.young.items()}
        copied._old = {key: plan.with_holders(replacement) for key, plan in self._old.items()}
        return copied

    def __len__(self) -> int:
        return len(self.young) + len(self._old)

    def plans(self) -> list[Plan]:
        """All plans, oldest first."""
        return [*self._old.values(), *self.young.values()]

    @property
    def nbytes(self) -> int:
        """Bytes of buffers of all plans."""
        return sum(plan.nbytes for plan in self.plans())

    def find(self, key: Hashable) -> Plan | None:
        """Return the plan of these shapes, which is young from now on; None if there is none."""
        plan = self.young.get(key)
        if plan is None and key in self._old:
            plan = self.young[key] = self._old.pop(key)
        return plan

    def wants(self, key: Hashable, size: int = _LARGE) -> bool:
        """Return whether shapes without a plan get one: the first shapes do, later ones once they are used often enough.

        ``size``: the number of elements of the inputs. The cost of a plan grows with the number of operators, its gain in
        each call with the elements, too, so it pays late for small inputs. The rule uses counts, not times: each process
        runs the same plans.
        """
        if cache_size.value < 1:
            return False
        if len(self) < min(AT_ONCE, cache_size.value):
            return True
        if len(self._uses) >= _REMEMBERED:
            self._uses.clear()
        self._uses[key] = uses = self._uses.get(key, 0) + 1
        pays = max(OFTEN, min(_RARELY, _LARGE // (self._weights + size + 1)))
        if len(self) >= cache_size.value:
            return uses >= _PAYS * pays // OFTEN
        return uses >= pays + max(0, len(self) - _FEW)  # the more shapes, the less is each worth a plan

    def add(self, key: Hashable, plan: Plan) -> None:
        """Add a plan. Others are dropped if there are too many plans or bytes now."""
        self._uses.pop(key, None)
        if key not in self.young and len(self) >= cache_size.value:
            self._age()
            first = next(iter(self._old))
            self._drop({first: self._old.pop(first)})
        self.young[key] = plan
        if len(self) >= cache_size.value:
            self._age()
        if self.nbytes > cache_bytes.value:
            self._drop(self._old)
        if self.nbytes > cache_bytes.value:
            self._drop({k: p for k, p in self.young.items() if p is not plan})
            self.young.clear()
            self.young[key] = plan

    def _age(self) -> None:
        """Start a new generation if no plan is old: all plans become old, and `find` makes a plan young again."""
        if not self._old:
            self._old = dict(self.young)
            self.young.clear()

    def release(self) -> None:
        """Free all buffers that no call is using."""
        for plan in self.plans():
            plan.release()

    def _drop(self, plans: dict[Any, Plan]) -> None:
        for plan in plans.values():  # a plan in a reference cycle would keep its buffers until a garbage collection
            plan.release()
        plans.clear()
