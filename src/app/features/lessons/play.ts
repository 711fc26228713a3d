import { isJsonObject, type JsonObject } from '../../../engine/core/object'
import type { ProbeResponse } from '../../../lessons/check'
import { filled } from '../../../lessons/fill'
import type { Move, Probe } from '../../../lessons/lesson'
import { type Actor, PAGE_ACTOR, useActors } from '../../state/actors'
import { sendRequest, stream } from '../../state/client'
import { useConnection } from '../../state/connection'
import type { Origin } from '../../state/logged-request'
import { useWatches } from '../watches/state'
import { PLAY } from './texts'

/** Without a write for this time, controllers count as idle. */
const QUIET_MILLISECONDS = 60
const MOST_WAITS = 50

/** For a few seconds at most. */
export async function settled(): Promise<void> {
  const { connection } = useConnection.getState()
  let before = -1
  for (let waits = 0; connection && waits < MOST_WAITS; waits++) {
    const { revision } = await connection.channel.request('status', undefined)
    if (revision === before) return
    before = revision
    await new Promise((resolve) => setTimeout(resolve, QUIET_MILLISECONDS))
  }
}

/** A prerequisite can appear later, such as a namespace's service account. */
const ATTEMPTS = 20
const PAUSE_MILLISECONDS = 150

let events: JsonObject[] = []
let streams: AbortController[] = []

export const watchedEvents = (): readonly JsonObject[] => events

export function endWatches(): void {
  for (const control of streams) control.abort()
  streams = []
  events = []
}

/** @returns undefined if the object does not exist */
export async function objectAt(path: string): Promise<JsonObject | undefined> {
  const response = await sendRequest({ method: 'GET', path, origin: 'page', actor: PAGE_ACTOR })
  return response.ok && isJsonObject(response.json as JsonObject)
    ? (response.json as JsonObject)
    : undefined
}

/** A request of a check, which the log of the learner does not have. */
export const sendProbe = (probe: Probe): Promise<ProbeResponse> => send(probe, 'page')

/** With any response. */
export const sendAsLearner = (probe: Probe): Promise<ProbeResponse> => send(probe, 'action')

async function send(
  { as = 'admin', method, path, body, contentType }: Probe,
  origin: Origin,
): Promise<ProbeResponse> {
  const response = await sendRequest({
    method,
    path: await filled(path, objectAt),
    origin,
    actor: useActors.getState().actors.find(({ name }) => name === as) ?? PAGE_ACTOR,
    ...(body === undefined ? {} : { body: await filled(JSON.stringify(body), objectAt) }),
    ...(contentType === undefined ? {} : { contentType }),
  })
  const json = response.json as JsonObject
  return { code: response.status, body: isJsonObject(json) ? json : {} }
}

/** @throws Error if the response has another status than expected */
export async function play({
  as = 'admin',
  method,
  path,
  body,
  contentType,
  status,
  watch,
  compact,
}: Move): Promise<void> {
  const actor = useActors.getState().actors.find(({ name }) => name === as) ?? PAGE_ACTOR
  const target = await filled(path, objectAt)
  const text = body && (await filled(JSON.stringify(body), objectAt))
  if (compact) await compactHistory()
  if (watch) return open(target, actor)
  const request = {
    ...(text === undefined ? {} : { body: text }),
    ...(contentType === undefined ? {} : { contentType }),
  }
  for (let attempt = 1; ; attempt++) {
    const response = await sendRequest({ method, path: target, actor, ...request })
    if (status === undefined ? response.ok : response.status === status) return
    // A move that succeeded unexpectedly is not retried.
    if (response.ok || attempt === ATTEMPTS)
      throw new Error(PLAY.unexpected(`${method} ${target}`, response.status))
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS))
  }
}

/** @returns when the watch is open. The step's checks see an error. */
function open(path: string, actor: Actor): Promise<void> {
  const control = new AbortController()
  streams.push(control)
  const loggedAt = events
  return new Promise((resolve) => {
    const request = { method: 'GET', path, actor, signal: control.signal }
    stream(request, (line) => loggedAt.push(line as JsonObject), resolve).catch(() => resolve())
  })
}

async function compactHistory(): Promise<void> {
  const body = JSON.stringify({ metadata: { generateName: 'elsewhere-' } })
  await sendRequest({
    method: 'POST',
    path: '/api/v1/namespaces/default/configmaps',
    body,
    origin: 'page',
    actor: PAGE_ACTOR,
  })
  await useWatches.getState().compact()
}
