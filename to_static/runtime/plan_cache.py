"""Plans by the shapes of their inputs, bounded in number and bytes: those used least recently go first."""

from __future__ import annotations

from typing import Any

from to_static.core.flags import declare
from to_static.runtime.plan import Plan

cache_size = declare(
    "TO_STATIC_PLAN_CACHE",
    16,
    "How many combinations of input shapes a Program with unknown dimensions has a plan of its own for, the last ones used; all "
    "others share a plan without preallocated buffers",
)
cache_bytes = declare(
    "TO_STATIC_PLAN_CACHE_BYTES", 1 << 30, "How many bytes of buffers the plans of one Program with unknown dimensions hold"
)
AT_ONCE, OFTEN = 4, 3  # shapes that get plans of their own at once, and uses after which others do
_REMEMBERED = 1000  # shapes whose uses are counted


class PlanCache:
    """The plans of one Program.

    A hit is one look-up in ``young`` and notes nothing, so what was used last is known by generations: ``young`` are the plans
    asked for since those in ``_old`` were young. Where there is no room, ``_old`` goes as a whole.
    """

    def __init__(self) -> None:
        self.young: dict[Any, Plan] = {}
        self._old: dict[Any, Plan] = {}
        self._uses: dict[Any, int] = {}

    def __len__(self) -> int:
        return len(self.young) + len(self._old)

    def plans(self) -> list[Plan]:
        """All of them, oldest first."""
        return [*self._old.values(), *self.young.values()]

    @property
    def nbytes(self) -> int:
        """Bytes of buffers of all plans."""
        return sum(plan.nbytes for plan in self.plans())

    def find(self, key: Any) -> Plan | None:
        """The plan of these shapes, which is young from now on."""
        plan = self.young.get(key)
        if plan is None and key in self._old:
            plan = self._old.pop(key)
            self.add(key, plan)
        return plan

    def wants(self, key: Any) -> bool:
        """Whether shapes that have no plan get one: the first ones do, others when they are used often enough."""
        if cache_size.value < 1:
            return False
        if len(self) < min(AT_ONCE, cache_size.value):
            return True
        if len(self._uses) >= _REMEMBERED:
            self._uses.clear()
        self._uses[key] = uses = self._uses.get(key, 0) + 1
        return uses >= OFTEN

    def add(self, key: Any, plan: Plan) -> None:
        """Take a plan; others go where there are too many now, or too many bytes."""
        self._uses.pop(key, None)
        if len(self.young) >= max(1, cache_size.value // 2):
            self._drop(self._old)
            self._old = dict(self.young)
            self.young.clear()
        self.young[key] = plan
        if len(self) > cache_size.value or self.nbytes > cache_bytes.value:
            self._drop(self._old)
        if self.nbytes > cache_bytes.value:
            self._drop({k: p for k, p in self.young.items() if p is not plan})
            self.young.clear()
            self.young[key] = plan

    def release(self) -> None:
        """Let go of all buffers that no call is using."""
        for plan in self.plans():
            plan.release()

    def _drop(self, plans: dict[Any, Plan]) -> None:
        for plan in plans.values():  # it may be in a cycle, which would keep its buffers until the next collection
            plan.release()
        plans.clear()
