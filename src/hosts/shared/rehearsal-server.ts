/**
 * Validates manifests by dry runs against a temporary engine of a release, with only the namespaces
 * and CRDs they need.
 */
import { type Random, SimulatedClock, seededRandom } from '../../engine/core/environment'
import {
  entryOf,
  isJsonObject,
  type Json,
  type JsonObject,
  type KubeObject,
} from '../../engine/core/object'
import { isStream } from '../../engine/http/messages'
import { loadTables } from '../../engine/release-tables/load-tables'
import type { Release } from '../../engine/releases'
import { type ApiServer, createApiServer } from '../../engine/server/server'
import { createMemoryStorage } from '../../engine/storage/memory'

export interface ServerResponse {
  status: number
  /** The message of the rejection. */
  message?: string
  /** Texts of Warning headers. */
  warnings: string[]
  /** The object as it would be stored. */
  object?: KubeObject
}

export interface RehearsalServer {
  /** A dry run. A kind that is not served is rejected with 404. */
  create(object: KubeObject): Promise<ServerResponse>
  close(): Promise<void>
}

interface Served {
  resource: string
  namespaced: boolean
}

const TOKEN = 'rehearsal'
/** Created without a dry run, because other manifests need them. */
const GROUND = ['Namespace', 'CustomResourceDefinition']
/** Turns of the event loop until a CRD is established. */
const TURNS = 50

/** @param manifests objects that others depend on are created first */
export async function startRehearsal(
  release: Release,
  manifests: readonly KubeObject[],
): Promise<RehearsalServer> {
  const failures: string[] = []
  const chance = new SameChance()
  await loadTables(release)
  const api = createApiServer({
    release,
    clock: new SimulatedClock(),
    random: chance,
    log: {
      error: (message, cause) =>
        failures.push(`${message}: ${cause instanceof Error ? cause.message : String(cause)}`),
    },
    storage: createMemoryStorage(),
    tokens: `${TOKEN},admin,admin,"system:masters"\n`,
    // No controller creates the default ServiceAccount that pods need.
    disableAdmissionPlugins: ['ServiceAccount'],
  })
  const server = new Rehearsal(api, failures, chance)
  await server.prepare(manifests)
  return server
}

/**
 * Restarts the random sequence for every request, so that random names do not differ between
 * releases.
 */
export class SameChance implements Random {
  private current = seededRandom(1)

  begin(): void {
    this.current = seededRandom(1)
  }

  bytes(into: Uint8Array): Uint8Array {
    return this.current.bytes(into)
  }
}

class Rehearsal implements RehearsalServer {
  private readonly served = new Map<string, Promise<Map<string, Served>>>()
  private readonly made = new Map<KubeObject, ServerResponse>()

  constructor(
    private readonly api: ApiServer,
    private readonly failures: readonly string[],
    private readonly chance: SameChance,
  ) {}

  async prepare(manifests: readonly KubeObject[]): Promise<void> {
    const ground = manifests.filter(({ kind }) => GROUND.includes(kind))
    for (const object of ground) this.made.set(object, await this.post(object, ''))
    const named = new Set(manifests.flatMap(({ metadata: { namespace } }) => namespace ?? []))
    for (const name of named)
      await this.post(
        {
          apiVersion: 'v1',
          kind: 'Namespace',
          metadata: { name, resourceVersion: '' },
        } as KubeObject,
        '',
      )
    for (const definition of ground)
      if (definition.kind === 'CustomResourceDefinition') await this.established(definition)
    this.served.clear()
  }

  private async established({ spec }: KubeObject): Promise<void> {
    const { group, names } = isJsonObject(spec) ? spec : {}
    const plural = isJsonObject(names) ? names.plural : undefined
    for (let turn = 0; turn < TURNS; turn++) {
      const { body } = await this.send('GET', `/apis/${String(group)}`)
      const versions = Array.isArray(body.versions) ? body.versions : []
      for (const version of versions) {
        const apiVersion = isJsonObject(version) ? String(version.groupVersion) : ''
        this.served.delete(apiVersion)
        for (const { resource } of (await this.kindsOf(apiVersion)).values())
          if (resource === plural) return
      }
      await new Promise((resolve) => setTimeout(resolve, 0))
    }
  }

  async create(object: KubeObject): Promise<ServerResponse> {
    return this.made.get(object) ?? this.post(object, '&dryRun=All')
  }

  private async post(object: KubeObject, query: string): Promise<ServerResponse> {
    const served = (await this.kindsOf(object.apiVersion)).get(object.kind)
    const path = pathOf(object, served)
    this.chance.begin()
    const { status, warnings, body } = await this.send(
      'POST',
      `${path}?fieldValidation=Warn${query}`,
      object,
    )
    if (this.failures.length > 0) throw new Error(this.failures.join('\n'))
    if (status < 300) return { status, warnings, object: body as unknown as KubeObject }
    const message =
      served === undefined
        ? `no matches for kind "${object.kind}" in version "${object.apiVersion}"`
        : String(body.message)
    return { status, message, warnings }
  }

  private kindsOf(apiVersion: string): Promise<Map<string, Served>> {
    const known = this.served.get(apiVersion)
    if (known) return known
    const discovery = this.send('GET', rootOf(apiVersion)).then(({ body }) => {
      const resources = Array.isArray(body.resources) ? body.resources.filter(isJsonObject) : []
      const whole = resources.filter(({ name }) => !String(name).includes('/'))
      return new Map(
        whole.map(({ name, kind, namespaced }) => [
          String(kind),
          { resource: String(name), namespaced: namespaced === true },
        ]),
      )
    })
    this.served.set(apiVersion, discovery)
    return discovery
  }

  private async send(
    method: string,
    target: string,
    object?: KubeObject,
  ): Promise<{ status: number; warnings: string[]; body: JsonObject }> {
    const bytes =
      object === undefined ? new Uint8Array() : new TextEncoder().encode(JSON.stringify(object))
    const sent: Record<string, string> = {
      authorization: `Bearer ${TOKEN}`,
      accept: 'application/json',
      'user-agent': 'rehearsal',
    }
    if (object !== undefined) sent['content-type'] = 'application/json'
    const { status, headers, body } = await this.api.handle({
      method,
      target,
      header: (name) => entryOf(sent, name),
      headerNames: () => Object.keys(sent),
      body: async () => bytes,
    })
    if (body !== undefined && isStream(body)) throw new Error(`${target} responds with a stream`)
    const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
    return { status, warnings: warningsIn(headers.warning), body: jsonIn(text) }
  }

  close(): Promise<void> {
    return this.api.close()
  }
}

function rootOf(apiVersion: string): string {
  return apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
}

function pathOf({ apiVersion, kind, metadata }: KubeObject, served: Served | undefined): string {
  const namespace = served?.namespaced
    ? `/namespaces/${encodeURIComponent(metadata.namespace ?? 'default')}`
    : ''
  // A kind that is not served has no path; any name returns the server's 404.
  return `${rootOf(apiVersion)}${namespace}/${served?.resource ?? kind.toLowerCase()}`
}

function jsonIn(text: string): JsonObject {
  try {
    const value = JSON.parse(text) as Json
    return isJsonObject(value) ? value : {}
  } catch {
    return { message: text.trim() }
  }
}

/** Parses `299 - "text"` with escapes (RFC 7234, section 5.5). */
function warningsIn(header: string | string[] | undefined): string[] {
  const values = header === undefined ? [] : Array.isArray(header) ? header : [header]
  return values.map((value) => value.replace(/^\d+ \S+ "|"$/g, '').replace(/\\(.)/g, '$1'))
}
