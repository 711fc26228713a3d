/** A sequence of engines over stores in memory, with snapshots and recorded requests. */
import { SimulatedClock } from '../engine/core/environment'
import { isJsonObject, type Json, type KubeObject } from '../engine/core/object'
import { yamlDocuments } from '../engine/schema/yaml/documents'
import { readYaml } from '../engine/schema/yaml/reader'
import type { ApiServer as Engine } from '../engine/server/server'
import type { Snapshot as StorageContent } from '../engine/storage/backend'
import { createMemoryStorage } from '../engine/storage/memory'
import type { Storage } from '../engine/storage/storage'
import { creationOrder } from '../policy-test/order'
import { ApiFailure } from './api-failure'
import { clientOver, Places } from './client'
import { engineOf } from './engine'
import type {
  ApiObject,
  RecordedRequest,
  Snapshot,
  TestClient,
  TestClock,
  TestServer,
  TestServerOptions,
  TestUser,
} from './types'

/** Unknown outside this process. */
const ADMINISTRATOR = 'administrator-of-this-test'
const ADDRESS = 'http://kubetab.test'

/** Turns of the event loop without work, after which the cluster is idle. */
const QUIET_TURNS = 3
/** In turns of the event loop. */
const MOST_TURNS = 5_000
const MOST_REQUESTS = 10_000

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

interface SnapshotContent {
  revision: number
  changes: { key: string; object: KubeObject; revision: number; createRevision: number }[]
}

export interface StoredRow {
  key: string
  object: KubeObject
}

/** Each row has a revision of its own, as if they had been created one by one. */
function contentOf(rows: readonly StoredRow[]): StorageContent {
  const changes = rows.map(({ key, object }, index) => {
    const revision = index + 1
    const metadata = { ...object.metadata, resourceVersion: String(revision) }
    return { key, object: { ...object, metadata }, revision, createRevision: revision }
  })
  const revision = rows.length
  return { revision, compacted: revision, complete: true, changes, requests: [] }
}

export class Cluster implements TestServer {
  private engine!: Engine
  private storage!: Storage
  private busy = false
  private beginning: Snapshot | undefined
  private readonly time: SimulatedClock
  private readonly entries = new WeakMap<Snapshot, SnapshotContent>()
  private readonly places = new Places((path, init) => this.fetch(path, init))
  private recordRequest: RecordedRequest[] = []
  readonly client: TestClient
  readonly clock: TestClock

  /** @param rows the stored objects of another cluster; the server adds its own to them */
  constructor(
    private readonly options: TestServerOptions,
    rows: readonly StoredRow[] = [],
  ) {
    this.time = new SimulatedClock(options.begin?.getTime())
    this.client = clientOver((path, init) => this.fetch(path, init), this.places)
    this.clock = {
      now: () => new Date(this.time.now()),
      advance: (milliseconds) => this.advance(milliseconds),
    }
    this.start(createMemoryStorage(rows.length === 0 ? {} : { initial: contentOf(rows) }))
  }

  async begin(): Promise<void> {
    await this.ensureNamespace('default')
    if (this.options.objects !== undefined) await this.load(this.options.objects)
    await this.settled()
    this.beginning = await this.snapshot()
    this.recordRequest = []
  }

