/** A test set's cluster: a server in memory that accepts any user. */
import type { Clock, Log, Random } from '../engine/core/environment'
import { isJsonObject, type Json, type JsonObject, type KubeObject } from '../engine/core/object'
import type { ApiRequest } from '../engine/http/messages'
import type { Release } from '../engine/releases/release'
import { type ApiServer, createApiServer } from '../engine/server/server'
import { createMemoryStorage } from '../engine/storage/memory'
import type { Trace } from '../engine/telemetry/trace'
import { TestSetError } from './test-set-error'
import type { TestUser } from './types'

export interface TestEnvironment {
  /** Default: DEFAULT_RELEASE. Its tables are loaded. */
  release?: Release
  clock: Clock
  random: Random
  log: Log
}

export interface Response {
  status: number
  warnings: string[]
  body: JsonObject
  trace: Trace | undefined
}

/** The paths of a kind. */
export interface Place {
  /** `/apis/apps/v1` */
  root: string
  group: string
  plural: string
  namespaced: boolean
  subresources: ReadonlySet<string>
}

const TOKEN = 'test'
const ADMINISTRATOR = `${TOKEN},system:admin,,"system:masters"`

export class TestCluster {
  private readonly server: ApiServer
  private readonly places = new Map<string, Place>()
  private readonly namespaces = new Set<string>()
  private trace: Trace | undefined

  constructor(environment: TestEnvironment) {
    this.server = createApiServer({
      ...environment,
      storage: createMemoryStorage(),
      tokens: ADMINISTRATOR,
    })
    this.server.onTrace((trace) => {
      this.trace = trace
    })
  }

  close(): Promise<void> {
    return this.server.close()
  }

  async send(method: string, target: string, body?: Json, user?: TestUser): Promise<Response> {
    this.trace = undefined
    const response = await this.server.handle(requestOf(method, target, body, user))
    const text =
      typeof response.body === 'string'
        ? response.body
        : new TextDecoder().decode(response.body as Uint8Array | undefined)
    const read: unknown = text.startsWith('{') ? JSON.parse(text) : { message: text }
    const warnings = [response.headers.warning ?? []].flat().map(warningText)
    return { status: response.status, warnings, body: read as JsonObject, trace: this.trace }
  }

  /** @throws TestSetError for a kind that is not served */
  async placeOf({ apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>): Promise<Place> {
    const key = `${apiVersion} ${kind}`
    const place = this.places.get(key) ?? (await this.discover(apiVersion, kind))
    if (place === undefined) throw new TestSetError(`${kind} of ${apiVersion} is not served`)
    this.places.set(key, place)
    return place
  }

  private async discover(apiVersion: string, kind: string): Promise<Place | undefined> {
    const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
    const { body } = await this.send('GET', root)
    const resources = Array.isArray(body.resources) ? body.resources.filter(isJsonObject) : []
    const found = resources.find(
      (resource) => resource.kind === kind && !String(resource.name).includes('/'),
    )
    if (found === undefined) return undefined
    const plural = String(found.name)
    const subresources = resources
      .map(({ name }) => String(name))
      .filter((name) => name.startsWith(`${plural}/`))
    return {
      root,
      group: apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '',
      plural,
      namespaced: found.namespaced === true,
      subresources: new Set(subresources.map((name) => name.slice(plural.length + 1))),
    }
  }

  /** Creates a missing namespace. */
  async pathOf(
    object: KubeObject,
  ): Promise<{ collection: string; item: string; place: Place; namespace: string }> {
    const place = await this.placeOf(object)
    const { root, plural, namespaced } = place
    const namespace = namespaced ? object.metadata?.namespace || 'default' : ''
    if (namespaced) await this.ensureNamespace(namespace)
    const collection = namespaced
      ? `${root}/namespaces/${namespace}/${plural}`
      : `${root}/${plural}`
    return { collection, item: `${collection}/${object.metadata?.name ?? ''}`, place, namespace }
  }

  /** Also creates the default service account, as controllers do. */
  private async ensureNamespace(name: string): Promise<void> {
    if (this.namespaces.has(name)) return
    this.namespaces.add(name)
    await this.send('POST', '/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name },
    })
    const account = {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'default', namespace: name },
    }
    await this.send('POST', `/api/v1/namespaces/${name}/serviceaccounts`, account)
  }

  /** Includes the status. @throws TestSetError */
  async put(object: KubeObject): Promise<void> {
    const { collection, item, place } = await this.pathOf(object)
    const body = withoutIdentity(object)
    const created = await this.send('POST', collection, body)
    const response = created.status === 409 ? await this.send('PUT', item, body) : created
    if (response.status >= 400)
      throw new TestSetError(
        `${object.kind} ${object.metadata?.name ?? ''} is rejected: ${String(response.body.message)}`,
      )
    if (
      object.status !== undefined &&
      place.subresources.has('status') &&
      place.plural !== 'customresourcedefinitions'
    )
      await this.send('PUT', `${item}/status`, body)
  }

  async remove(object: KubeObject): Promise<void> {
    await this.send('DELETE', `${(await this.pathOf(object)).item}?gracePeriodSeconds=0`)
  }
}

/** Removes fields that only a server sets. */
export function withoutIdentity(object: KubeObject): JsonObject {
  const { resourceVersion: _version, uid: _uid, ...metadata } = object.metadata ?? {}
  return { ...object, metadata } as unknown as JsonObject
}

function requestOf(
  method: string,
  target: string,
  body: Json | undefined,
  user: TestUser | undefined,
): ApiRequest {
  const headers = new Map<string, string[]>([
    ['authorization', [`Bearer ${TOKEN}`]],
    ['accept', ['application/json']],
    ['user-agent', ['policy-test']],
  ])
  if (body !== undefined) headers.set('content-type', ['application/json'])
  if (user !== undefined) {
    headers.set('impersonate-user', [user.name])
    if (user.uid !== undefined) headers.set('impersonate-uid', [user.uid])
    if (user.groups !== undefined && user.groups.length > 0)
      headers.set('impersonate-group', [...user.groups])
    for (const [key, values] of Object.entries(user.extra ?? {}))
      headers.set(`impersonate-extra-${encodeURIComponent(key)}`, [...values])
  }
  const names = [...headers.keys()]
  return {
    method,
    target,
    header: (name) => headers.get(name)?.join(', '),
    headerNames: () => names,
    headerValues: (name) => headers.get(name) ?? [],
    body: () =>
      Promise.resolve(new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body))),
  }
}

/** `299 - "text"` with escaped quotes and backslashes. */
const warningText = (header: string): string =>
  header.replace(/^\d{3} \S+ "(.*)"$/s, '$1').replace(/\\(["\\])/g, '$1')
