import { containersOf, type Pod } from '../../kinds/core/pod-types'
import type { Engine } from '../../registry/engine'
import { storageKey, storageRange } from '../../registry/resource'
import type { LogEntry } from '../../simulation/behavior'
import {
  annotatedBehavior,
  BEHAVIORS_NAMES,
  BEHAVIORS_NAMESPACE,
  type Behavior,
  behaviorOf,
} from '../../simulation/behavior'
import type { Run } from '../../simulation/log-lines'
import {
  type Seen,
  type SeenContainer,
  type SeenPod,
  type SeenService,
  servicesFor,
} from '../../simulation/pod'
import { logEntriesOf, readerIn } from '../../simulation/program'
import type { Surroundings } from '../../simulation/script/course'
import type { Changes } from '../../simulation/script/files'
import type { ExecContext } from '../../simulation/shell'
import { courseOf, execSurroundings, filesAt, processOf } from '../../simulation/simulated-process'

interface Ended {
  startedAt?: string
  finishedAt?: string
}

interface State {
  waiting?: { reason?: string }
  running?: { startedAt?: string }
  terminated?: Ended
}

export interface ContainerStatus {
  name?: string
  state?: State
  lastState?: State
  restartCount?: number
}

interface Status {
  containerStatuses?: ContainerStatus[]
  initContainerStatuses?: ContainerStatus[]
  ephemeralContainerStatuses?: ContainerStatus[]
}

export interface SimulatedContainer {
  name: string
  image: string
  behavior: Behavior
  sayings: readonly LogEntry[]
  surroundings: Surroundings
  files: Changes | undefined
  /** Reads input of attached clients. */
  reader: { command: readonly string[]; tty: boolean; once: boolean } | undefined
  /** Replaces placeholders such as `{pod}` in output. */
  names: Record<string, string>
}

interface ConfigMap {
  data?: Record<string, string>
}

export async function simulatedContainer(
  engine: Engine,
  pod: Pod,
  name: string,
  previous = false,
): Promise<SimulatedContainer> {
  const described =
    containersOf(pod.spec ?? {}, '').find((one) => one.container.name === name)?.container ?? {}
  const container = described as SeenContainer
  const { namespace = '', annotations } = pod.metadata
  const maps = await Promise.all(
    [...new Set([namespace, BEHAVIORS_NAMESPACE])].flatMap((place) =>
      BEHAVIORS_NAMES.map((map) => behaviorsOf(engine, place, map)),
    ),
  )
  const behavior = behaviorOf(container, {
    annotation: annotatedBehavior(annotations),
    maps,
  })
  const { image = '' } = container
  const inside = processOf(pod as SeenPod, container, await seenBy(engine, pod))
  const status = statusOf(pod, name)
  const course = courseOf(inside, Math.max(0, (status?.restartCount ?? 0) - Number(previous)))
  const run = runOf(status, previous)
  const reader = readerIn(container)
  return {
    name,
    image,
    behavior,
    sayings: logEntriesOf({ ...container, name }, behavior, course),
    surroundings: execSurroundings(inside, container, course),
    reader: reader && {
      command: reader,
      tty: container.tty ?? false,
      once: container.stdinOnce ?? false,
    },
    files: course && run && filesAt(course, (engine.clock.now() - run.began) / 1000),
    names: { pod: pod.metadata.name ?? '', container: name, image, node: pod.spec?.nodeName ?? '' },
  }
}

export const execContextOf = (engine: Engine, container: SimulatedContainer): ExecContext => ({
  container: container.name,
  surroundings: container.surroundings,
  files: container.files,
  now: engine.clock.now(),
  outputs: container.behavior.exec ?? [],
})

/** Not cached, since logs and commands are rare. */
async function seenBy({ resources, storage }: Engine, pod: Pod): Promise<Seen> {
  const { namespace = '' } = pod.metadata
  const { podIP = '', hostIP = '' } =
    (pod as { status?: { podIP?: string; hostIP?: string } }).status ?? {}
  const all = async <Kind>(plural: string, place: string): Promise<[string, Kind][]> => {
    const resource = resources.find('', 'v1', plural)
    const found = resource ? (await storage.range(storageRange(resource, place))).items : []
    return found.map(({ object }) => [object.metadata.name ?? '', object as Kind])
  }
  const [configMaps, secrets] = [
    new Map(await all<Data>('configmaps', namespace)),
    new Map(await all<Data>('secrets', namespace)),
  ]
  const services = new Map<string, SeenService[]>()
  for (const place of new Set(['default', namespace]))
    services.set(
      place,
      (await all<SeenService>('services', place)).map(([, service]) => service),
    )
  const nodes = resources.find('', 'v1', 'nodes')
  const node = nodes && (await storage.get(storageKey(nodes, '', pod.spec?.nodeName ?? '')))?.object
  return {
    configMap: (name) => configMaps.get(name),
    secret: (name) => secrets.get(name),
    services: servicesFor(namespace, (place) => services.get(place) ?? []),
    podIP,
    hostIP,
    allocatable:
      (node as { status?: { allocatable?: Record<string, string> } } | undefined)?.status
        ?.allocatable ?? {},
  }
}

interface Data {
  data?: Record<string, string>
}

async function behaviorsOf(
  { resources, storage }: Engine,
  namespace: string,
  name: string,
): Promise<Record<string, string> | undefined> {
  const configMaps = resources.find('', 'v1', 'configmaps')
  const stored = configMaps && (await storage.get(storageKey(configMaps, namespace, name)))
  return (stored?.object as ConfigMap | undefined)?.data
}

export function statusOf(pod: Pod, name: string): ContainerStatus | undefined {
  const {
    containerStatuses = [],
    initContainerStatuses = [],
    ephemeralContainerStatuses = [],
  } = ((pod as { status?: Status }).status ?? {}) as Status
  return [...containerStatuses, ...initContainerStatuses, ...ephemeralContainerStatuses].find(
    (status) => status.name === name,
  )
}

/** The current or last run, or the previous one. */
export function runOf(status: ContainerStatus | undefined, previous: boolean): Run | undefined {
  const { state, lastState } = status ?? {}
  const before = lastState?.terminated && endedRun(lastState.terminated)
  if (previous) return before
  if (state?.running) return { began: Date.parse(state.running.startedAt ?? ''), ended: undefined }
  return state?.terminated ? endedRun(state.terminated) : before
}

const endedRun = ({ startedAt = '', finishedAt = '' }: Ended): Run => ({
  began: Date.parse(startedAt),
  ended: Date.parse(finishedAt),
})
