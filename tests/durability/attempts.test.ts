/** The model that checks what clients saw finds what must not be. */
import { expect, it } from 'vitest'
import { type Attempt, contentOf, evaluate, type Followed, type Look } from './attempts'
import type { Event, Stored } from './exchange'

const stored = (revision: number, token: string, name = 'a'): Stored => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name, uid: `uid-${name}`, resourceVersion: String(revision) },
  data: contentOf(token),
})
const reported = (type: string, object: Stored): Event => ({ type, object })
const wrote = (token: string, revision: number, more: Partial<Attempt> = {}): Attempt => ({
  token,
  name: 'a',
  verb: 'merge',
  outcome: 'acknowledged',
  known: revision - 1,
  object: stored(revision, token),
  ...more,
})
const list = (revision: number, ...items: Stored[]): Stored => ({
  ...stored(revision, 't-0', ''),
  items,
})

/** A history without fault: made at 2, changed at 3, gone at 4. */
function sound(): { attempts: Attempt[]; looks: Look[]; followed: Followed[] } {
  const events = [
    reported('ADDED', stored(2, 't-1')),
    reported('MODIFIED', stored(3, 't-2')),
    reported('DELETED', stored(4, 't-2')),
  ]
  return {
    attempts: [
      wrote('t-1', 2, { verb: 'create' }),
      wrote('t-2', 3, { onto: '2' }),
      wrote('t-3', 4, { verb: 'delete', object: undefined, uid: 'uid-a' }),
    ],
    looks: [
      { known: 2, name: 'a', object: stored(2, 't-1') },
      { known: 4, name: 'a' },
      { known: 3, list: list(3, stored(3, 't-2')) },
      { known: 4, list: list(5) },
    ],
    followed: [
      { watcher: 'one', from: 1, events },
      { watcher: 'two', from: 2, events: events.slice(1) },
    ],
  }
}

type History = ReturnType<typeof sound>

it('finds nothing where nothing is wrong', () => {
  const { attempts, looks, followed } = sound()
  expect(evaluate(attempts, looks, followed).faults).toEqual([])
})

const WRONG: [string, RegExp, (history: History) => void][] = [
  [
    'an acknowledged write is nowhere',
    /t-9 .* is nowhere/,
    ({ attempts }) => attempts.push(wrote('t-9', 9)),
  ],
  [
    'a rejected write happened',
    /was rejected, but exists/,
    ({ attempts }) => Object.assign(attempts[1] ?? {}, { outcome: 'rejected' }),
  ],
  ['no client made a write', /no client wrote/, ({ attempts }) => attempts.splice(1, 1)],
  [
    'a write is half there',
    /half a write/,
    ({ looks }) =>
      looks.push({ known: 2, list: list(2, { ...stored(2, 't-1'), data: { token: 't-1' } }) }),
  ],
  [
    'a write went onto another version',
    /was to follow 1/,
    ({ attempts }) => Object.assign(attempts[1] ?? {}, { onto: '1' }),
  ],
  [
    'a watch missed an event',
    /did not receive MODIFIED/,
    ({ followed }) =>
      followed.push({ watcher: 'x', from: 2, events: [reported('DELETED', stored(4, 't-2'))] }),
  ],
  [
    'a watch received one twice',
    /came behind/,
    ({ followed }) => followed[0]?.events.push(reported('MODIFIED', stored(3, 't-2'))),
  ],
  [
    'a version has two contents',
    /before it was/,
    ({ looks }) => looks.push({ known: 2, name: 'a', object: stored(2, 't-2') }),
  ],
  [
    'a read is older than what was known',
    /although 3 was known/,
    ({ looks }) => looks.push({ known: 3, name: 'a', object: stored(2, 't-1') }),
  ],
  [
    'a read misses what is there',
    /as absent/,
    ({ looks, followed, attempts }) => {
      for (const { events } of followed) events.pop()
      attempts.pop()
      looks.splice(1, 3, { known: 3, name: 'a' })
    },
  ],
  [
    'a list is none of any moment',
    /instead of/,
    ({ looks }) => looks.push({ known: 2, list: list(3, stored(2, 't-1')) }),
  ],
  [
    'a list is older than what was known',
    /a list is at 3/,
    ({ looks }) => looks.push({ known: 4, list: list(3, stored(3, 't-2')) }),
  ],
  [
    'a deletion did not happen',
    /did not happen/,
    ({ attempts }) => attempts.push(wrote('t-4', 5, { verb: 'delete', uid: 'uid-b' })),
  ],
  ['something went by itself', /for 0 deletions/, ({ attempts }) => attempts.pop()],
]

it.each(WRONG)('finds that %s', (_, fault, corrupt) => {
  const history = sound()
  corrupt(history)
  expect(evaluate(history.attempts, history.looks, history.followed).faults.join('\n')).toMatch(
    fault,
  )
})
