/** The verdict of the soak test has to find what can go wrong with a watch, and nothing else. */
import { describe, expect, it } from 'vitest'
import type { Change } from '../../src/hosts/shared/channel'
import { endProblems, History, Seen, slope } from './verdict'

const change = (
  revision: number,
  type: Change['type'],
  name: string,
  kind = 'ConfigMap',
): Change => ({
  revision,
  type,
  kind,
  namespace: 'a',
  name,
  at: undefined,
})

function history(): History {
  const known = new History()
  const changes = [
    change(5, 'ADDED', 'configmaps-1'),
    change(6, 'ADDED', 'secrets-1', 'Secret'),
    change(7, 'MODIFIED', 'configmaps-1'),
    change(8, 'ADDED', 'configmaps-2'),
    change(9, 'DELETED', 'configmaps-1'),
  ]
  known.add({ oldest: 1, newest: 9, changes })
  return known
}

const ALL = [
  '5 ADDED a/configmaps-1',
  '7 MODIFIED a/configmaps-1',
  '8 ADDED a/configmaps-2',
  '9 DELETED a/configmaps-1',
]

function seen(events: string[], { resumes = true, from = 4, open = true } = {}): Seen {
  const one = new Seen('w', { kind: 'ConfigMap' }, resumes)
  const connections = [{ number: 1, from, events, bookmark: from, open, problems: [] }]
  one.add({
    id: 'w',
    path: 'api/v1/configmaps',
    connections,
    start: { kind: 'ConfigMap', revision: 4, objects: {} },
  })
  return one
}

describe('the events of a watcher', () => {
  it('is right when it is everything once and in order, over one connection or several', () => {
    expect(seen(ALL).problems(history(), 9)).toEqual([])
    const twice = seen(ALL.slice(0, 2))
    twice.add({
      id: 'w',
      path: '',
      start: undefined,
      connections: [
        { number: 2, from: 7, events: ALL.slice(2), bookmark: 7, open: true, problems: [] },
      ],
    })
    expect(twice.problems(history(), 9)).toEqual([])
  })

  it('lacks an event, in the middle or at the end', () => {
    expect(seen(ALL.filter((event) => !event.startsWith('7'))).problems(history(), 9)).toEqual([
      'w: 1 missing: 7 MODIFIED a/configmaps-1',
    ])
    expect(seen(ALL.slice(0, 3)).problems(history(), 9)).toEqual([
      'w: 1 missing: 9 DELETED a/configmaps-1',
    ])
    // Before the end what is not there yet may still come.
    expect(seen(ALL.slice(0, 3)).problems(history())).toEqual([])
  })

  it('are duplicated, out of order, or missing', () => {
    expect(seen([...ALL.slice(0, 2), ...ALL.slice(1)]).problems(history(), 9)).toEqual([
      'w: 1 received twice: 7 MODIFIED a/configmaps-1',
    ])
    expect(seen([ALL[0], ALL[2], ALL[1], ALL[3]] as string[]).problems(history(), 9)).toEqual([
      'w: events come in another order',
    ])
    expect(
      seen([...ALL.slice(0, 1), '6 ADDED a/x', ...ALL.slice(1)]).problems(history(), 9),
    ).toEqual(['w: 1 that never were: 6 ADDED a/x'])
  })

  it('is of its label or its name alone', () => {
    const even = new Seen('even', { kind: 'ConfigMap', lane: 'even' }, true)
    const connections = [
      { number: 1, from: 4, events: [ALL[2] as string], bookmark: 4, open: true, problems: [] },
    ]
    even.add({
      id: 'even',
      path: '',
      connections,
      start: { kind: 'ConfigMap', revision: 4, objects: {} },
    })
    expect(even.problems(history(), 9)).toEqual([])
  })

  it('may end early where the owner lists in between', () => {
    expect(seen(ALL.slice(0, 2), { resumes: false, open: false }).problems(history(), 9)).toEqual(
      [],
    )
    expect(seen(ALL.slice(1, 2), { resumes: false, open: false }).problems(history(), 9)).toEqual([
      'w: 1 missing: 5 ADDED a/configmaps-1',
    ])
  })

  it('lead to the state of a list at the end', () => {
    expect(endProblems(seen(ALL), { 'a/configmaps-2': 8 }, 9)).toEqual([])
    expect(endProblems(seen(ALL), { 'a/configmaps-2': 8, 'a/configmaps-3': 9 }, 9)).toHaveLength(1)
  })
})

describe('the history', () => {
  it('contain every acknowledged write, or the missing ones are named', () => {
    const write = { kind: 'ConfigMap', key: 'a/configmaps-1', deleted: false, revision: 7, at: 0 }
    expect(history().missing([write, { ...write, deleted: true, revision: Number.NaN }])).toEqual(
      [],
    )
    expect(history().missing([{ ...write, revision: 6 }])).toHaveLength(1)
    expect(history().missing([{ ...write, key: 'a/configmaps-2', deleted: true }])).toHaveLength(1)
  })

  it('report that events were discarded before they were read', () => {
    const known = history()
    expect(() => known.add({ oldest: 20, newest: 30, changes: [] })).toThrow(/were compacted/)
  })
})

it('growth is the slope of the line that fits best', () => {
  expect(slope([1, 2, 3, 4].map((x) => [x, 10 + 3 * x] as const))).toBeCloseTo(3)
  expect(slope([[1, 5]])).toBe(0)
})
