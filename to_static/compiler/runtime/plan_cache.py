"""Plans by the shapes of their inputs, bounded in number and bytes: those used least recently go first."""

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
AT_ONCE, OFTEN = 4, 3  # shapes that get plans of their own at once, and uses after which others do of large Programs
_RARELY = 64  # these uses of small ones, whose calls a plan of their own saves little
_LARGE = 1 << 20  # numbers that a large one has, weights and inputs together
_FEW = 8
_PAYS = 100  # uses after which they do where another plan has to go
_REMEMBERED = 1000  # shapes whose uses are counted


class PlanCache:
    """The plans of one Program.

    A hit is one look-up in ``young`` and notes nothing, so what was used last is known by generations: ``young`` are the plans
    asked for since those in ``_old`` were young. Where there is no room, the first of ``_old`` goes, for shapes that are met very
    often only: of more shapes in turn than there is room for none would find the plan that it had.
    """

    def __init__(self, weights: int = 0) -> None:
        """``weights``: how many numbers the weights of the Program have."""
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
        """All of them, oldest first."""
        return [*self._old.values(), *self.young.values()]

    @property
    def nbytes(self) -> int:
        """Bytes of buffers of all plans."""
        return sum(plan.nbytes for plan in self.plans())

    def find(self, key: Hashable) -> Plan | None:
        """The plan of these shapes, which is young from now on."""
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
        """Take a plan; others go where there are too many now, or too many bytes."""
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
        """Mark all plans as old where none is: a plan that is used is young again."""
        if not self._old:
            self._old = dict(self.young)
            self.young.clear()

    def release(self) -> None:
        """Let go of all buffers that no call is using."""
        for plan in self.plans():
            plan.release()

    def _drop(self, plans: dict[Any, Plan]) -> None:
        for plan in plans.values():  # it may be in a cycle, which would keep its buffers until the next collection
            plan.release()
        plans.clear()
