/**
 * The simulated program of a container, if its command can be interpreted (docs/simulation.md,
 * "Shell scripts").
 */
import { entryOf } from '../core/object'
import { environmentOf, expanded, hostnameOf } from './environment'
import { imageOf } from './images/catalogue'
import { mountsOf } from './mounts'
import type { Reach } from './network/journal'
import type { Seen, SeenContainer, SeenPod, SeenVolume } from './pod'
import { runtimeFiles } from './runtime-files'
import type { Course, Surroundings } from './script/course'
import type { Mount, OutsideChange } from './script/entries'
import { follow } from './script/interpreter'
import type { Identity } from './script/permissions'
import { OutsideSubset } from './script/syntax'
import { listenersOf, type Served } from './servers'
import { DEFAULT_MESSAGE_PATH } from './termination-message'
import { unitsOf } from './usage'
import { contentsOf, type VolumeRevision } from './volume-contents'

/** Images without a program, which run the given command. */
const EMPTY_IMAGE = /(?:^|\/)(?:busybox|alpine|ubuntu|debian)(?:[:@]|$)/
/** Maximum number of runs for which volume contents are tracked. */
const MOST_RUNS = 30
const CACHE_SIZE = 200

/** A container in its pod, as its program sees it. */
export interface ContainerProcess {
  /** A program and its arguments; empty for those of the image. */
  argv: readonly string[]
  surroundings: Surroundings
}

/** The surroundings of an exec command in a container. */
export function execSurroundings(
  inside: ContainerProcess,
  container: Served,
  course: Course | undefined,
): Surroundings {
  return {
    ...inside.surroundings,
    opaque: course === undefined && listenersOf(container) === undefined,
  }
}

/** @param contents contents of volumes that differ from their current sources */
export function processOf(
  pod: SeenPod,
  container: SeenContainer,
  seen: Seen,
  contents?: (volume: SeenVolume) => VolumeRevision | undefined,
): ContainerProcess {
  const environment = environmentOf(pod, container, seen)
  const { image = '', command = [], args = [], securityContext, workingDir } = container
  const known = imageOf(image)
  const words = known?.entrypoint
    ? command.length > 0
      ? [...command, ...args]
      : [...known.entrypoint, ...(args.length > 0 ? args : (known.arguments ?? []))]
    : command.length > 0 || EMPTY_IMAGE.test(image)
      ? [...command, ...args]
      : []
  return {
    argv: words.map((word) => expanded(word, (name) => entryOf(environment, name))),
    surroundings: {
      hostname: hostnameOf(pod),
      environment,
      mounts: mountsOf(
        pod,
        container,
        environment,
        (volume) => contents?.(volume) ?? { contents: contentsOf(pod, container, volume, seen) },
      ),
      root: {
        image: known,
        runtime: runtimeFiles(pod, container, seen),
        messagePath: container.terminationMessagePath || DEFAULT_MESSAGE_PATH,
        readOnly: securityContext?.readOnlyRootFilesystem,
        identity: identityOf(pod, container),
      },
      directory: workingDir || known?.workingDir || '/',
      ...memoryLimitOf(container),
    },
  }
}

function memoryLimitOf({ resources }: SeenContainer): { memoryLimit?: number } {
  const limit = entryOf(resources?.limits, 'memory')
  return limit === undefined ? {} : { memoryLimit: unitsOf('memory', limit) }
}

/** https://kubernetes.io/docs/tasks/configure-pod-container/security-context/ */
function identityOf({ spec }: SeenPod, { securityContext }: SeenContainer): Identity {
  const ofPod = spec?.securityContext
  const { fsGroup, supplementalGroups = [] } = ofPod ?? {}
  return {
    user: securityContext?.runAsUser ?? ofPod?.runAsUser ?? 0,
    group: securityContext?.runAsGroup ?? ofPod?.runAsGroup ?? 0,
    groups: [...supplementalGroups, ...(fsGroup === undefined ? [] : [fsGroup])],
    isPrivileged: securityContext?.privileged ?? false,
    noNewPrivileges: securityContext?.allowPrivilegeEscalation === false,
  }
}

const known = new Map<string, Course | undefined>()

/**
 * @param restarts number of earlier runs whose effects on volumes are not known
 * @param outside changes of files that others make
 * @param reach the network; programs that need it are outside of the subset without
 * @returns undefined if its program cannot be interpreted
 */
export function courseOf(
  { argv, surroundings }: ContainerProcess,
  restarts: number,
  outside: readonly OutsideChange[] = [],
  reach?: Reach,
): Course | undefined {
  if (argv.length === 0) return undefined
  const { mounts, root } = surroundings
  const files = mounts.map(plain)
  const key = JSON.stringify([
    argv,
    surroundings.hostname,
    surroundings.environment,
    files,
    [
      root?.image?.name,
      root?.runtime,
      root?.readOnly,
      surroundings.directory,
      surroundings.memoryLimit,
      root?.identity,
      root?.tokens && [...root.tokens],
    ],
    Math.min(restarts, MOST_RUNS),
    outside.map((change) => ('mount' in change ? [change.at, plain(change.mount)] : change)),
    reach !== undefined,
  ])
  if (known.has(key)) return known.get(key)
  const course = runsOf(argv, { ...surroundings, outside, ...(reach && { reach }) }, restarts)
  if (course?.usesNetwork) return course
  // A program that waits for a token is simulated again.
  if (course === undefined && mounts.some(({ issued }) => issued?.size)) return undefined
  if (known.size >= CACHE_SIZE) known.clear()
  known.set(key, course)
  return course
}

/** A mount as a value that JSON can represent. */
const plain = ({ files, modes, owners, issued, unknown, ...mount }: Mount) => [
  mount,
  ...[files, modes, owners, issued, unknown].map((map) => map && [...map]),
]

/** Each run starts with the volume contents of the previous one. */
function runsOf(
  argv: readonly string[],
  surroundings: Surroundings,
  restarts: number,
): Course | undefined {
  try {
    let course = follow(argv, surroundings)
    // The results of earlier runs in the network are not kept.
    if (course.usesNetwork) return course
    for (let run = 0; run < Math.min(restarts, MOST_RUNS) && course.left.size > 0; run++)
      course = follow(argv, { ...surroundings, left: course.left })
    return course
  } catch (error) {
    if (!(error instanceof OutsideSubset)) throw error
    return undefined
  }
}

/**
 * How a program ends after SIGTERM at the given second, if its script has a trap.
 * @returns seconds until it ends, and its exit code
 */
export function endingOf(
  { argv, surroundings }: ContainerProcess,
  restarts: number,
  terminatedAt: number,
  outside: readonly OutsideChange[] = [],
): { seconds: number; code: number } | undefined {
  if (!argv.some((word) => /\btrap\b/.test(word))) return undefined
  const before = restarts > 0 ? runsOf(argv, surroundings, restarts - 1) : undefined
  const course = runsOf(
    argv,
    { ...surroundings, terminatedAt, outside, ...(before && { left: before.left }) },
    0,
  )
  if (course?.seconds === undefined || course.seconds < terminatedAt) return undefined
  return { seconds: course.seconds - terminatedAt, code: course.code }
}
