/**
 * Runs many small worlds up to a number of operations; shrinks and reports the first failing one.
 */
import { simulate } from './actors'
import { check } from './check'
import type { Finding, History } from './history'
import { reportedHistory, smallest } from './report'
import type { Breakage, Plan } from './world'

/** Small enough for every key to be searched at once, large enough for a history to be discarded and engines to die. */
const WORLD = { clients: 6, watchers: 4, operations: 2000, streams: 200, accidents: 30 }

export interface Tally {
  worlds: number
  /** Requests, lists and watches included. */
  operations: number
  events: number
  unanswered: number
}

export interface Failure {
  plan: Plan
  /** Ready to be printed. */
  text: string
}

interface Verdict {
  history: History
  findings: Finding[]
}

/** One engine, two over one store, and so on. */
export const planOf = (seed: number): Plan => ({ ...WORLD, seed, engines: 1 + (seed % 2) })

/** @param reported called after every world */
export async function campaign(
  seed: number,
  operations: number,
  reported: (tally: Tally) => void = () => undefined,
  planned: (seed: number) => Plan = planOf,
): Promise<{ tally: Tally; failure?: Failure }> {
  const tally: Tally = { worlds: 0, operations: 0, events: 0, unanswered: 0 }
  for (let next = seed; tally.operations < operations; next++) {
    const plan = planned(next)
    const verdict = await evaluate(plan)
    const { history, findings } = verdict
    tally.worlds++
    tally.operations += history.operations.length + history.listings.length + history.streams.length
    tally.events += history.streams.reduce((sum, { seen }) => sum + seen.length, 0)
    tally.unanswered += history.operations.filter(({ result }) => result.type === 'unknown').length
    reported(tally)
    if (findings.length > 0) return { tally, failure: await failureOf(plan, verdict) }
  }
  return { tally }
}

/** @returns what is wrong with a world; failed assumptions of an engine count too */
export async function evaluate(plan: Plan, breakage: Breakage = {}): Promise<Verdict> {
  const { history, failures } = await simulate(plan, breakage)
  const failed = failures.map(
    (message): Finding => ({ rule: 'engines fail at nothing', message, keys: [], at: 0 }),
  )
  return { history, findings: [...check(history), ...failed] }
}

/** The world that breaks the same rule with as little as possible. */
export async function reduced(plan: Plan, rule: string, breakage: Breakage = {}): Promise<Plan> {
  const broken = async (omitted: ReadonlySet<string>): Promise<boolean> => {
    const { findings } = await evaluate({ ...plan, omitted }, breakage)
    return findings.some((finding) => finding.rule === rule)
  }
  return { ...plan, omitted: await smallest(stepsOf(plan), broken) }
}

function stepsOf({ clients, watchers, operations, streams, accidents }: Plan): string[] {
  const named = (actor: string, actors: number, count: number) =>
    Array.from({ length: actors }, (_, who) =>
      Array.from({ length: Math.ceil(count / actors) }, (_, i) => `${actor}-${who} ${i}`),
    ).flat()
  const accident = Array.from({ length: accidents }, (_, i) => `accident ${i}`)
  return [
    ...named('client', clients, operations),
    ...named('watcher', watchers, streams),
    ...accident,
  ]
}

async function failureOf(plan: Plan, { findings }: Verdict): Promise<Failure> {
  const [first] = findings as [Finding]
  const small = await reduced(plan, first.rule)
  const { history, findings: left } = await evaluate(small)
  const finding = left.find(({ rule }) => rule === first.rule) ?? first
  const steps = stepsOf(plan).length - (small.omitted?.size ?? 0)
  const head = `seed ${plan.seed}, ${plan.engines} ${plan.engines === 1 ? 'engine' : 'engines'}, ${steps} of ${stepsOf(plan).length} steps left`
  return { plan: small, text: `${head}\n${reportedHistory(history, finding)}` }
}
