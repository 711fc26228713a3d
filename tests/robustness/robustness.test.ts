/** Concurrent clients of engines that die see one history; and a store that is broken is noticed. */
import { describe, expect, it } from 'vitest'
import { BROKEN, repeating } from './broken'
import { campaign, evaluate, reduced } from './campaign'
import type { Operation, State } from './history'
import { linearizable } from './linearizability'
import { reportedHistory, smallest } from './report'
import { type Breakage, World } from './world'

/** `npm run robustness` runs a million. */
const OPERATIONS = 30_000

it(`${OPERATIONS.toLocaleString('en')} operations of concurrent clients, on one engine and on two over one store, with deaths, delays and lost responses`, async () => {
  const { tally, failure } = await campaign(1, OPERATIONS)
  expect(failure?.text).toBeUndefined()
  expect(tally.operations).toBeGreaterThanOrEqual(OPERATIONS)
  expect(tally.unanswered).toBeGreaterThan(OPERATIONS / 100)
}, 300_000)

it('the same seed makes the same history', async () => {
  const plan = {
    seed: 5,
    engines: 2,
    clients: 4,
    watchers: 2,
    operations: 200,
    streams: 20,
    accidents: 5,
  }
  const [one, other] = [await evaluate(plan), await evaluate(plan)]
  expect(one.history).toEqual(other.history)
})

describe('a store is caught that', () => {
  for (const [what, { engines, breakage, caught }] of Object.entries(BROKEN)) {
    it(what, async () => {
      const output: string[] = []
      for (let seed = 1; seed <= 4 && !output.some((message) => caught.test(message)); seed++) {
        const plan = {
          seed,
          engines,
          clients: 6,
          watchers: 4,
          operations: 600,
          streams: 80,
          accidents: 12,
        }
        output.push(...(await evaluate(plan, breakage)).findings.map(({ message }) => message))
      }
      expect(output).toContainEqual(expect.stringMatching(caught))
    })
  }
})

describe('a world in which something never ends', () => {
  const plan = {
    seed: 1,
    engines: 1,
    clients: 2,
    watchers: 1,
    operations: 40,
    streams: 1,
    accidents: 0,
  }

  it('is abandoned, and named', async () => {
    let reads = 0
    const breakage: Breakage = {
      storage: (storage) =>
        new Proxy(storage, {
          get(target, name) {
            const member = target[name as keyof typeof target]
            if (name === 'transaction')
              return (...given: Parameters<typeof target.transaction>) =>
                given[1].some(({ key }) => key.startsWith('/registry/configmaps/one/')) &&
                ++reads > 3
                  ? new Promise(() => undefined)
                  : target.transaction(...given)
            return typeof member === 'function' ? member.bind(target) : member
          },
        }),
    }
    await expect(evaluate(plan, breakage)).rejects.toThrow(/seed 1: \d+ actors wait for what never/)
  })

  it('ends by the time that passes where a request only waits for a version', async () => {
    const world = new World(plan)
    const started = world.start(0)
    await world.schedule.run()
    await started
    const life = await world.engine(0)
    const target = '/api/v1/configmaps?resourceVersion=999999&resourceVersionMatch=NotOlderThan'
    const response = life.sendRequest({ method: 'GET', target })
    await world.schedule.run()
    world.passTime(60_000)
    await world.schedule.run()
    expect((await response).status).toBe(504)
  })
})

