import { ApiFailure } from './api-failure'
import type {
  ApiObject,
  ApiObjectMeta,
  KindReference,
  ListOptions,
  ObjectReference,
  TestClient,
  WatchEvent,
  WriteOptions,
} from './types'

export type Fetch = (path: string, init?: RequestInit) => Promise<Response>

interface Place {
  /** `/apis/apps/v1` */
  root: string
  plural: string
  namespaced: boolean
}

const MEDIA_TYPE = {
  json: 'application/json',
  merge: 'application/merge-patch+json',
  jsonPatch: 'application/json-patch+json',
  apply: 'application/apply-patch+yaml',
}

/** Cached discovery; an unknown kind repeats it, since a new definition may serve the kind. */
export class Places {
  private readonly known = new Map<string, Place>()

  constructor(private readonly fetch: Fetch) {}

  /** @throws ApiFailure 404 for a kind that is not served */
  async of({ apiVersion, kind }: Pick<KindReference, 'apiVersion' | 'kind'>): Promise<Place> {
    const key = `${apiVersion} ${kind}`
    const place = this.known.get(key) ?? (await this.discovered(apiVersion, kind))
    if (place === undefined) throw new ApiFailure(404, notServed(apiVersion, kind))
    this.known.set(key, place)
    return place
  }

  private async discovered(apiVersion: string, kind: string): Promise<Place | undefined> {
    const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
    const response = await this.fetch(root, { headers: { accept: MEDIA_TYPE.json } })
    if (!response.ok) return undefined
    const { resources = [] } = (await response.json()) as {
      resources?: { name: string; kind: string; namespaced: boolean }[]
    }
    const found = resources.find(
      (resource) => resource.kind === kind && !resource.name.includes('/'),
    )
    return found && { root, plural: found.name, namespaced: found.namespaced }
  }
}

const notServed = (apiVersion: string, kind: string): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Status',
  status: 'Failure',
  reason: 'NotFound',
  code: 404,
  message: `no matches for kind "${kind}" in version "${apiVersion}"`,
})

/** @param places discovered as the administrator: the user may lack the permission */
export function clientOver(fetch: Fetch, places: Places): TestClient {
  const collection = async (
    { namespace, ...kind }: KindReference,
    everywhere: boolean,
  ): Promise<string> => {
    const { root, plural, namespaced } = await places.of(kind)
    if (!namespaced || (everywhere && namespace === undefined)) return `${root}/${plural}`
    return `${root}/namespaces/${encodeURIComponent(namespace ?? 'default')}/${plural}`
  }
  const item = async (reference: ObjectReference): Promise<string> =>
    `${await collection(reference, false)}/${encodeURIComponent(reference.name)}`
  const send = async <Content>(
    method: string,
    path: string,
    query: Query,
    body?: unknown,
    type = MEDIA_TYPE.json,
  ): Promise<Content> => {
    const content = body === undefined ? {} : { body: JSON.stringify(body) }
    const headers = {
      accept: MEDIA_TYPE.json,
      ...(body === undefined ? {} : { 'content-type': type }),
    }
    const response = await fetch(path + queryOf(query), { method, headers, ...content })
    if (!response.ok) throw await failureOf(response)
    return (await response.json()) as Content
  }

  const client: TestClient = {
    create: async (object, options) =>
      send('POST', await collection(placeOf(object), false), writeQuery(options), object),
    get: async (reference) => send('GET', await item(reference), {}),
    async find(reference) {
      try {
        return await client.get(reference)
      } catch (error) {
        if (error instanceof ApiFailure && error.code === 404) return undefined
        throw error
      }
    },
    async list<Kind extends ApiObject>(reference: KindReference, options: ListOptions = {}) {
      const { items } = await send<{ items: Kind[] }>('GET', await collection(reference, true), {
        ...options,
      })
      // Items of a list have no kind and apiVersion.
      return items.map((one) => ({
        ...one,
        apiVersion: reference.apiVersion,
        kind: reference.kind,
      }))
    },
    update: async (object, options) =>
      send('PUT', await item(referenceOf(object)), writeQuery(options), object),
    updateStatus: async (object, options) =>
      send('PUT', `${await item(referenceOf(object))}/status`, writeQuery(options), object),
    patch: async (reference, patch, options) =>
      send(
        'PATCH',
        await item(reference),
        writeQuery(options),
        patch,
        Array.isArray(patch) ? MEDIA_TYPE.jsonPatch : MEDIA_TYPE.merge,
      ),
    apply: async (object, { force = false, fieldManager = 'test', ...options } = {}) =>
      send(
        'PATCH',
        await item(referenceOf(object)),
        { ...writeQuery({ ...options, fieldManager }), ...(force && { force }) },
        object,
        MEDIA_TYPE.apply,
      ),
    delete: async (reference, options = {}) =>
      send('DELETE', await item(reference), { ...options }),
    watch: (reference, options = {}) =>
      watched(fetch, collection(reference, true), reference.name, options),
  }
  return client
}

type Query = Record<string, string | number | boolean | undefined>

function queryOf(query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}

const writeQuery = ({ dryRun = false, fieldManager }: WriteOptions = {}): Query => ({
  ...(dryRun && { dryRun: 'All' }),
  fieldManager,
})

const metadataOf = (object: ApiObject): ApiObjectMeta => object.metadata ?? {}

function placeOf(object: ApiObject): KindReference {
  const { namespace } = metadataOf(object)
  return {
    apiVersion: object.apiVersion,
    kind: object.kind,
    ...(namespace === undefined ? {} : { namespace }),
  }
}

function referenceOf(object: ApiObject): ObjectReference {
  const { name } = metadataOf(object)
  if (name === undefined) throw new TypeError(`${object.kind} without metadata.name`)
  return { ...placeOf(object), name }
}

async function failureOf(response: Response): Promise<ApiFailure> {
  const text = await response.text()
  const status = text.startsWith('{')
    ? (JSON.parse(text) as ApiObject)
    : { apiVersion: 'v1', kind: 'Status', message: text.trim() }
  return new ApiFailure(response.status, status)
}

/** Reading the first line sends the request. */
async function* watched<Kind extends ApiObject>(
  fetch: Fetch,
  path: Promise<string>,
  name: string | undefined,
  { signal, ...options }: ListOptions & { resourceVersion?: string; signal?: AbortSignal },
): AsyncGenerator<WatchEvent<Kind>> {
  const { fieldSelector } = options
  const selectors = [
    ...(fieldSelector ? [fieldSelector] : []),
    ...(name === undefined ? [] : [`metadata.name=${name}`]),
  ]
  const query = queryOf({
    ...options,
    watch: true,
    ...(selectors.length > 0 && { fieldSelector: selectors.join(',') }),
  })
  const response = await fetch((await path) + query, { headers: { accept: MEDIA_TYPE.json } })
  if (!response.ok || response.body === null) throw await failureOf(response)
  const reader = response.body.getReader()
  const stop = () => void reader.cancel().catch(() => undefined)
  signal?.addEventListener('abort', stop, { once: true })
  const decoder = new TextDecoder()
  let rest = ''
  try {
    while (!signal?.aborted) {
      const { done, value } = await reader.read()
      if (done) return
      const lines = (rest + decoder.decode(value, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) yield JSON.parse(line) as WatchEvent<Kind>
    }
  } finally {
    stop()
    signal?.removeEventListener('abort', stop)
  }
}
