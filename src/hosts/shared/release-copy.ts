/**
 * A temporary server over a copy of a cluster, without persistence, controllers and webhooks.
 */
import type { UserInfo } from '../../engine/authentication/authenticator'
import { type Random, SimulatedClock } from '../../engine/core/environment'
import type { KubeObject } from '../../engine/core/object'
import { loadTables } from '../../engine/release-tables/load-tables'
import { tablesOf } from '../../engine/release-tables/tables'
import type { Release } from '../../engine/releases'
import { type ApiServer, createApiServer } from '../../engine/server/server'
import type { LoadedChange } from '../../engine/storage/backend'
import { createMemoryStorage } from '../../engine/storage/memory'
import type { Storage } from '../../engine/storage/storage'
import type { PolicyFinding } from '../../engine/telemetry/policy-findings'
import type { Decision, Trace } from '../../engine/telemetry/trace'
import { consoleLog } from './environment'
import { SameChance } from './rehearsal-server'
import type { StoredRow } from './snapshots'
import { decodedAs } from './stored-form'

export interface CopiedRequest {
  method: string
  /** Path and query. */
  path: string
  body?: string
  contentType?: string
  accept?: string
}

/** What can differ between two copies. */
export interface CopiedSide {
  release: Release
  rows: readonly StoredRow[]
  user: { name: string; groups: readonly string[] }
  featureGates?: Readonly<Record<string, boolean>>
}

export interface CopiedResponse {
  status: number
  /** In lower case. */
  headers: Record<string, string>
  text: string
  /** The watch events that follow from the request. */
  events: { type: 'ADDED' | 'MODIFIED' | 'DELETED'; object: KubeObject }[]
  decisions: Decisions
}

/** Without times. */
export interface Decisions {
  user: Pick<UserInfo, 'name' | 'groups'> | undefined
  authorization: Pick<Decision, 'decision' | 'reason'> | undefined
  /** Stages and admission plugins, in order. */
  steps: string[]
  policies: readonly PolicyFinding[]
  annotations: Readonly<Record<string, string>>
}

const TOKEN = 'copy'
const WEBHOOKS = ['MutatingAdmissionWebhook', 'ValidatingAdmissionWebhook']

/**
 * Sends one request to two copies. Revision, random sequence and time are equal, so that only the
 * sides make a difference.
 * @param now milliseconds since the epoch
 * @throws Error for an unknown or locked feature gate
 */
export async function respondInBoth(
  [left, right]: readonly [CopiedSide, CopiedSide],
  request: CopiedRequest,
  now: number,
): Promise<[CopiedResponse, CopiedResponse]> {
  const begun: [Content, Content] = [
    await withBootstrapObjects(left, now),
    await withBootstrapObjects(right, now),
  ]
  const revision = Math.max(begun[0].revision, begun[1].revision)
  return [
    await responseOf(left, { ...begun[0], revision }, request, now),
    await responseOf(right, { ...begun[1], revision }, request, now),
  ]
}

interface Content {
  revision: number
  changes: LoadedChange[]
}

/** The rows as the release decodes them, with a fresh server's objects. */
async function withBootstrapObjects(side: CopiedSide, now: number): Promise<Content> {
  const { release, rows } = side
  await loadTables(release)
  const tables = tablesOf(release)
  if (tables === undefined) throw new Error(`the tables of release ${release} are not loaded`)
  const changes = rows
    .map(({ key, object }) => {
      const revision = Number(object.metadata.resourceVersion)
      return { key, object: decodedAs(object, tables), revision, createRevision: revision }
    })
    .sort((a, b) => a.revision - b.revision)
  const storage = storageOf({ revision: changes.at(-1)?.revision ?? 1, changes })
  const server = serverOver(side, storage, new SameChance(), now)
  try {
    await server.ready()
    const parts = await Promise.all(['/registry/', '/kubetab/'].map((key) => storage.range(key)))
    return {
      revision: storage.currentRevision(),
      changes: parts.flatMap(({ items }) => items).sort((a, b) => a.revision - b.revision),
    }
  } finally {
    await server.close()
  }
}

async function responseOf(
  side: CopiedSide,
  content: Content,
  request: CopiedRequest,
  now: number,
): Promise<CopiedResponse> {
  const chance = new SameChance()
  const storage = storageOf(content)
  const server = serverOver(side, storage, chance, now)
  try {
    await server.ready()
    chance.begin()
    let trace: Trace | undefined
    server.onTrace((ended) => {
      trace = ended
    })
    const before = storage.currentRevision()
    const response = await server.fetchTarget(httpRequest(request, side.user), request.path)
    const text = await response.text()
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text,
      events: eventsAfter(storage, before),
      decisions: decisionsOf(trace),
    }
  } finally {
    await server.close()
  }
}

function eventsAfter(storage: Storage, revision: number): CopiedResponse['events'] {
  const events: CopiedResponse['events'] = []
  // A watch delivers past events synchronously.
  storage
    .watch('/registry/', revision, {
      event: ({ type, current: { object } }) => void events.push({ type, object }),
      end() {},
    })
    .stop()
  return events
}

function decisionsOf(trace: Trace | undefined): Decisions {
  const { impersonated, user, authorization, spans, policies, annotations } = trace ?? {}
  const sender = impersonated ?? user
  return {
    user: sender && { name: sender.name, groups: sender.groups },
    authorization: authorization && {
      decision: authorization.decision,
      reason: authorization.reason,
    },
    steps: (spans ?? []).map(({ stage, part }) =>
      part === undefined ? stage : `${stage}: ${part}`,
    ),
    policies: policies ?? [],
    annotations: annotations ?? {},
  }
}

function serverOver(
  { release, featureGates }: CopiedSide,
  storage: Storage,
  random: Random,
  now: number,
): ApiServer {
  return createApiServer({
    release,
    ...(featureGates && { featureGates }),
    clock: new SimulatedClock(now),
    random,
    log: consoleLog,
    storage,
    tokens: `${TOKEN},admin,admin,"system:masters"\n`,
    disableAdmissionPlugins: WEBHOOKS,
  })
}

const storageOf = ({ revision, changes }: Content): Storage =>
  createMemoryStorage({
    initial: { revision, compacted: revision, complete: true, changes, requests: [] },
  })

function httpRequest(
  { method, path, body, contentType, accept }: CopiedRequest,
  user: CopiedSide['user'],
): Request {
  const headers = new Headers({
    authorization: `Bearer ${TOKEN}`,
    accept: accept ?? 'application/json',
    'impersonate-user': user.name,
    ...(body === undefined ? {} : { 'content-type': contentType ?? 'application/json' }),
  })
  for (const group of user.groups) headers.append('impersonate-group', group)
  return new Request(new URL(path, 'http://copy'), {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  })
}
