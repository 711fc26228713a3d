/**
 * The behavior of simulated containers, which run no real program. It is YAML in an annotation of a
 * pod (SIMULATION.behavior) or in a ConfigMap (BEHAVIORS_NAME) of its namespace or of kube-system.
 * The first behavior that matches a container applies, in this order of sources.
 *
 *     - image: shop/api*            # or container: api; neither: every container
 *       startsAfter: 3              # seconds until it runs; 1 if absent
 *       readyAfter: 5               # seconds until it is ready, or never; absent: readiness probe
 *       exit: {after: 10, code: 1, times: 2}   # exits 10 s after the start of the first two runs
 *       stopsAfter: 20              # seconds that termination takes
 *       pull: fails                 # the image cannot be pulled
 *       log:
 *       - listening on :8080        # logged at the start
 *       - {after: 2, text: ready}
 *       - {every: 10, text: 'GET /health 200 ({n})'}
 *       exec:
 *       - {command: cat /etc/release, output: v2.1}
 *       - {command: check *, error: cannot connect, code: 3}
 */
import { SIMULATION } from '../core/names'
import { entryOf, type Json, type JsonObject } from '../core/object'
import { readYaml } from '../schema/yaml/reader'

export interface Behavior {
  container?: string
  /** A pattern with `*` for any text. A pattern without a tag matches every tag. */
  image?: string
  startsAfter?: number
  readyAfter?: number | 'never'
  exit?: { after: number; code: number; times?: number }
  stopsAfter?: number
  pull?: 'fails'
  log?: LogEntry[]
  exec?: ExecOutput[]
}

/** One log entry: written once, or repeatedly with `every`. */
export interface LogEntry {
  /**
   * `{n}` is the count of the repetition; `{pod}`, `{container}`, `{image}` and `{node}` are names.
   */
  text: string
  after?: number
  every?: number
}

/** The scripted result of a command. */
export interface ExecOutput {
  /** A pattern with `*` for any text. */
  command: string
  output?: string
  error?: string
  code?: number
}

/** The ConfigMap of behaviors; each of its values is a list. */
const BEHAVIORS_NAME = 'simulated-behaviors'
/** Names of the ConfigMap. Stored clusters and links have the second one. cspell:ignore behaviours */
export const BEHAVIORS_NAMES: readonly string[] = [BEHAVIORS_NAME, 'simulated-behaviours']
/** Stored clusters and links have the annotation with this name. cspell:ignore behaviour */
const EARLIER_ANNOTATION = 'simulation.kubetab/behaviour'

/** The behaviors that a pod's annotation describes, as YAML. */
export const annotatedBehavior = (
  annotations: Readonly<Record<string, string>> | undefined,
): string | undefined => annotations?.[SIMULATION.behavior] ?? annotations?.[EARLIER_ANNOTATION]
/** The namespace of behaviors for every namespace. */
export const BEHAVIORS_NAMESPACE = 'kube-system'

/** Behaviors that image tags select. */
const BY_TAG: readonly Behavior[] = [
  { image: '*:missing', pull: 'fails' },
  { image: '*:crashes', exit: { after: 2, code: 1 }, log: [{ text: 'panic: made to crash' }] },
  { image: '*:never-ready', readyAfter: 'never' },
]

class BehaviorError extends Error {}

type Check = (value: Json) => boolean

const isText: Check = (value) => typeof value === 'string'
const isSeconds: Check = (value) => typeof value === 'number' && value >= 0
const isWhole: Check = (value) => Number.isInteger(value)
const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const LOG_LINE: Record<string, Check> = {
  text: isText,
  after: isSeconds,
  every: (value) => typeof value === 'number' && value > 0,
}
const EXEC_OUTPUT: Record<string, Check> = {
  command: isText,
  output: isText,
  error: isText,
  code: isWhole,
}
const EXIT: Record<string, Check> = { after: isSeconds, code: isWhole, times: isWhole }