describe('a failing history', () => {
  it('is reported with the operations that it needs, and few others', async () => {
    const breakage = repeating(15)
    const plan = {
      seed: 2,
      engines: 1,
      clients: 2,
      watchers: 1,
      operations: 80,
      streams: 1,
      accidents: 0,
    }
    const { rule = '' } = (await evaluate(plan, breakage)).findings[0] ?? {}
    const small = await reduced(plan, rule, breakage)
    const { history, findings } = await evaluate(small, breakage)
    const [finding] = findings.filter((one) => one.rule === rule)
    if (finding === undefined) throw new Error('what is left does not fail')
    expect(small.omitted?.size).toBeGreaterThan(30)
    expect(reportedHistory(history, finding)).toMatch(
      /^watches send every change once, in order: .*\n(.*\n)*.* receives: ADDED/,
    )
  })

  it('is made smaller by leaving out ever smaller parts', async () => {
    const steps = Array.from({ length: 40 }, (_, i) => `s${i}`)
    const omitted = await smallest(
      steps,
      async (without) => !without.has('s7') && !without.has('s31'),
    )
    expect(steps.filter((step) => !omitted.has(step))).toEqual(['s7', 's31'])
  })
})

describe('operations on one object', () => {
  const state = (by: string, revision: number): State => ({
    revision,
    uid: 'u',
    team: '',
    data: { by },
  })
  const at = (
    called: number,
    returned: number,
    operation: Pick<Operation, 'intent' | 'result'>,
  ): Operation => ({
    client: 'c',
    server: 's',
    key: 'one/a',
    called,
    returned,
    ...operation,
  })
  const content = (by: string) => ({ team: '', data: { by } })
  const created = (called: number, returned: number, by: string, revision: number) =>
    at(called, returned, {
      intent: { verb: 'create', content: content(by) },
      result: { type: 'done', state: state(by, revision) },
    })
  const read = (called: number, returned: number, by: string, revision: number) =>
    at(called, returned, {
      intent: { verb: 'get' },
      result: { type: 'done', state: state(by, revision) },
    })
  const updated = (called: number, returned: number, by: string, revision: number) =>
    at(called, returned, {
      intent: { verb: 'update', content: content(by) },
      result: { type: 'done', state: state(by, revision) },
    })
  const verdict = (...operations: Operation[]) => linearizable(operations).type

  it('may be seen or not while they are under way, but not taken back', () => {
    const [create, update] = [created(1, 2, 'x', 5), updated(3, 10, 'y', 6)]
    expect(verdict(create, update, read(4, 5, 'x', 5), read(6, 7, 'y', 6))).toBe('linearizable')
    expect(verdict(create, update, read(4, 5, 'y', 6), read(6, 7, 'x', 5))).toBe('broken')
    expect(verdict(create, update, read(11, 12, 'x', 5))).toBe('broken')
  })

  it('without a response may have happened at any time, or never', () => {
    const lost = at(3, Number.POSITIVE_INFINITY, {
      intent: { verb: 'update', content: content('y') },
      result: { type: 'unknown' },
    })
    expect(verdict(created(1, 2, 'x', 5), lost, read(4, 5, 'x', 5))).toBe('linearizable')
    expect(verdict(created(1, 2, 'x', 5), lost, read(4, 5, 'x', 5), read(90, 91, 'y', 6))).toBe(
      'linearizable',
    )
    expect(verdict(created(1, 2, 'x', 5), lost, read(4, 5, 'y', 6), read(90, 91, 'x', 5))).toBe(
      'broken',
    )
  })

  it('write revisions that grow', () => {
    expect(verdict(created(1, 2, 'x', 5), updated(3, 4, 'y', 5))).toBe('broken')
    expect(verdict(created(1, 2, 'x', 5), updated(3, 4, 'y', 4))).toBe('broken')
  })

  it('are rejected for a reason', () => {
    const conflict = (expected: number) =>
      at(3, 4, {
        intent: { verb: 'update', content: content('z'), expected },
        result: { type: 'conflict' },
      })
    expect(verdict(created(1, 2, 'x', 5), conflict(4))).toBe('linearizable')
    expect(verdict(created(1, 2, 'x', 5), conflict(5))).toBe('broken')
    const absent = at(3, 4, { intent: { verb: 'get' }, result: { type: 'absent' } })
    expect(verdict(created(1, 2, 'x', 5), absent)).toBe('broken')
  })
})
