/**
 * Sorts requests by flow schema: the first in order of precedence, then name, that is about who asks and about what is asked for
 * (public documentation, "API Priority and Fairness"). Nothing waits here; clients and metrics are told how a request was sorted.
 *
 * Every request passes here, so for each user only the schemas that may concern him are kept, up to the first that takes everything;
 * usually it is the only one. Otherwise the answer is remembered by what was asked for.
 */
import type { UserInfo } from '../authentication/authenticator'
import { LiveObjects } from '../storage/live-objects'
import type { Storage } from '../storage/storage'
import {
  type Asked,
  coversAllPaths,
  coversAllResources,
  coversPath,
  coversResource,
  type FlowSchema,
  inOrder,
  isAbout,
  levelOf,
} from './flow-schema'
import type { PriorityLevel } from './limits'
import { Load } from './load'
import { isLongRunning } from './long-running'
import { CATCH_ALL, EXEMPT, mandatorySpec } from './mandatory'

const SCHEMAS = '/registry/flowschemas/'
const LEVELS = '/registry/prioritylevelconfigurations/'

/** Requests so far, and those that are being answered. */
export interface Tally {
  level: string
  schema: string
  dispatched: number
  executing: number
  /** Of the level, over time. */
  load: Load
}

/** How a request was sorted. */
export interface Flow {
  tally: Tally
  /** Uids of flow schema and priority level; empty for a mandatory one that is not stored. */
  schemaUid: string
  levelUid: string
}

/** A flow that a user may end up in, and what must be asked for. */
interface Candidate {
  flow: Flow
  /** undefined: anything. */
  covers: ((asked: Asked) => boolean) | undefined
}

/** What is known of a user: whether he asks for resources or for paths, where he may end up, and where he has. */
interface Prospect {
  candidates: Candidate[]
  known: Map<string, Flow>
}

interface KnownUser {
  groups: readonly string[]
  resources: Prospect
  paths: Prospect
}

/** A schema with the level that it names, in order of matching. */
interface Sorted {
  schema: FlowSchema
  flow: Flow
}

/** So many users, and kinds of requests of each, are kept in mind. */
const REMEMBERED = 1000

/** Requests that last are not sorted, but for watches, of which the beginning is. */
const isSorted = (asked: Asked): boolean => asked.verb === 'watch' || !isLongRunning(asked)

export class Flows {
  private readonly schemas: LiveObjects<FlowSchema>
  private readonly levels: LiveObjects<PriorityLevel>
  private madeOf: { schemas: readonly FlowSchema[]; levels: readonly PriorityLevel[] } | undefined
  private sorted: readonly Sorted[] = []
  private readonly users = new Map<string, KnownUser>()
  private readonly tallies = new Map<string, Tally>()
  private readonly loadByLevel = new Map<string, Load>()

  /** @param stopwatch milliseconds from any start */
  constructor(
    storage: Storage,
    private readonly stopwatch: () => number,
  ) {
    this.schemas = new LiveObjects(storage, SCHEMAS, (object) => object as FlowSchema)
    this.levels = new LiveObjects(storage, LEVELS, (object) => object as PriorityLevel)
  }

  /**
   * @returns undefined for requests that are not sorted, and where the store cannot be read: a server that is asked how it is must
   * answer all the same. At once, but for the first time after the store was loaded
   */
  flowOf(asked: Asked, user: UserInfo): Flow | undefined | Promise<Flow | undefined> {
    if (!isSorted(asked)) return undefined
    const schemas = this.schemas.all()
    const levels = this.levels.all()
    if (schemas instanceof Promise || levels instanceof Promise) {
      const again = () => this.flowOf(asked, user)
      return Promise.all([schemas, levels]).then(again, () => undefined)
    }
    if (this.madeOf?.schemas !== schemas || this.madeOf.levels !== levels)
      this.sort(schemas, levels)
    const known = this.userOf(user)
    return chosen(asked.isResource ? known.resources : known.paths, asked)
  }

  /** What has been counted, by priority level and flow schema. */
  counted(): Iterable<Tally> {
    return this.tallies.values()
  }

  /** The priority levels that are stored, by name. */
  storedLevels(): Promise<readonly PriorityLevel[]> | readonly PriorityLevel[] {
    return this.levels.all()
  }

  /** How much each priority level had to do so far. */
  loads(): ReadonlyMap<string, Load> {
    return this.loadByLevel
  }

  /** A schema whose level is not there does not count; mandatory ones do, stored or not. */
  private sort(schemas: readonly FlowSchema[], levels: readonly PriorityLevel[]): void {
    for (const { metadata } of levels) this.loadOf(metadata.name ?? '')
    const levelUids = new Map(
      levels.map(({ metadata }) => [metadata.name ?? '', metadata.uid ?? '']),
    )
    const usable = schemas.filter((schema) => levelUids.has(levelOf(schema))).sort(inOrder)
    const isThere = (name: string) => usable.some(({ metadata }) => metadata.name === name)
    const all = [
      ...(isThere(EXEMPT) ? [] : [unstored(EXEMPT)]),
      ...usable,
      ...(isThere(CATCH_ALL) ? [] : [unstored(CATCH_ALL)]),
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
    if (this.users.size >= REMEMBERED) this.users.clear()
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
    // Whoever is neither known nor unknown is caught as well.
    const last = this.sorted.find(({ schema }) => schema.metadata.name === CATCH_ALL) as Sorted
    return { candidates: [...candidates, { flow: last.flow, covers: undefined }], known: new Map() }
  }
}

/** What some of the rules cover; undefined: anything. */
function coveringSome<OneRule>(
  rules: readonly OneRule[],
  isForAll: (rule: OneRule) => boolean,
  covers: (rule: OneRule, asked: Asked) => boolean,
): Candidate['covers'] | 'nothing' {
  if (rules.length === 0) return 'nothing'
  return rules.some(isForAll) ? undefined : (asked) => rules.some((rule) => covers(rule, asked))
}

function chosen({ candidates, known }: Prospect, asked: Asked): Flow {
  const [first] = candidates as [Candidate]
  if (first.covers === undefined) return first.flow
  const { isResource, verb, path, group, resource, subresource, namespace } = asked
  const key = isResource
    ? `${verb}/${group}/${resource}/${subresource}/${namespace}`
    : `${verb} ${path}`
  const before = known.get(key)
  if (before !== undefined) return before
  // The last one takes everything.
  const { flow } = candidates.find(
    ({ covers }) => covers === undefined || covers(asked),
  ) as Candidate
  if (known.size >= REMEMBERED) known.clear()
  known.set(key, flow)
  return flow
}

/** A mandatory schema that is not stored counts all the same. */
function unstored(name: string): FlowSchema {
  return {
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    kind: 'FlowSchema',
    metadata: { name },
    spec: mandatorySpec('FlowSchema', name) ?? {},
  }
}

const equal = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((group, i) => group === b[i])
