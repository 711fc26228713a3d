/** The public types of the package. */

/** An API object as plain JSON. */
export interface ApiObject {
  apiVersion: string
  kind: string
  metadata?: ApiObjectMeta
  /** `spec`, `status`, `data` and any other member of the kind. */
  [member: string]: unknown
}

/** The metadata of an object. */
export interface ApiObjectMeta {
  name?: string
  generateName?: string
  namespace?: string
  uid?: string
  resourceVersion?: string
  generation?: number
  creationTimestamp?: string | null
  deletionTimestamp?: string
  labels?: Record<string, string>
  annotations?: Record<string, string>
  finalizers?: string[]
  ownerReferences?: {
    apiVersion: string
    kind: string
    name: string
    uid: string
    controller?: boolean
    blockOwnerDeletion?: boolean
  }[]
  [member: string]: unknown
}

/** A kind, and a namespace for its objects. */
export interface KindReference {
  /** `v1`, `apps/v1`, `example.com/v1` */
  apiVersion: string
  kind: string
  /** For namespaced kinds: `default` if absent. A list without it covers all namespaces. */
  namespace?: string
}

/** An object by name. */
export interface ObjectReference extends KindReference {
  name: string
}

/** Options of a list or watch. */
export interface ListOptions {
  /** `app=shop,tier!=cache` */
  labelSelector?: string
  /** `metadata.name=web` */
  fieldSelector?: string
}

/** Options of a write. */
export interface WriteOptions {
  /** Validates and returns the object without storing it. */
  dryRun?: boolean
  /** The field manager of the written fields. */
  fieldManager?: string
}

/** An event of a watch. */
export interface WatchEvent<Kind extends ApiObject = ApiObject> {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR'
  object: Kind
}

/** Reads and writes objects as one user. Every method throws `ApiFailure` for an error response. */
export interface TestClient {
  /** Creates an object. @returns the stored object */
  create<Kind extends ApiObject>(object: Kind, options?: WriteOptions): Promise<Kind>
  /** Reads an object. */
  get<Kind extends ApiObject = ApiObject>(reference: ObjectReference): Promise<Kind>
  /** Reads an object. @returns undefined if it does not exist */
  find<Kind extends ApiObject = ApiObject>(reference: ObjectReference): Promise<Kind | undefined>
  /** Lists objects of a kind in one namespace, or in all. */
  list<Kind extends ApiObject = ApiObject>(
    reference: KindReference,
    options?: ListOptions,
  ): Promise<Kind[]>
  /** Replaces an object. With a `resourceVersion`, the object must be unchanged since. */
  update<Kind extends ApiObject>(object: Kind, options?: WriteOptions): Promise<Kind>
  /** Replaces the status of an object. */
  updateStatus<Kind extends ApiObject>(object: Kind, options?: WriteOptions): Promise<Kind>
  /** Patches an object: with a merge patch (an object) or a JSON patch (a list of operations). */
  patch<Kind extends ApiObject = ApiObject>(
    reference: ObjectReference,
    patch: object,
    options?: WriteOptions,
  ): Promise<Kind>
  /**
   * Server-side apply. `fieldManager` is `test` if absent; `force` takes fields over from other
   * managers.
   */
  apply<Kind extends ApiObject>(
    object: Kind,
    options?: WriteOptions & { force?: boolean },
  ): Promise<Kind>
  /** Deletes an object. @returns the object while finalizers remain, otherwise a Status */
  delete(
    reference: ObjectReference,
    options?: { gracePeriodSeconds?: number; propagationPolicy?: string },
  ): Promise<ApiObject>
  /**
   * Watches from now on, or from a `resourceVersion`. Ends when the loop ends or the signal aborts.
   */
  watch<Kind extends ApiObject = ApiObject>(
    reference: KindReference & { name?: string },
    options?: ListOptions & { resourceVersion?: string; signal?: AbortSignal },
  ): AsyncIterable<WatchEvent<Kind>>
}

/** An authenticated user. */
export interface TestUser {
  name: string
  groups?: readonly string[]
}

/** The clock of the cluster. */
export interface TestClock {
  now(): Date
  /** Advances the clock, running timers at their exact times and controllers in between. */
  advance(milliseconds: number): Promise<void>
}

/** A request that the server has handled. */
export interface RecordedRequest {
  method: string
  /** Path and query. */
  path: string
  user: string
  status: number
}

