/** Copies of the cluster in memory, for requests that must leave nothing behind. */
import type { UserInfo } from '../authentication/authenticator'
import { controllersOf } from '../controllers'
import { SimulatedClock } from '../core/environment'
import { AUDIT_ID_HEADER, MEDIA_TYPE } from '../core/names'
import { entryOf, isJsonObject, type Json, type JsonObject } from '../core/object'
import { type Outbound, OutboundError } from '../core/outbound'
import { type ApiRequest, type ApiResponse, isStream } from '../http/messages'
import type { Engine } from '../registry/engine'
import type { ActingUser, Branch, Branches, BranchResponse, Sending } from '../repair/branch'
import type { SentRequest } from '../repair/repair'
import { copyOfStorage } from '../storage/copy'
import type { Storage } from '../storage/storage'
import type { Trace } from '../telemetry/trace'
import type { ApiServerOptions } from './server-options'

/** Their results decide requests. Others would only cost time. */
const CONTROLLERS = [
  'serviceaccount-controller',
  'resourcequota-controller',
  'clusterrole-aggregation-controller',
]

/** Simulated time per turn, and turns without writes after which effects are complete. */
const TURN_MILLISECONDS = 200
const QUIET_TURNS = 5
const MOST_TURNS = 100
/** A controller reacts in several steps. */
const TASKS_PER_TURN = 20

type HandleAs = (user: UserInfo, request: ApiRequest) => Promise<ApiResponse>

interface BranchServer {
  handleAs: HandleAs
  onTrace(listener: (trace: Trace) => void): () => void
  close(): Promise<void>
}

interface Origin {
  create(options: ApiServerOptions): BranchServer
  engine: Pick<Engine, 'resources'>
  handleOf: HandleAs
  defer(run: () => void): void
}

export function branchesOf(
  options: ApiServerOptions,
  { create, engine, handleOf, defer }: Origin,
  caller: UserInfo,
): Branches {
  return {
    open: () => openBranch(options, { create, defer }, caller),
    typeOf: (group, version, resource) => engine.resources.find(group, version, resource)?.type,
    async read(path) {
      const response = await handleOf(
        caller,
        requestOf({ method: 'GET', path }, 'repair', undefined),
      )
      return response.status === 200 ? jsonIn(textOf(response)) : undefined
    },
  }
}

async function openBranch(
  {
    campaign: _campaign,
    electionIdentity: _identity,
    advertised: _advertised,
    ...options
  }: ApiServerOptions,
  { create, defer }: Pick<Origin, 'create' | 'defer'>,
  caller: UserInfo,
): Promise<Branch> {
  const { audit: _audit, working: _working, outbound, ...given } = options
  const storage = await copyOfStorage(options.storage)
  const clock = new SimulatedClock(options.clock.now())
  const server = create({
    ...given,
    storage,
    clock,
    timers: options.timers ?? options.clock,
    compactionInterval: 0,
    controllers: ofBranch(options.controllers ?? []),
    scheduler: false,
    nodes: 0,
    ...(outbound && { outbound: onlyDryRuns(outbound) }),
  })
  return new ServerBranch(server, caller, storage, async () => {
    clock.advance(TURN_MILLISECONDS)
    for (let task = 0; task < TASKS_PER_TURN; task++) await new Promise<void>(defer)
  })
}

function ofBranch(requested: readonly string[]): string[] {
  const running = controllersOf(requested)
  if (typeof running === 'string') return []
  return running.map(({ name }) => name).filter((name) => CONTROLLERS.includes(name))
}

/** Admission webhooks may have side effects unless they see a dry run. */
function onlyDryRuns(outbound: Outbound): Outbound {
  return {
    ...outbound,
    post(request, onCancel) {
      if (isRealAdmission(request.body))
        throw new OutboundError('not called, because this request is a trial')
      return outbound.post(request, onCancel)
    },
  }
}

function isRealAdmission(body: string): boolean {
  const review = jsonIn(body)
  const request = review?.kind === 'AdmissionReview' ? review.request : undefined
  return isJsonObject(request) && request.dryRun !== true
}

class ServerBranch implements Branch {
  private count = 0

  constructor(
    private readonly server: BranchServer,
    private readonly caller: UserInfo,
    private readonly storage: Storage,
    private readonly turn: () => Promise<void>,
  ) {}

  async send(sent: SentRequest, { user, dryRun }: Sending = {}): Promise<BranchResponse> {
    const id = `repair-${this.count++}`
    let trace: Trace | undefined
    const stop = this.server.onTrace((finished) => {
      if (finished.id === id) trace = finished
    })
    try {
      const request = dryRun ? asDryRun(sent) : sent
      const response = await this.server.handleAs(this.caller, requestOf(request, id, user))
      return { status: response.status, body: jsonIn(textOf(response)), trace }
    } finally {
      stop()
    }
  }

  async settle(): Promise<void> {
    let quiet = 0
    for (let turns = 0; quiet < QUIET_TURNS && turns < MOST_TURNS; turns++) {
      const before = this.storage.currentRevision()
      await this.turn()
      quiet = this.storage.currentRevision() === before ? quiet + 1 : 0
    }
  }

  close(): Promise<void> {
    return this.server.close()
  }
}

/** A DELETE with a body ignores the query. */
function asDryRun(sent: SentRequest): SentRequest {
  if (sent.method === 'GET') return sent
  const options = sent.method === 'DELETE' && sent.body ? jsonIn(sent.body) : undefined
  if (options !== undefined)
    return { ...sent, body: JSON.stringify({ ...options, dryRun: ['All'] }) }
  const [path, query = ''] = sent.path.split('?')
  const others = query.split('&').filter((part) => part !== '' && !part.startsWith('dryRun='))
  return { ...sent, path: `${path}?${[...others, 'dryRun=All'].join('&')}` }
}

function requestOf(
  { method, path, contentType = MEDIA_TYPE.json, body = '' }: SentRequest,
  id: string,
  user: ActingUser | undefined,
): ApiRequest {
  const headers: Record<string, string[]> = {
    accept: [MEDIA_TYPE.json],
    [AUDIT_ID_HEADER]: [id],
    'user-agent': ['kubetab/repair'],
    ...(body !== '' && { 'content-type': [contentType] }),
    ...(user && impersonating(user)),
  }
  return {
    method,
    target: path,
    header: (name) => entryOf(headers, name)?.join(', '),
    headerNames: () => Object.keys(headers),
    headerValues: (name) => entryOf(headers, name) ?? [],
    body: async () => new TextEncoder().encode(body),
  }
}

function impersonating({
  name,
  uid,
  groups = [],
  extra = {},
}: ActingUser): Record<string, string[]> {
  return {
    'impersonate-user': [name],
    ...(uid !== undefined && uid !== '' && { 'impersonate-uid': [uid] }),
    ...(groups.length > 0 && { 'impersonate-group': [...groups] }),
    ...Object.fromEntries(
      Object.entries(extra).map(([key, values]) => [
        `impersonate-extra-${encodeURIComponent(key)}`,
        [...values],
      ]),
    ),
  }
}

function textOf({ body }: ApiResponse): string {
  if (body === undefined || isStream(body)) return ''
  return typeof body === 'string' ? body : new TextDecoder().decode(body)
}

function jsonIn(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as Json
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
