/** Shrinks a failing run and reports it. */
import { operationText } from './check'
import type { Finding, History } from './history'
import { stateText } from './timeline'

/** How many tries at leaving something out are worth their time. */
const TRIES = 60

/**
 * Leaves out as many steps as it can while the run still breaks the same rule: ever smaller parts of what is left.
 *
 * @param steps names of everything that may be left out
 * @param breaks whether a run without these still breaks the rule
 * @returns what may be left out
 */
export async function smallest(
  steps: string[],
  breaks: (omitted: ReadonlySet<string>) => Promise<boolean>,
): Promise<Set<string>> {
  let omitted = new Set<string>()
  let part = Math.ceil(steps.length / 2)
  for (let tries = 0; part >= 1 && tries < TRIES; ) {
    const left = steps.filter((step) => !omitted.has(step))
    let shrunk = false
    for (let from = 0; from < left.length && tries < TRIES; from += part) {
      const without = new Set([...omitted, ...left.slice(from, from + part)])
      tries++
      if (!(await breaks(without))) continue
      omitted = without
      shrunk = true
    }
    if (!shrunk && part === 1) break
    part = Math.min(part, left.length)
    part = part === 1 ? 1 : Math.ceil(part / 2)
  }
  return omitted
}

/** The reported time around a finding, in times of the history. */
const AROUND = 250

/** The requests, responses and changes of the finding's keys around its time, one line each. */
export function reportedHistory(history: History, { message, rule, keys, at }: Finding): string {
  const near = (time: number) => Math.abs(time - at) <= AROUND
  const lines: { at: number; text: string }[] = []
  const concerns = (key: string) => keys.length === 0 || keys.includes(key)
  for (const operation of history.operations) {
    const { key, called, returned } = operation
    if (!concerns(key) || !(near(called) || near(returned))) continue
    lines.push({
      at: called,
      text: `${called}–${returned === Number.POSITIVE_INFINITY ? '…' : returned}  ${operationText(operation)}`,
    })
  }
  for (const { key, at: when, revision, state } of history.changes) {
    if (concerns(key) && near(when))
      lines.push({
        at: when,
        text: `${when}  store, revision ${revision}: ${key} is ${stateText(state)}`,
      })
  }
  for (const { client, server, seen } of history.streams) {
    for (const one of seen) {
      if (one.type === 'BOOKMARK' || !concerns(one.key) || !near(one.at)) continue
      lines.push({
        at: one.at,
        text: `${one.at}  ${client} on ${server} receives: ${one.type} ${one.key} ${stateText(one.state)}`,
      })
    }
  }
  lines.sort((a, b) => a.at - b.at)
  return [`${rule}: ${message}`, ...lines.map(({ text }) => `    ${text}`)].join('\n')
}