/** A snapshot of a cluster's state. */
export interface Snapshot {
  /** All stored objects. */
  readonly objects: readonly ApiObject[]
}

/** A Kubernetes release that the server can serve. */
export type KubernetesRelease =
  | '1.15'
  | '1.16'
  | '1.17'
  | '1.18'
  | '1.19'
  | '1.20'
  | '1.21'
  | '1.22'
  | '1.23'
  | '1.24'
  | '1.25'
  | '1.26'
  | '1.27'
  | '1.28'
  | '1.29'
  | '1.30'
  | '1.31'
  | '1.32'
  | '1.33'
  | '1.34'
  | '1.35'
  | '1.36'
  | '1.37'

/** Options of a server. By default it runs no controllers, scheduler or nodes. */
export interface ServerOptions {
  /**
   * The Kubernetes release; the newest, 1.37, if absent. Releases 1.31 to 1.37 have their own rules,
   * types, feature gates and versions. Earlier releases have their versions with the rules of 1.31.
   */
  release?: KubernetesRelease
  /** The release whose feature gates and APIs the server has: `--emulated-version`. */
  emulatedVersion?: string
  /**
   * The oldest release that another API server of the cluster runs: `--min-compatibility-version`.
   */
  minCompatibilityVersion?: string
  /** Lines of `token,user,uid,"group1,group2"`, as in a `--token-auth-file`. */
  tokens?: string
  /** `--authorization-mode`; Node and RBAC if absent. */
  authorizationModes?: readonly string[]
  /** Admission plugins to enable in addition to the defaults. */
  enableAdmissionPlugins?: readonly string[]
  /** Admission plugins to disable. */
  disableAdmissionPlugins?: readonly string[]
  /** Feature gates that differ from the defaults of the release. */
  featureGates?: Readonly<Record<string, boolean>>
  /** `--runtime-config`: `{ 'batch/v1beta1': 'true' }`. */
  runtimeConfig?: Readonly<Record<string, string>>
  /** Controllers to run, `['*']` for all; none if absent. */
  controllers?: readonly string[]
  /** Whether to run the scheduler; false if absent. */
  scheduler?: boolean
  /** The number of simulated nodes. */
  nodes?: number
  /** The seed of names, uids and tokens, which are equal for equal seeds; 1 if absent. */
  seed?: number
  /** Receives internal errors of the server; they are dropped if absent. */
  onError?(message: string, cause: unknown): void
}

/** An API server in memory. */
export interface ApiServer {
  /** Handles a request. The host of its URL is ignored. */
  fetch(request: Request): Promise<Response>
  /** Ends open watches and releases all resources. */
  close(): Promise<void>
}

/** Options of `createTestServer`. */
export interface TestServerOptions extends ServerOptions {
  /**
   * Initial objects, or YAML with any number of documents. Missing namespaces are created, each
   * with its default service account.
   */
  objects?: string | readonly ApiObject[]
  /** The initial cluster time, 2026-01-01T00:00:00Z if absent. Only `clock.advance` changes it. */
  begin?: Date
}

/** A cluster for tests. */
export interface TestServer extends ApiServer {
  /**
   * Like the global `fetch`, also with a path of the API: `fetch('/api/v1/pods')`. The user is the
   * administrator, unless the request has credentials.
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  /** A client of the administrator. */
  readonly client: TestClient
  /** A client of another user, whose permissions come from RBAC. */
  as(user: TestUser): TestClient
  readonly clock: TestClock
  /**
   * Creates or replaces objects, including their status. @param objects or YAML with any number of
   * documents
   */
  load(objects: string | readonly ApiObject[]): Promise<void>
  /** Waits until controllers are idle at the current time of the cluster. */
  settled(): Promise<void>
  /** Requests since the start or the last `reset`, including the discovery requests of clients. */
  readonly requests: readonly RecordedRequest[]
  snapshot(): Promise<Snapshot>
  /** Restores a state. Watches end; time and resourceVersions continue. */
  restore(snapshot: Snapshot): Promise<void>
  /** Restores the initial state. */
  reset(): Promise<void>
}

/** Hooks of a test runner such as vitest, jest or node:test. */
export interface TestHooks {
  beforeEach(run: () => Promise<void>): unknown
  afterAll(run: () => Promise<void>): unknown
}
