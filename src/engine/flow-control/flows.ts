/**
 * Classifies requests for clients and metrics (kubernetes.io, "API Priority and Fairness"); none is
 * queued. Caches each user's candidates.
 */
import type { UserInfo } from '../authentication/authenticator'
import type { ReleaseTables } from '../release-tables/tables'
import { LiveObjects } from '../storage/live-objects'
import type { Storage } from '../storage/storage'
import {
  coversAllPaths,
  coversAllResources,
  coversPath,
  coversResource,
  type FlowSchema,
  inOrder,
  isAbout,
  levelOf,
  type RequestInfo,
} from './flow-schema'
import type { PriorityLevel } from './limits'
import { Load } from './load'
import { isLongRunning } from './long-running'
import { CATCH_ALL, EXEMPT, mandatorySpec } from './mandatory'

const SCHEMAS = '/registry/flowschemas/'
const LEVELS = '/registry/prioritylevelconfigurations/'

export interface Tally {
  level: string
  schema: string
  dispatched: number
  executing: number
  load: Load
}

export interface Flow {
  tally: Tally
  /** Empty for mandatory objects that are not stored. */
  schemaUid: string
  levelUid: string
}

interface Candidate {
  flow: Flow
  /** undefined: every request. */
  covers: ((info: RequestInfo) => boolean) | undefined
}

/** One each for resource and non-resource requests. */
interface Prospect {
  candidates: Candidate[]
  known: Map<string, Flow>
}

interface KnownUser {
  groups: readonly string[]
  resources: Prospect
  paths: Prospect
}

interface Sorted {
  schema: FlowSchema
  flow: Flow
}

const MAX_CACHED = 1000

/** Of long-running requests only watches are classified. */
const isSorted = (info: RequestInfo): boolean => info.verb === 'watch' || !isLongRunning(info)

export class Flows {
  private readonly schemas: LiveObjects<FlowSchema>
  private readonly levels: LiveObjects<PriorityLevel>
  private madeOf: { schemas: readonly FlowSchema[]; levels: readonly PriorityLevel[] } | undefined
  private sorted: readonly Sorted[] = []
  private readonly users = new Map<string, KnownUser>()
  private readonly tallies = new Map<string, Tally>()
  private readonly loadByLevel = new Map<string, Load>()

  constructor(
    storage: Storage,
    private readonly stopwatch: () => number,
    private readonly tables?: ReleaseTables,
  ) {
    this.schemas = new LiveObjects(storage, SCHEMAS, (object) => object as FlowSchema)
    this.levels = new LiveObjects(storage, LEVELS, (object) => object as PriorityLevel)
  }

  /**
   * undefined while storage cannot be read: health checks must still respond. Synchronous once
   * loaded.
   */
  flowOf(info: RequestInfo, user: UserInfo): Flow | undefined | Promise<Flow | undefined> {
    if (!isSorted(info)) return undefined
    const schemas = this.schemas.all()
    const levels = this.levels.all()
    if (schemas instanceof Promise || levels instanceof Promise) {
      const again = () => this.flowOf(info, user)
      return Promise.all([schemas, levels]).then(again, () => undefined)
    }
    if (this.madeOf?.schemas !== schemas || this.madeOf.levels !== levels)
      this.sort(schemas, levels)
    const known = this.userOf(user)
    return chosen(info.isResource ? known.resources : known.paths, info)
  }

  counted(): Iterable<Tally> {
    return this.tallies.values()
  }

  storedLevels(): Promise<readonly PriorityLevel[]> | readonly PriorityLevel[] {
    return this.levels.all()
  }

  loads(): ReadonlyMap<string, Load> {
    return this.loadByLevel
  }

