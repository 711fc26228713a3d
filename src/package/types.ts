/** The public shape of the package: what a test sees, and nothing of what is inside. */

/** Any object of the API: plain JSON. */
export interface ApiObject {
  apiVersion: string
  kind: string
  metadata?: ApiObjectMeta
  /** `spec`, `status`, `data` and whatever else the kind has. */
  [member: string]: unknown
}

/** The fields of every object. */
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

/** A kind, and where to look for objects of it. */
export interface KindReference {
  /** `v1`, `apps/v1`, `example.com/v1` */
  apiVersion: string
  kind: string
  /** Of kinds that live in namespaces: `default` if left out, except in lists, which then are of all namespaces. */
  namespace?: string
}

/** One object, by name. */
export interface ObjectReference extends KindReference {
  name: string
}

/** Selects objects of a kind. */
export interface ListOptions {
  /** `app=shop,tier!=cache` */
  labelSelector?: string
  /** `metadata.name=web` */
  fieldSelector?: string
}

/** Options of a write. */
export interface WriteOptions {
  /** Nothing is stored: the response has the object that would be. */
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
  /** Creates an object. @returns it as the server stored it */
  create<Kind extends ApiObject>(object: Kind, options?: WriteOptions): Promise<Kind>
  /** Reads an object. */
  get<Kind extends ApiObject = ApiObject>(reference: ObjectReference): Promise<Kind>
  /** Reads an object. @returns undefined where there is none */
  find<Kind extends ApiObject = ApiObject>(reference: ObjectReference): Promise<Kind | undefined>
  /** All objects of a kind: of a namespace, or of all. */
  list<Kind extends ApiObject = ApiObject>(
    reference: KindReference,
    options?: ListOptions,
  ): Promise<Kind[]>
  /** Replaces an object; with a `resourceVersion`, only if it is unchanged since. */
  update<Kind extends ApiObject>(object: Kind, options?: WriteOptions): Promise<Kind>
  /** Replaces the status of an object. */
  updateStatus<Kind extends ApiObject>(object: Kind, options?: WriteOptions): Promise<Kind>
  /** Patches an object: by a merge patch (an object), or a JSON patch (a list of operations). */
  patch<Kind extends ApiObject = ApiObject>(
    reference: ObjectReference,
    patch: object,
    options?: WriteOptions,
  ): Promise<Kind>
  /** Server-side apply; `fieldManager` is `test` if left out, `force` takes fields over from their owners. */
  apply<Kind extends ApiObject>(
    object: Kind,
    options?: WriteOptions & { force?: boolean },
  ): Promise<Kind>
  /** Deletes an object. @returns what is left of it while finalizers wait, or the server's Status */
  delete(
    reference: ObjectReference,
    options?: { gracePeriodSeconds?: number; propagationPolicy?: string },
  ): Promise<ApiObject>
  /** Events from now on, or behind a `resourceVersion`, until the loop is left or the signal aborts. */
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

/** The cluster's time. */
export interface TestClock {
  /** The current time of the cluster. */
  now(): Date
  /** Lets time pass: everything falls due in its order, and controllers do what they have to in between. */
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

/** What the server is like; without any option it has nothing but the API. */
export interface ServerOptions {
  /**
   * The release to serve; the newest, 1.37, if left out. Releases 1.31 to 1.37 have their own
   * rules, types, feature gates and versions; earlier ones have their versions over the rules of
   * 1.31.
   */
  release?: KubernetesRelease
  /** Lines of `token,user,uid,"group1,group2"`, as `--token-auth-file` has them. */
  tokens?: string
  /** `--authorization-mode`: Node and RBAC if left out. */
  authorizationModes?: readonly string[]
  /** Admission plugins to enable in addition to the defaults. */
  enableAdmissionPlugins?: readonly string[]
  /** Admission plugins to disable. */
  disableAdmissionPlugins?: readonly string[]
  /** Feature gates that differ from the release. */
  featureGates?: Readonly<Record<string, boolean>>
  /** `--runtime-config`: `{ 'batch/v1beta1': 'true' }`. */
  runtimeConfig?: Readonly<Record<string, string>>
  /** Controllers that run: `['*']` for all there are; none if left out. */
  controllers?: readonly string[]
  /** Whether the scheduler runs. */
  scheduler?: boolean
  /** The number of simulated nodes. */
  nodes?: number
  /** Names, uids and tokens repeat with the same seed; 1 if left out. */
  seed?: number
  /** Receives internal errors of the server; default: they are dropped. */
  onError?(message: string, cause: unknown): void
}

/** An API server in memory. */
export interface ApiServer {
  /** Handles a request; the host of its URL does not matter. */
  fetch(request: Request): Promise<Response>
  /** Ends open watches and releases all resources. */
  close(): Promise<void>
}

/** `createTestServer` takes these too. */
export interface TestServerOptions extends ServerOptions {
  /** What is there from the start: objects, or YAML with any number of documents. Missing namespaces are made, each with its default service account. */
  objects?: string | readonly ApiObject[]
  /** Where the cluster's time begins; 2026-01-01T00:00:00Z if left out. It moves only by `clock.advance`. */
  begin?: Date
}

/** A cluster for tests. */
export interface TestServer extends ApiServer {
  /** As `fetch` everywhere, with paths of the API: `fetch('/api/v1/pods')`. As the administrator, unless the request has credentials. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  /** The administrator's. */
  readonly client: TestClient
  /** A client of another user, whose permissions come from roles. */
  as(user: TestUser): TestClient
  readonly clock: TestClock
  /** Makes objects, or what is there of their name into them, with their status. @param objects or YAML with any number of documents */
  load(objects: string | readonly ApiObject[]): Promise<void>
  /** Waits until controllers are idle at the current time of the cluster. */
  settled(): Promise<void>
  /** Requests from outside since the start, or the last `reset`; those by which clients find out where a kind is served among them. */
  readonly requests: readonly RecordedRequest[]
  /** Takes a snapshot of the current state. */
  snapshot(): Promise<Snapshot>
  /** Restores a state. Watches end; time and resourceVersions continue. */
  restore(snapshot: Snapshot): Promise<void>
  /** Restores the initial state. */
  reset(): Promise<void>
}

/** The hooks of a test runner such as vitest, jest and node:test. */
export interface TestHooks {
  beforeEach(run: () => Promise<void>): unknown
  afterAll(run: () => Promise<void>): unknown
}
