/** A cluster in memory that manifests are sent to, one request per manifest. */
import type { KubeObject } from '../../engine/core/object'
import { baseTables } from '../../engine/release-tables/base-tables'
import { loadTables } from '../../engine/release-tables/load-tables'
import { tablesOf } from '../../engine/release-tables/tables'
import type { Release } from '../../engine/releases/release'
import { storables } from '../../engine/server/keys'
import { warningsOf } from '../../hosts/shared/warning-header'
import { ApiFailure } from '../../package/api-failure'
import { Places } from '../../package/client'
import { Cluster } from '../../package/cluster'
import type { ApiObject, TestServer, TestUser } from '../../package/types'
import { creationOrder } from '../../policy-test/order'
import type { Manifest } from '../manifests/read'

export interface StatusCause {
  field?: string
  message?: string
}

export interface ServerResponse {
  code: number
  /** `Invalid`, `Forbidden`; empty if accepted. */
  reason: string
  /** Of a rejection. */
  message: string
  causes: readonly StatusCause[]
  warnings: readonly string[]
  /** As stored. */
  object?: KubeObject
}

export interface RehearsalOptions {
  release: Release
  /** The cluster's objects before any manifest. */
  objects?: readonly KubeObject[]
  /** Sends the manifests; the administrator if absent. */
  user?: TestUser
}

export interface MissingObject {
  object: KubeObject
  message: string
}

/** Their servers are not here: with failurePolicy Fail they would reject everything. */
const WEBHOOKS = ['MutatingAdmissionWebhook', 'ValidatingAdmissionWebhook']

const FIELD_MANAGER = 'kubetab-check'

export class Rehearsal {
  private readonly places: Places
  private readonly namespaces = new Set<string>()
  private constructor(
    readonly server: TestServer,
    private readonly user: TestUser | undefined,
    /** Objects of the cluster that this release does not have, with the reason. */
    readonly missing: readonly MissingObject[],
  ) {
    this.places = new Places((path, init) => server.fetch(path, init))
  }

  /**
   * Stored objects stay as they are: an upgrade validates nothing either. Manifests, which have no
   * uid, are created.
   */
  static async start({ release, objects = [], user }: RehearsalOptions): Promise<Rehearsal> {
    await loadTables(release)
    const tables = tablesOf(release) ?? baseTables()
    const stored = objects.filter(({ metadata }) => metadata.uid !== undefined)
    const definitions = stored.filter(({ kind }) => kind === 'CustomResourceDefinition')
    const missing: MissingObject[] = []
    const rows = stored.flatMap((object) => {
      try {
        // The keys of custom resources depend on their definitions.
        return storables([object, ...definitions], tables).slice(0, 1)
      } catch {
        const message = `Kubernetes ${release} does not serve ${object.apiVersion} ${object.kind}`
        missing.push({ object, message })
        return []
      }
    })
    const cluster = new Cluster({ release, disableAdmissionPlugins: WEBHOOKS }, rows)
    await cluster.begin()
    for (const object of creationOrder(objects))
      if (object.metadata.uid === undefined)
        await cluster.load([object as unknown as ApiObject]).catch((error: unknown) => {
          if (!(error instanceof ApiFailure)) throw error
          missing.push({ object, message: error.message })
        })
    return new Rehearsal(cluster, user, missing)
  }

  /** Creates the object, or replaces the one of that name. */
  async apply(object: KubeObject): Promise<ServerResponse> {
    const created = await this.send('POST', object)
    if (created.reason !== 'AlreadyExists') return this.settledAfter(object, created)
    return this.settledAfter(object, await this.send('PUT', object))
  }

  /**
   * Whether the cluster accepts an object that it has already, in an update and as a new object.
   * Admission and validation of a create precede the check for an existing name.
   */
  async tryAgain(object: KubeObject): Promise<{ update: ServerResponse; create: ServerResponse }> {
    const update = await this.update(object)
    const create = await this.send('POST', object, { dryRun: true })
    const exists = create.reason === 'AlreadyExists'
    return { update, create: exists ? { ...create, code: 200, reason: '', message: '' } : create }
  }

  /** Sends it without storing it. */
  dryRun(object: KubeObject): Promise<ServerResponse> {
    return this.send('POST', object, { dryRun: true })
  }

