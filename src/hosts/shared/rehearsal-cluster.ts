/** A cluster in memory with simulated time, in which solutions are played without a page. */
import { parseTokenFile } from '../../engine/authentication/static-tokens'
import { type Signatures, SimulatedClock, seededRandom } from '../../engine/core/environment'
import { entryOf, type JsonObject, type KubeObject } from '../../engine/core/object'
import { isStream } from '../../engine/http/messages'
import { loadTables } from '../../engine/release-tables/load-tables'
import type { Release } from '../../engine/releases/release'
import { type ApiServer, createApiServer } from '../../engine/server/server'
import { createMemoryStorage } from '../../engine/storage/memory'
import type { AuditEvent } from '../../engine/telemetry/audit/event'
import { auditPolicyOf } from '../../engine/telemetry/audit/policy'
import { byPeople, type Evidence, type ProbeResponse, type SeenRequest } from '../../lessons/check'
import { filled } from '../../lessons/fill'
import type { Move, Probe } from '../../lessons/lesson'
import { startObjects } from '../../lessons/start'
import { FIRST_SETTINGS, optionsOf } from './engine-settings'
import { FIRST_POLICY } from './recent-requests'
import { PAGE_TOKENS } from './tokens'
import { webSignatures } from './web-signatures'

const TOKENS = new Map([...parseTokenFile(PAGE_TOKENS)].map(([token, { name }]) => [name, token]))
/** Simulated seconds in which controllers react to a move. */
const SECONDS_PER_MOVE = 5
const TURNS_PER_SECOND = 20
const CHECKER = 'lesson-check'
const LEARNER = 'learner'

/** Elliptic curve keys are generated fast; an RSA key takes seconds on a busy machine. */
const QUICK_SIGNATURES: Signatures = {
  ...webSignatures,
  async generateKey() {
    const curve = { name: 'ECDSA', namedCurve: 'P-256' }
    const { privateKey } = await crypto.subtle.generateKey(curve, true, ['sign', 'verify'])
    const { x = '', y = '', d = '' } = await crypto.subtle.exportKey('jwk', privateKey)
    return { kty: 'EC', crv: 'P-256', x, y, d }
  },
}

export interface Setting {
  /** Waits for the next turn of the event loop. */
  turn: (run: () => void) => void
  release: Release
}

export class RehearsalCluster {
  readonly clock = new SimulatedClock()
  private readonly audit: AuditEvent[] = []
  private readonly events: JsonObject[] = []
  readonly failures: string[] = []
  readonly api: ApiServer

  private constructor(
    private readonly turn: Setting['turn'],
    release: Release,
  ) {
    this.api = createApiServer({
      ...optionsOf({ ...FIRST_SETTINGS, release }),
      clock: this.clock,
      random: seededRandom(1),
      log: { error: (message, cause) => this.failures.push(`${message}: ${String(cause)}`) },
      signatures: QUICK_SIGNATURES,
      storage: createMemoryStorage(),
      tokens: PAGE_TOKENS,
    })
  }

  static async with(objects: string, { turn, release }: Setting): Promise<RehearsalCluster> {
    await loadTables(release)
    const cluster = new RehearsalCluster(turn, release)
    for (const object of startObjects(objects)) await cluster.create(object)
    await cluster.advance(SECONDS_PER_MOVE)
    cluster.api.setAudit({
      policy: auditPolicyOf(FIRST_POLICY),
      sink: (event) => cluster.audit.push(event),
    })
    return cluster
  }

  private async create(object: KubeObject): Promise<void> {
    const { apiVersion, kind, metadata } = object
    const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
    const { body } = await this.send('admin', 'GET', root)
    const resources = (body.resources ?? []) as {
      name: string
      kind: string
      namespaced: boolean
    }[]
    const resource = resources.find((entry) => entry.kind === kind && !entry.name.includes('/'))
    if (resource === undefined)
      throw new Error(`${apiVersion} ${kind} of the start state is not served`)
    const namespace = resource.namespaced ? `/namespaces/${metadata.namespace ?? 'default'}` : ''
    const response = await this.send(
      'admin',
      'POST',
      `${root}${namespace}/${resource.name}`,
      object as unknown as JsonObject,
    )
    if (response.status >= 300)
      throw new Error(
        `${kind} ${metadata.name} of the start state is rejected: ${String(response.body.message)}`,
      )
    await this.advance(SECONDS_PER_MOVE)
  }

