/**
 * The simulated program of a container, if its command can be interpreted (docs/simulation.md,
 * "Shell scripts").
 */
import { entryOf } from '../core/object'
import { environmentOf, expanded, hostnameOf } from './environment'
import { imageOf } from './images/catalogue'
import { mountsOf } from './mounts'
import type { Seen, SeenContainer, SeenPod } from './pod'
import { runtimeFiles } from './runtime-files'
import type { Course, Surroundings } from './script/course'
import type { Changes } from './script/files'
import { follow } from './script/interpreter'
import type { Identity } from './script/permissions'
import { OutsideSubset } from './script/syntax'
import { listenersOf, type Served } from './servers'

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

export function processOf(pod: SeenPod, container: SeenContainer, seen: Seen): ContainerProcess {
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
      mounts: mountsOf(pod, container, environment, seen),
      root: {
        image: known,
        runtime: runtimeFiles(pod, container, seen),
        readOnly: securityContext?.readOnlyRootFilesystem,
        identity: identityOf(pod, container),
      },
      directory: workingDir || known?.workingDir || '/',
    },
  }
}

/** https://kubernetes.io/docs/tasks/configure-pod-container/security-context/ */
function identityOf({ spec }: SeenPod, { securityContext }: SeenContainer): Identity {
  const ofPod = spec?.securityContext
  const { fsGroup, supplementalGroups = [] } = ofPod ?? {}
  return {
    user: securityContext?.runAsUser ?? ofPod?.runAsUser ?? 0,
    group: securityContext?.runAsGroup ?? ofPod?.runAsGroup ?? 0,
    groups: [...supplementalGroups, ...(fsGroup === undefined ? [] : [fsGroup])],
  }
}

const known = new Map<string, Course | undefined>()

/**
 * @param restarts restart count of the container @returns undefined if its program cannot be
 * interpreted
 */
export function courseOf(
  { argv, surroundings }: ContainerProcess,
  restarts: number,
): Course | undefined {
  if (argv.length === 0) return undefined
  const { mounts, root } = surroundings
  const files = mounts.map(({ files: known, modes, unknown, ...mount }) => [
    mount,
    known && [...known],
    modes && [...modes],
    unknown && [...unknown],
  ])
  const key = JSON.stringify([
    argv,
    surroundings.hostname,
    surroundings.environment,
    files,
    [root?.image?.name, root?.runtime, root?.readOnly, surroundings.directory, root?.identity],
    Math.min(restarts, MOST_RUNS),
  ])
  if (known.has(key)) return known.get(key)
  const course = runsOf(argv, surroundings, restarts)
  if (known.size >= CACHE_SIZE) known.clear()
  known.set(key, course)
  return course
}

/** Each run starts with the volume contents of the previous one. */
function runsOf(
  argv: readonly string[],
  surroundings: Surroundings,
  restarts: number,
): Course | undefined {
  try {
    let course = follow(argv, surroundings)
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
): { seconds: number; code: number } | undefined {
  if (!argv.some((word) => /\btrap\b/.test(word))) return undefined
  const before = restarts > 0 ? runsOf(argv, surroundings, restarts - 1) : undefined
  const course = runsOf(
    argv,
    { ...surroundings, terminatedAt, ...(before && { left: before.left }) },
    0,
  )
  if (course?.seconds === undefined || course.seconds < terminatedAt) return undefined
  return { seconds: course.seconds - terminatedAt, code: course.code }
}

/** The files of a container, by seconds since its start. */
export function filesAt({ files }: Course, seconds: number): Changes | undefined {
  return files.findLast(({ at }) => at <= seconds)?.files
}