  /** Mandatory schemas apply even if not stored. */
  private sort(schemas: readonly FlowSchema[], levels: readonly PriorityLevel[]): void {
    for (const { metadata } of levels) this.loadOf(metadata.name ?? '')
    const levelUids = new Map(
      levels.map(({ metadata }) => [metadata.name ?? '', metadata.uid ?? '']),
    )
    const usable = schemas.filter((schema) => levelUids.has(levelOf(schema))).sort(inOrder)
    const isThere = (name: string) => usable.some(({ metadata }) => metadata.name === name)
    const all = [
      ...(isThere(EXEMPT) ? [] : [unstored(EXEMPT, this.tables)]),
      ...usable,
      ...(isThere(CATCH_ALL) ? [] : [unstored(CATCH_ALL, this.tables)]),
    ]
    this.sorted = all.map((schema) => {
      const level = levelOf(schema)
      const tally = this.tallyOf(level, schema.metadata.name ?? '')
      return {
        schema,
        flow: { tally, schemaUid: schema.metadata.uid ?? '', levelUid: levelUids.get(level) ?? '' },
      }
    })
    this.users.clear()
    this.madeOf = { schemas, levels }
  }

  private tallyOf(level: string, schema: string): Tally {
    const key = `${level} ${schema}`
    let found = this.tallies.get(key)
    if (found === undefined)
      this.tallies.set(
        key,
        (found = { level, schema, dispatched: 0, executing: 0, load: this.loadOf(level) }),
      )
    return found
  }

  private loadOf(level: string): Load {
    let found = this.loadByLevel.get(level)
    if (found === undefined) this.loadByLevel.set(level, (found = new Load(this.stopwatch())))
    return found
  }

  private userOf({ name, groups }: UserInfo): KnownUser {
    const found = this.users.get(name)
    if (found !== undefined && (found.groups === groups || equal(found.groups, groups)))
      return found
    if (this.users.size >= MAX_CACHED) this.users.clear()
    const user = { name, groups: [...groups] }
    const known = {
      groups: user.groups,
      resources: this.prospect(user, true),
      paths: this.prospect(user, false),
    }
    this.users.set(name, known)
    return known
  }

  private prospect(user: Pick<UserInfo, 'name' | 'groups'>, isResource: boolean): Prospect {
    const candidates: Candidate[] = []
    for (const { schema, flow } of this.sorted) {
      const rules = (schema.spec?.rules ?? []).filter((rule) => isAbout(rule, user))
      const covers = isResource
        ? coveringSome(
            rules.flatMap(({ resourceRules }) => resourceRules ?? []),
            coversAllResources,
            coversResource,
          )
        : coveringSome(
            rules.flatMap(({ nonResourceRules }) => nonResourceRules ?? []),
            coversAllPaths,
            coversPath,
          )
      if (covers === 'nothing') continue
      candidates.push({ flow, covers })
      if (covers === undefined) return { candidates, known: new Map() }
    }
    // catch-all also matches users in neither system:authenticated nor system:unauthenticated.
    const last = this.sorted.find(({ schema }) => schema.metadata.name === CATCH_ALL) as Sorted
    return { candidates: [...candidates, { flow: last.flow, covers: undefined }], known: new Map() }
  }
}

/** undefined: every request. */
function coveringSome<OneRule>(
  rules: readonly OneRule[],
  isForAll: (rule: OneRule) => boolean,
  covers: (rule: OneRule, info: RequestInfo) => boolean,
): Candidate['covers'] | 'nothing' {
  if (rules.length === 0) return 'nothing'
  return rules.some(isForAll) ? undefined : (info) => rules.some((rule) => covers(rule, info))
}

function chosen({ candidates, known }: Prospect, info: RequestInfo): Flow {
  const [first] = candidates as [Candidate]
  if (first.covers === undefined) return first.flow
  const { isResource, verb, path, group, resource, subresource, namespace } = info
  const key = isResource
    ? `${verb}/${group}/${resource}/${subresource}/${namespace}`
    : `${verb} ${path}`
  const before = known.get(key)
  if (before !== undefined) return before
  // The last candidate matches every request.
  const { flow } = candidates.find(
    ({ covers }) => covers === undefined || covers(info),
  ) as Candidate
  if (known.size >= MAX_CACHED) known.clear()
  known.set(key, flow)
  return flow
}

function unstored(name: string, tables?: ReleaseTables): FlowSchema {
  return {
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    kind: 'FlowSchema',
    metadata: { name },
    spec: mandatorySpec('FlowSchema', name, tables) ?? {},
  }
}

const equal = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((group, i) => group === b[i])
