/**
 * A temporary server of a release over a copy of the cluster, without persistence, controllers and
 * webhooks.
 */
import { type Random, SimulatedClock } from '../../engine/core/environment'
import { loadTables } from '../../engine/release-tables/load-tables'
import { tablesOf } from '../../engine/release-tables/tables'
import type { Release } from '../../engine/releases'
import { type ApiServer, createApiServer } from '../../engine/server/server'
import type { LoadedChange } from '../../engine/storage/backend'
import { createMemoryStorage } from '../../engine/storage/memory'
import type { Storage } from '../../engine/storage/storage'
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
  user: { name: string; groups: readonly string[] }
}

export interface CopiedResponse {
  status: number
  /** In lower case. */
  headers: Record<string, string>
  text: string
}

const TOKEN = 'copy'
const WEBHOOKS = ['MutatingAdmissionWebhook', 'ValidatingAdmissionWebhook']

/**
 * Sends one request to copies in two releases. Revision, random sequence and time are equal, so
 * that only the release makes a difference.
 * @param now milliseconds since the epoch
 */
export async function respondInBoth(
  releases: readonly [Release, Release],
  rows: readonly StoredRow[],
  request: CopiedRequest,
  now: number,
): Promise<[CopiedResponse, CopiedResponse]> {
  const begun: [Content, Content] = [
    await withBootstrapObjects(releases[0], rows, now),
    await withBootstrapObjects(releases[1], rows, now),
  ]
  const revision = Math.max(begun[0].revision, begun[1].revision)
  return [
    await responseOf(releases[0], { ...begun[0], revision }, request, now),
    await responseOf(releases[1], { ...begun[1], revision }, request, now),
  ]
}

interface Content {
  revision: number
  changes: LoadedChange[]
}

/** The rows as the release decodes them, with a fresh server's objects. */
async function withBootstrapObjects(
  release: Release,
  rows: readonly StoredRow[],
  now: number,
): Promise<Content> {
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
  const server = serverOver(release, storage, new SameChance(), now)
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
  release: Release,
  content: Content,
  request: CopiedRequest,
  now: number,
): Promise<CopiedResponse> {
  const chance = new SameChance()
  const server = serverOver(release, storageOf(content), chance, now)
  try {
    await server.ready()
    chance.begin()
    const response = await server.fetchTarget(httpRequest(request), request.path)
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text: await response.text(),
    }
  } finally {
    await server.close()
  }
}

function serverOver(release: Release, storage: Storage, random: Random, now: number): ApiServer {
  return createApiServer({
    release,
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

function httpRequest({ method, path, body, contentType, accept, user }: CopiedRequest): Request {
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
