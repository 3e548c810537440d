"""`heapq` and `bisect`"""

import bisect
import heapq

from language_table import BOTH, T, case, refused

VALUES = [T(v) for v in ([3.0, 1.0, 2.0], [1.0], [5.0, 4.0, 3.0, 2.0, 1.0])]


class Frontier:
    def __init__(self):
        self.open = []

    def push(self, cost, place):
        heapq.heappush(self.open, (cost, place))

    def pop(self):
        return heapq.heappop(self.open)


@case("a heap that a loop over tensors fills, and empties", *VALUES)
def heap_sort(x):
    heap = []
    for i, v in enumerate(x):
        heapq.heappush(heap, (float(v), i))
    found = []
    while heap:
        found.append(heapq.heappop(heap))
    return found


@case("the best of a stream: `heapreplace`, `nlargest`, `nsmallest`", *VALUES)
def best_of_stream(x):
    heap = []
    for v in x:
        if len(heap) < 2:
            heapq.heappush(heap, v.item())
        elif v > heap[0]:
            heapq.heapreplace(heap, v.item())
    return sorted(heap, reverse=True), heapq.nlargest(2, heap), heapq.nsmallest(1, x.tolist())


@case("`nlargest` and `nsmallest` with a key", VALUES[0], VALUES[2])
def best_by_key(x):
    return heapq.nsmallest(2, range(x.shape[0]), key=lambda i: x[i]), heapq.nlargest(1, enumerate(x), key=lambda pair: pair[1])


@case("tensors in a heap of a known length", VALUES[0])
def heap_of_tensors(x):
    heap = [x[0], x[1], x[2]]
    heapq.heapify(heap)
    return heapq.heappushpop(heap, x[0] * 2), heap


@case("a heap in an attribute, changed under conditions", *VALUES)
def heap_in_object(x):
    frontier = Frontier()
    for i, v in enumerate(x):
        frontier.push(float(v), i)
    cost, place = frontier.pop()
    if cost > 0:
        frontier.push(cost * 10, place)
    return place, frontier.open


@case("`bisect` and `insort`", *VALUES)
def inserted(x):
    found = []
    for v in x:
        bisect.insort(found, float(v))
    return found, bisect.bisect_left(found, 2.0), bisect.bisect([1.0, 2.0, 3.0], float(x[0])), bisect.bisect_left(sorted(x), x[0])


@case("heaps of Python's values stay Python's", VALUES[0])
def plain_heap(x):
    heap = [3, 1, 2]
    heapq.heapify(heap)
    return x * heapq.heappop(heap), bisect.bisect([1, 2, 3], 2), list(heapq.merge([1, 3], [2, 4]))


@refused("a heap of tuples with lists in them", VALUES[0])
def heap_of_lists(x):
    heap = []
    for i in range(3):
        v = x[i]
        heapq.heappush(heap, (float(v), [i]))
    return heap


@case("sorting a list that nothing was put in, under a tensor condition", *BOTH)
def sorting_nothing(x):
    found = []
    if x.sum() > 0:
        found.sort(key=lambda e: -e)
        x = x + len(found)
    else:
        found = sorted(found, key=lambda e: e * 2)
    return x, found