  close(): Promise<void> {
    return this.server.close()
  }

  /** An update without a change begins from what is stored. */
  private async update(object: KubeObject): Promise<ServerResponse> {
    const { apiVersion, kind, metadata } = object
    const { name = '', namespace } = metadata
    const place = { apiVersion, kind, ...(namespace === undefined ? {} : { namespace }), name }
    const found = await this.server.client.find(place)
    const stored = (found as KubeObject | undefined) ?? object
    return this.send('PUT', stored, { dryRun: true, isStored: true })
  }

  /** Kinds of a new definition are served when the controllers are idle. */
  private async settledAfter(
    object: KubeObject,
    response: ServerResponse,
  ): Promise<ServerResponse> {
    if (object.kind === 'CustomResourceDefinition') await this.server.settled()
    return response
  }

  private async send(
    method: 'POST' | 'PUT',
    object: KubeObject,
    { dryRun = false, isStored = false } = {},
  ): Promise<ServerResponse> {
    let path: string
    try {
      path = await this.pathOf(method, object)
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error
      return responseOfFailure(error)
    }
    const query = `fieldManager=${FIELD_MANAGER}&fieldValidation=Strict${dryRun ? '&dryRun=All' : ''}`
    const response = await this.server.fetch(`${path}?${query}`, {
      method,
      headers: this.headers(),
      body: JSON.stringify(isStored ? object : withoutServerFields(object)),
    })
    return serverResponseOf(response)
  }

  private headers(): Headers {
    const headers = new Headers({ 'content-type': 'application/json' })
    if (this.user === undefined) return headers
    headers.set('impersonate-user', this.user.name)
    for (const group of this.user.groups ?? []) headers.append('impersonate-group', group)
    return headers
  }

  private async pathOf(method: 'POST' | 'PUT', { apiVersion, kind, metadata }: KubeObject) {
    const { root, plural, namespaced } = await this.places.of({ apiVersion, kind })
    const namespace = metadata.namespace ?? 'default'
    if (namespaced) await this.ensureNamespace(namespace)
    const collection = namespaced
      ? `${root}/namespaces/${encodeURIComponent(namespace)}/${plural}`
      : `${root}/${plural}`
    return method === 'POST'
      ? collection
      : `${collection}/${encodeURIComponent(metadata.name ?? '')}`
  }

  /** With its default service account, which no controller creates here. */
  private async ensureNamespace(name: string): Promise<void> {
    if (this.namespaces.has(name)) return
    this.namespaces.add(name)
    const { client } = this.server
    if ((await client.find({ apiVersion: 'v1', kind: 'Namespace', name })) === undefined)
      await client
        .create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
        .catch(ignoreFailure)
    await client
      .create({
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name: 'default', namespace: name },
      })
      .catch(ignoreFailure)
  }
}

/** The request that needs the namespace reports why there is none. */
function ignoreFailure(error: unknown): void {
  if (!(error instanceof ApiFailure)) throw error
}

/** Of another cluster, in an exported object. */
function withoutServerFields(object: KubeObject): KubeObject {
  const { resourceVersion, uid, managedFields, creationTimestamp, generation, ...metadata } =
    object.metadata
  return { ...object, metadata }
}

function responseOfFailure({ code, reason, message }: ApiFailure): ServerResponse {
  return { code, reason, message, causes: [], warnings: [] }
}

async function serverResponseOf(response: Response): Promise<ServerResponse> {
  const warnings = warningsOf(response.headers.get('warning') ?? undefined)
  const content = (await response.json()) as KubeObject
  if (response.ok)
    return { code: response.status, reason: '', message: '', causes: [], warnings, object: content }
  const {
    reason = '',
    message = '',
    details,
  } = content as unknown as {
    reason?: string
    message?: string
    details?: { causes?: StatusCause[] }
  }
  return { code: response.status, reason, message, causes: details?.causes ?? [], warnings }
}

/** In the order in which their dependencies allow; see `creationOrder`. */
export function inCreationOrder(manifests: readonly Manifest[]): Manifest[] {
  const byObject = new Map(manifests.map((manifest) => [manifest.object, manifest]))
  return creationOrder(manifests.map(({ object }) => object)).flatMap(
    (object) => byObject.get(object) ?? [],
  )
}
