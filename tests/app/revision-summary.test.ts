import { expect, it } from 'vitest'
import type { Change } from '../../src/app/features/objects/changes'
import { summaryOf } from '../../src/app/features/objects/revision-summary'

const change = (path: string, before: Change['before'], after: Change['after']): Change => ({
  path,
  before,
  after,
  bookkeeping: path.startsWith('.metadata.managedFields'),
})

it.each([
  ['created' as const, [], 'Created'],
  ['deleted' as const, [], 'Deleted'],
  ['changed' as const, [change('.spec.replicas', 1, 3)], '.spec.replicas 1 → 3'],
  ['changed' as const, [change('.spec.paused', undefined, true)], '.spec.paused (unset) → true'],
  ['changed' as const, [change('.spec.template', {}, { a: 1 })], '.spec.template'],
  [
    'changed' as const,
    [change('.spec.replicas', 1, 3), change('.metadata.labels', {}, { a: 'b' })],
    '.spec.replicas 1 → 3 and 1 more',
  ],
  ['changed' as const, [change('.metadata.managedFields', [], [1])], 'managedFields changed'],
])('a %s revision with %j is summarized', (what, changes, summary) => {
  expect(summaryOf(what, changes)).toBe(summary)
})
