/** Checks a history for responses that no correct server returns. */
import { checkListing } from './check-listings'
import { checkStream } from './check-streams'
import type { Finding, History, Operation, State } from './history'
import { linearizable } from './linearizability'
import { sameState, stateText, Timeline } from './timeline'

/** @returns everything that is wrong; nothing if the history is one that a correct server makes */
export function check(history: History): Finding[] {
  const timeline = new Timeline(history.changes)
  const some = <Item>(
    items: Item[],
    rule: (item: Item, timeline: Timeline) => Finding | undefined,
  ) => items.flatMap((item) => rule(item, timeline) ?? [])
  return [
    ...revisionsGrow(history),
    ...explained(history),
    ...some(history.operations, isKept),
    ...someOrder(history),
    ...some(history.listings, checkListing),
    ...some(history.streams, checkStream),
  ]
}

function revisionsGrow({ changes, begun }: History): Finding[] {
  const findings: Finding[] = []
  let last = begun
  for (const { revision, key, at } of changes) {
    if (revision <= last) {
      findings.push({
        rule: 'revisions grow',
        message: `revision ${revision} of ${key} follows ${last}`,
        keys: [key],
        at,
      })
    }
    last = revision
  }
  return findings
}

/** Every change was requested, and no request was carried out twice. */
function explained({ changes, operations }: History): Finding[] {
  const rule = 'every change is requested once'
  const findings: Finding[] = []
  const requested = new Map<string, Operation>()
  for (const operation of operations) {
    const token = tokenOf(operation)
    if (token !== undefined) requested.set(token, operation)
  }
  const made = new Map<string, number>()
  for (const { key, state, revision, at } of changes) {
    if (state === undefined) continue
    const token = state.data.by ?? ''
    const operation = requested.get(token)
    const before = made.get(token)
    if (operation === undefined || operation.key !== key) {
      findings.push({
        rule,
        message: `no client requested ${key} ${stateText(state)}`,
        keys: [key],
        at,
      })
    } else if (before !== undefined) {
      findings.push({
        rule,
        message: `${token} was carried out at revision ${before} and again at ${revision}`,
        keys: [key],
        at,
      })
    } else if (operation.result.type !== 'unknown' && operation.result.type !== 'done') {
      findings.push({
        rule,
        message: `${token} was rejected, but carried out at revision ${revision}`,
        keys: [key],
        at,
      })
    }
    made.set(token, revision)
  }
  return findings
}

function tokenOf({ intent }: Operation): string | undefined {
  switch (intent.verb) {
    case 'create':
    case 'update':
      return intent.content.data.by
    case 'patch':
    case 'apply':
      return intent.set.by
    default:
      return undefined
  }
}

/** A returned object equals the stored one, and did so at the time of the response. */
function isKept(operation: Operation, timeline: Timeline): Finding | undefined {
  const { intent, result, key, called, returned } = operation
  if (result.type !== 'done') return undefined
  const complain = (message: string): Finding => ({
    rule: 'acknowledged writes are kept',
    message: `${operationText(operation)} ${message}`,
    keys: [key],
    at: called,
  })
  if (intent.verb === 'delete') {
    const { uid } = result.state
    const deletion = timeline
      .of(key)
      .find((change, i, all) => change.state === undefined && all[i - 1]?.state?.uid === uid)
    if (deletion === undefined) return complain('is not in the store')
    return deletion.at > returned ? complain('was acknowledged before it was durable') : undefined
  }
  const seen = result.state as State
  const change = timeline.at(key, seen.revision)
  if (change?.state === undefined || !sameState(change.state, seen))
    return complain(`is not what the store has: ${stateText(change?.state)}`)
  if (change.at > returned) return complain('was acknowledged before it was durable')
  if (intent.verb !== 'get' && change.at < called)
    return complain('was there before it was requested')
  return undefined
}

function someOrder({ operations }: History): Finding[] {
  const byKey = new Map<string, Operation[]>()
  for (const operation of operations) {
    const chain = byKey.get(operation.key)
    if (chain) chain.push(operation)
    else byKey.set(operation.key, [operation])
  }
  const findings: Finding[] = []
  for (const [key, chain] of byKey) {
    chain.sort((a, b) => a.called - b.called)
    const verdict = linearizable(chain)
    if (verdict.type === 'linearizable') continue
    const rule = 'operations on an object have an order'
    if (verdict.type === 'undecided')
      findings.push({
        rule,
        message: `the search for an order of ${key} was given up`,
        keys: [key],
        at: 0,
      })
    else {
      const stuck = verdict.stuck.map((operation) => operationText(operation)).join('; ')
      findings.push({
        rule,
        message: `no order of the operations on ${key} goes on with: ${stuck}`,
        keys: [key],
        at: verdict.stuck[0]?.called ?? 0,
      })
    }
  }
  return findings
}

/** `client-1 update one/a expecting 17 → web at 18` */
export function operationText({ client, server, key, intent, result }: Operation): string {
  const expected =
    'expected' in intent && intent.expected !== undefined ? ` expecting ${intent.expected}` : ''
  const reported =
    result.type === 'done'
      ? 'revision' in result.state
        ? stateText(result.state)
        : 'done'
      : result.type
  const token = tokenOf({ intent } as Operation)
  return `${client} on ${server}: ${intent.verb} ${key}${token === undefined ? '' : ` by ${token}`}${expected} → ${reported}`
}