  async advance(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second++) {
      this.clock.advance(1000)
      // Fired timers send requests, whose responses come in later turns.
      for (let turn = 0; turn < TURNS_PER_SECOND; turn++) await new Promise<void>(this.turn)
    }
  }

  /** @throws Error if the response differs from the expected one */
  async move({
    as = 'admin',
    method,
    path,
    body,
    contentType,
    status,
    watch,
    compact,
  }: Move): Promise<void> {
    const { get } = this.evidence()
    const target = await filled(path, get)
    const sent = body && (JSON.parse(await filled(JSON.stringify(body), get)) as JsonObject)
    if (compact) await this.compact()
    const response = await this.send(as, method, target, sent, contentType, watch)
    const expected = status === undefined ? response.status < 300 : response.status === status
    if (!expected)
      throw new Error(`${method} ${path} got ${response.status}: ${String(response.body.message)}`)
    await this.advance(SECONDS_PER_MOVE)
    if (this.failures.length > 0) throw new Error(this.failures.join('\n'))
  }

  private async compact(): Promise<void> {
    const body = { metadata: { generateName: 'elsewhere-' } }
    await this.send(
      'admin',
      'POST',
      '/api/v1/namespaces/default/configmaps',
      body,
      'application/json',
      false,
      CHECKER,
    )
    await this.api.storage.compact(this.api.storage.currentRevision())
  }

  evidence(): Evidence {
    const requests = (this.audit as unknown as SeenRequest[]).filter(
      ({ userAgent }) => userAgent !== CHECKER,
    )
    return {
      get: (path) => this.get(path),
      send: (probe) => this.probe(probe),
      requests: byPeople(requests),
      events: this.events,
    }
  }

  private async get(path: string): Promise<JsonObject | undefined> {
    const { code, body } = await this.probe({ method: 'GET', path })
    return code === 200 ? body : undefined
  }

  /** A request of the learner, with any response. */
  async request(request: Probe): Promise<ProbeResponse> {
    const response = await this.probe(request, LEARNER)
    await this.advance(SECONDS_PER_MOVE)
    return response
  }

  /** Leaves no trace in the evidence. */
  async probe(
    { as = 'admin', method, path, body, contentType }: Probe,
    agent = CHECKER,
  ): Promise<ProbeResponse> {
    const get = (target: string) => this.get(target)
    const sent = body && (JSON.parse(await filled(JSON.stringify(body), get)) as JsonObject)
    const target = await filled(path, get)
    const response = await this.send(as, method, target, sent, contentType, false, agent)
    return { code: response.status, body: response.body }
  }

  private async send(
    who: string,
    method: string,
    target: string,
    object?: JsonObject | readonly JsonObject[],
    contentType = 'application/json',
    watch = false,
    agent = LEARNER,
  ): Promise<{ status: number; body: JsonObject }> {
    const bytes =
      object === undefined ? new Uint8Array() : new TextEncoder().encode(JSON.stringify(object))
    const token = TOKENS.get(who)
    const headers: Record<string, string> = {
      accept: 'application/json',
      'user-agent': agent,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(object === undefined ? {} : { 'content-type': contentType }),
    }
    const { status, body } = await this.api.handle({
      method,
      target,
      header: (name) => entryOf(headers, name),
      headerNames: () => Object.keys(headers),
      body: async () => bytes,
    })
    if (body !== undefined && isStream(body)) {
      if (!watch) throw new Error(`${target} is a watch: set its watch member`)
      body.start({
        write: (chunk) => this.see(chunk),
        end: () => undefined,
        abort: () => undefined,
      })
      return { status, body: {} }
    }
    return {
      status,
      body: JSON.parse(
        typeof body === 'string' ? body : new TextDecoder().decode(body),
      ) as JsonObject,
    }
  }

  private see(chunk: Uint8Array | string): boolean {
    const text = typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk)
    for (const line of text.split('\n'))
      if (line !== '') this.events.push(JSON.parse(line) as JsonObject)
    return true
  }

  close(): Promise<void> {
    return this.api.close()
  }
}
