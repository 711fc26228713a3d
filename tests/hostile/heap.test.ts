/** The heap below due times and pods that wait, against a sorted list. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ReadyPods } from '../../src/engine/controllers/scheduler/ready-pods'
import { Heap, type HeapEntry } from '../../src/engine/core/heap'
import { Wheel } from '../../src/engine/time/wheel'

const steps = fc.array(
  fc.oneof(
    fc.record({ add: fc.nat(20) }),
    fc.record({ remove: fc.nat(30) }),
    fc.constant({ take: true }),
  ),
  { maxLength: 100 },
)

it('takes the items that a sorted list has first', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const heap = new Heap<number>((a, b) => a < b)
      const entries: HeapEntry<number>[] = []
      let model: HeapEntry<number>[] = []
      for (const step of all) {
        if ('add' in step) {
          // Items differ, as the order is strict.
          const entry = heap.add(step.add + entries.length / 1000)
          entries.push(entry)
          model = [...model, entry].sort((a, b) => a.item - b.item)
        } else if ('remove' in step) {
          const entry = entries[step.remove]
          if (entry) heap.remove(entry)
          model = model.filter((other) => other !== entry)
        } else {
          expect(heap.take()).toBe(model[0]?.item)
          model = model.slice(1)
        }
        expect([heap.size, heap.first()]).toEqual([model.length, model[0]?.item])
      }
    }),
  )
})

it('holds many due times, and cancels them in any order', () => {
  const wheel = new Wheel()
  const rang: number[] = []
  const cancels = Array.from({ length: 100_000 }, (_, i) =>
    wheel.set((i * 7919) % 100_003, () => rang.push(i)),
  )
  for (let i = 0; i < cancels.length; i += 2) cancels[i]?.()
  for (let run = wheel.take(200_000); run; run = wheel.take(200_000)) run()
  expect(rang).toHaveLength(50_000)
  const times = rang.map((i) => (i * 7919) % 100_003)
  expect(times).toEqual([...times].sort((a, b) => a - b))
  expect(wheel.next()).toBeUndefined()
})

it('schedules pods by priority, then by when they came', () => {
  const ready = new ReadyPods()
  for (const [key, priority] of [
    ['a', 0],
    ['b', 5],
    ['c', 5],
    ['d', 9],
    ['a', 100],
  ] as const)
    ready.add(key, priority)
  ready.delete('d')
  ready.add('d', 5)
  ready.delete('unknown')
  expect(Array.from({ length: 5 }, () => ready.take())).toEqual(['b', 'c', 'd', 'a', undefined])
  expect(ready.size).toBe(0)
})