  get requests(): readonly RecordedRequest[] {
    return this.recordRequest
  }

  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const address = typeof input === 'string' && input.startsWith('/') ? ADDRESS + input : input
    const request = new Request(address, init)
    if (!request.headers.has('authorization'))
      request.headers.set('authorization', `Bearer ${ADMINISTRATOR}`)
    return this.engine.fetch(request)
  }

  as({ name, groups = [] }: TestUser): TestClient {
    return clientOver((path, init) => {
      const headers = new Headers(init?.headers)
      headers.set('impersonate-user', name)
      for (const group of groups) headers.append('impersonate-group', group)
      return this.fetch(path, { ...init, headers })
    }, this.places)
  }

  async load(objects: string | readonly ApiObject[]): Promise<void> {
    const given = typeof objects === 'string' ? documentsIn(objects) : objects
    for (const object of creationOrder(given as readonly KubeObject[]))
      await this.put(object as unknown as ApiObject)
  }

  async settled(): Promise<void> {
    let quiet = 0
    for (let turns = 0; quiet < QUIET_TURNS && turns < MOST_TURNS; turns++) {
      const before = this.storage.currentRevision()
      await turn()
      quiet = !this.busy && this.storage.currentRevision() === before ? quiet + 1 : 0
    }
  }

  async snapshot(): Promise<Snapshot> {
    await this.engine.ready()
    const { revision, items } = await this.storage.range('/registry/')
    // Includes the server's own keys, so that issued tokens stay valid.
    const own = await this.storage.range('/kubetab/')
    const changes = [...items, ...own.items].map(({ key, object, revision, createRevision }) => ({
      key,
      object,
      revision,
      createRevision,
    }))
    changes.sort((a, b) => a.revision - b.revision)
    // Copies stored objects, so that a test may change them.
    const snapshot = {
      objects: items.map(({ object }) => structuredClone(object) as unknown as ApiObject),
    }
    this.entries.set(snapshot, { revision, changes })
    return snapshot
  }

  async restore(snapshot: Snapshot): Promise<void> {
    const kept = this.entries.get(snapshot)
    if (kept === undefined)
      throw new Error(
        'a snapshot is restored by the server that made it; load(objects) takes objects of any other',
      )
    const revision = Math.max(kept.revision, this.storage.currentRevision())
    await this.engine.close()
    this.start(
      createMemoryStorage({
        initial: { ...kept, revision, compacted: revision, complete: true, requests: [] },
      }),
    )
    await this.engine.ready()
  }

  async reset(): Promise<void> {
    if (this.beginning !== undefined) await this.restore(this.beginning)
    await this.settled()
    this.recordRequest = []
  }

  close(): Promise<void> {
    return this.engine.close()
  }

  private start(storage: Storage): void {
    const { tokens = '', ...options } = this.options
    this.storage = storage
    this.busy = false
    const working = (busy: boolean) => {
      this.busy = busy
    }
    this.engine = engineOf(
      { ...options, tokens: `${ADMINISTRATOR},kubernetes-admin,,"system:masters"\n${tokens}` },
      { clock: this.time, storage, working },
    )
    this.engine.onTrace((trace) => {
      if (trace.inside || this.recordRequest.length >= MOST_REQUESTS) return
      this.recordRequest.push({
        method: trace.method,
        path: trace.target,
        user: trace.user?.name ?? '',
        status: trace.status,
      })
    })
  }

  private async advance(milliseconds: number): Promise<void> {
    const end = this.time.now() + milliseconds
    await this.settled()
    for (
      let due = this.time.nextDue();
      due !== undefined && due <= end;
      due = this.time.nextDue()
    ) {
      this.time.advance(Math.max(0, due - this.time.now()))
      await this.settled()
    }
    this.time.advance(Math.max(0, end - this.time.now()))
    await this.settled()
  }

  /** The object may come from another server. */
  private async put(object: ApiObject): Promise<void> {
    const {
      resourceVersion: _version,
      uid: _uid,
      managedFields: _managers,
      ...metadata
    } = object.metadata ?? {}
    const wanted: ApiObject = { ...object, metadata }
    const { namespaced } = await this.places.of(wanted)
    if (namespaced) await this.ensureNamespace(metadata.namespace ?? 'default')
    try {
      await this.client.create(wanted)
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.reason !== 'AlreadyExists') throw error
      await this.client.update(wanted)
    }
    if (wanted.status !== undefined && metadata.name !== undefined) await this.putStatus(wanted)
    if (wanted.kind === 'CustomResourceDefinition') await this.settled()
  }

  private async putStatus(wanted: ApiObject): Promise<void> {
    try {
      await this.client.updateStatus(wanted)
    } catch (error) {
      // Without a status subresource, the status was already written with the object.
      if (!(error instanceof ApiFailure) || error.code !== 404) throw error
    }
  }

  /** Also the default service account, since a test may run no controllers. */
  private async ensureNamespace(name: string): Promise<void> {
    await this.ensure({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
    await this.ensure({
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'default', namespace: name },
    })
  }

  private async ensure(object: ApiObject): Promise<void> {
    try {
      await this.client.create(object)
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.reason !== 'AlreadyExists') throw error
    }
  }
}

/** @throws Error naming the YAML document that cannot be parsed */
function documentsIn(text: string): ApiObject[] {
  const objects: ApiObject[] = []
  for (const [index, document] of yamlDocuments(text).entries()) {
    const value = readDocument(document, index + 1)
    if (value === null) continue
    if (
      !isJsonObject(value) ||
      typeof value.apiVersion !== 'string' ||
      typeof value.kind !== 'string'
    )
      throw new Error(`document ${index + 1} is not an object: apiVersion and kind are required`)
    objects.push(value as ApiObject)
  }
  return objects
}

function readDocument(document: string, number: number): Json {
  try {
    return readYaml(document).value
  } catch (error) {
    throw new Error(`document ${number}: ${(error as Error).message}`)
  }
}