const MEMBERS: Record<string, Check> = {
  container: isText,
  image: isText,
  startsAfter: isSeconds,
  readyAfter: (value) => value === 'never' || isSeconds(value),
  stopsAfter: isSeconds,
  pull: (value) => value === 'fails',
  exit: (value) => hasOnly(value, EXIT, ['after']),
  log: (value) =>
    Array.isArray(value) && value.every((one) => isText(one) || hasOnly(one, LOG_LINE, ['text'])),
  exec: (value) =>
    Array.isArray(value) && value.every((one) => hasOnly(one, EXEC_OUTPUT, ['command'])),
}

function hasOnly(value: Json, members: Record<string, Check>, needed: readonly string[]): boolean {
  if (!isObject(value) || needed.some((name) => !Object.hasOwn(value, name))) return false
  return Object.entries(value).every(
    ([name, member]) => entryOf(members, name)?.(member as Json) === true,
  )
}

/**
 * @param text YAML: one behavior, or a list of them
 * @throws BehaviorError naming the invalid member
 */
function parseBehaviors(text: string): Behavior[] {
  let value: Json
  try {
    value = readYaml(text).value as Json
  } catch (error) {
    throw new BehaviorError(error instanceof Error ? error.message : String(error))
  }
  const list = Array.isArray(value) ? value : [value]
  return list.map((one, index) => {
    if (!isObject(one)) throw new BehaviorError(`behavior ${index}: has to be an object`)
    for (const [name, member] of Object.entries(one)) {
      const check = entryOf(MEMBERS, name)
      if (check === undefined) throw new BehaviorError(`behavior ${index}: ${name}: is not known`)
      if (!check(member as Json))
        throw new BehaviorError(`behavior ${index}: ${name}: cannot be followed`)
    }
    const { log, exit, ...rest } = one
    return {
      ...rest,
      ...(log === undefined
        ? {}
        : {
            log: (log as Json[]).map((line) => (typeof line === 'string' ? { text: line } : line)),
          }),
      ...(exit === undefined ? {} : { exit: { code: 0, ...(exit as JsonObject) } }),
    } as Behavior
  })
}

/** The parse error of a text; undefined if it is valid. */
export function problemIn(text: string): string | undefined {
  try {
    parseBehaviors(text)
    return undefined
  } catch (error) {
    return error instanceof BehaviorError ? error.message : String(error)
  }
}

/** Parsed behaviors by text; invalid texts are empty. */
const read = new Map<string, Behavior[]>()
const CACHE_SIZE = 200

function behaviorsIn(text: string): readonly Behavior[] {
  const known = read.get(text)
  if (known) return known
  let behaviors: Behavior[] = []
  try {
    behaviors = parseBehaviors(text)
  } catch (error) {
    if (!(error instanceof BehaviorError)) throw error
  }
  if (read.size >= CACHE_SIZE) read.clear()
  read.set(text, behaviors)
  return behaviors
}

/** Sources of behaviors, in order of precedence. */
export interface Sources {
  annotation: string | undefined
  /** The data of the ConfigMaps: of the pod's namespace, of kube-system. */
  maps: readonly (Record<string, string> | undefined)[]
}

/** @returns the first behavior that matches the container; an empty one if there is none */
export function behaviorOf(
  container: { name?: string; image?: string },
  { annotation, maps }: Sources,
): Behavior {
  const texts = [annotation, ...maps.flatMap((data) => Object.values(data ?? {}))]
  for (const text of texts) {
    const found =
      text === undefined
        ? undefined
        : behaviorsIn(text).find((behavior) => fits(behavior, container))
    if (found) return found
  }
  return BY_TAG.find((behavior) => fits(behavior, container)) ?? {}
}

function fits(
  behavior: Behavior,
  { name = '', image = '' }: { name?: string; image?: string },
): boolean {
  if (behavior.container !== undefined && behavior.container !== name) return false
  const pattern = behavior.image
  return (
    pattern === undefined ||
    matchesText(pattern, image) ||
    matchesText(pattern, image.replace(/:[^:/]*$/, ''))
  )
}

/** @param pattern with `*` for any text */
export function matchesText(pattern: string, text: string): boolean {
  const parts = pattern.split('*')
  const [first = ''] = parts
  if (parts.length === 1) return text === pattern
  const last = parts.at(-1) ?? ''
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length)
    return false
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at <= text.length - last.length
}
