/**
 * What must be in the store, as a naive model: after a request that changed something what it speaks of is read again; every
 * other object must be as it was.
 */
import type { JsonObject } from '../../src/engine/core/object'
import { type FuzzRequest, NAMESPACE } from './corpus'
import { type FuzzedServer, send } from './server'

/** Collections that the model keeps: of many kinds, and none that the server itself writes while others are written. */
const COLLECTIONS = [
  `/api/v1/namespaces/${NAMESPACE}/configmaps`,
  `/api/v1/namespaces/${NAMESPACE}/secrets`,
  `/api/v1/namespaces/${NAMESPACE}/pods`,
  `/api/v1/namespaces/${NAMESPACE}/services`,
  `/api/v1/namespaces/${NAMESPACE}/serviceaccounts`,
  `/apis/apps/v1/namespaces/${NAMESPACE}/deployments`,
  `/apis/batch/v1/namespaces/${NAMESPACE}/jobs`,
  `/apis/coordination.k8s.io/v1/namespaces/${NAMESPACE}/leases`,
  `/apis/rbac.authorization.k8s.io/v1/namespaces/${NAMESPACE}/roles`,
  '/apis/storage.k8s.io/v1/storageclasses',
  '/api/v1/persistentvolumes',
]

const JSON_ONLY = { accept: 'application/json' }

async function read(fuzzed: FuzzedServer, target: string): Promise<JsonObject> {
  const { status, body } = await send(fuzzed, {
    method: 'GET',
    target,
    headers: JSON_ONLY,
    body: undefined,
  })
  if (status !== 200)
    throw new Error(`GET ${target} returns ${status}: ${new TextDecoder().decode(body)}`)
  return JSON.parse(new TextDecoder().decode(body)) as JsonObject
}

interface Item extends JsonObject {
  metadata: { name: string; namespace?: string; resourceVersion: string }
}

/** Texts of a collection's objects by name. */
async function listed(fuzzed: FuzzedServer, collection: string): Promise<Map<string, string>> {
  const { items } = (await read(fuzzed, collection)) as unknown as { items: Item[] }
  return new Map(items.map((item) => [item.metadata.name, JSON.stringify(item)]))
}

/** The body of a DELETE takes the place of all parameters. */
const bringsOptions = ({ method, body }: FuzzRequest): boolean =>
  method === 'DELETE' && body !== undefined && body.length > 0

/** What was written cannot always be shown in the form that was requested (recorded: wire-negotiation, "accept-on-writes"). */
const wasWritten = (status: number): boolean => status < 300 || status === 406

export class StoreModel {
  private readonly collections = new Map<string, Map<string, string>>()

  constructor(private readonly fuzzed: FuzzedServer) {}

  /** Notes what is there before anything is sent. */
  async begin(): Promise<void> {
    for (const collection of COLLECTIONS)
      this.collections.set(collection, await listed(this.fuzzed, collection))
  }

  /** @returns what changed although nothing should have changed it; undefined if nothing did */
  async after(request: FuzzRequest, status: number): Promise<string | undefined> {
    const wrote = wasWritten(status) && !['GET', 'HEAD', 'OPTIONS'].includes(request.method)
    const path = decoded(request.target.split('?')[0] ?? '')
    const dryRun = /[?&]dryRun=All/.test(request.target) && !bringsOptions(request)
    for (const collection of COLLECTIONS) {
      const before = this.collections.get(collection) as Map<string, string>
      const now = await listed(this.fuzzed, collection)
      if (!wrote || dryRun || !mayTouch(path, collection)) {
        const problem = difference(collection, before, now)
        if (problem !== undefined)
          return `${request.method} ${request.target} (${status}) changed the store: ${problem}`
      }
      this.collections.set(collection, now)
    }
    return undefined
  }

  /** @returns where the list of a collection and the reading of its objects one by one differ */
  async end(): Promise<string | undefined> {
    for (const [collection, items] of this.collections) {
      for (const [name, text] of items) {
        const {
          kind: _kind,
          apiVersion: _apiVersion,
          ...single
        } = await read(this.fuzzed, `${collection}/${encodeURIComponent(name)}`)
        if (JSON.stringify(single) !== text)
          return `${collection}/${name}: listed as ${text}, read as ${JSON.stringify(single)}`
      }
    }
    return undefined
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Resources that write another resource: a binding is stored as a change of its pod. */
const WRITES: Readonly<Record<string, string>> = { bindings: 'pods' }

/** A write changes objects of its own resource in any version; one to a namespace may take everything in it away. */
function mayTouch(path: string, collection: string): boolean {
  const plural = collection.split('/').at(-1) as string
  const segments = path.split('/').filter((segment) => segment !== '')
  const inNamespace = segments.indexOf('namespaces')
  const concernsNamespaceItself =
    inNamespace >= 0 &&
    (segments.length <= inNamespace + 2 ||
      ['status', 'finalize'].includes(segments[inNamespace + 2] ?? ''))
  return (
    concernsNamespaceItself ||
    segments.some((segment) => segment === plural || WRITES[segment] === plural)
  )
}

function difference(
  collection: string,
  before: Map<string, string>,
  now: Map<string, string>,
): string | undefined {
  for (const [name, text] of before) {
    if (now.get(name) !== text)
      return `${collection}/${name} was ${text} and is ${now.get(name) ?? 'gone'}`
  }
  for (const name of now.keys()) if (!before.has(name)) return `${collection}/${name} appeared`
  return undefined
}
