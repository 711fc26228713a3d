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
import type { HostFiles } from '../../simulation/network/client'
import type { NetworkPod } from '../../simulation/network/cluster'
import { Journal } from '../../simulation/network/journal'
import type { Network } from '../../simulation/network/network'
import {
  type Seen,
  type SeenContainer,
  type SeenPod,
  type SeenService,
  servicesFor,
} from '../../simulation/pod'
import { type FilesNow, PodPrograms } from '../../simulation/pod-programs'
import { logEntriesOf, readerIn } from '../../simulation/program'
import { hostFilesIn } from '../../simulation/runtime-files'
import type { Surroundings } from '../../simulation/script/course'
import type { ExecContext } from '../../simulation/shell'
import { execSurroundings } from '../../simulation/simulated-process'
import { networkOf } from './simulated-network'

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
  /** The restart count of the run. */
  restarts: number
  pod: SeenPod
  hostFiles: HostFiles
  /** The files at a time, in milliseconds since the epoch. */
  filesAt(at: number): FilesNow
  /** The program that reads the standard input of attached clients. */
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
  const programs = new PodPrograms(pod as SeenPod, await seenBy(engine, pod), engine.simulation)
  const status = statusOf(pod, name)
  const restarts = Math.max(0, (status?.restartCount ?? 0) - Number(previous))
  const inside = programs.processOf(container, restarts)
  const course = programs.courseOf(container, restarts)
  const reader = readerIn(container)
  return {
    name,
    image,
    behavior,
    sayings: [
      ...logEntriesOf({ ...container, name }, behavior, course),
      ...programs.printedBy(container, restarts),
    ],
    surroundings: execSurroundings(inside, container, course),
    reader: reader && {
      command: reader,
      tty: container.tty ?? false,
      once: container.stdinOnce ?? false,
    },
    restarts,
    pod: pod as SeenPod,
    hostFiles: hostFilesIn(inside.surroundings.root?.runtime),
    filesAt: (at) => programs.filesAt(container, restarts, at),
    names: { pod: pod.metadata.name ?? '', container: name, image, node: pod.spec?.nodeName ?? '' },
  }
}

/**
 * Where commands in the container run. Each command finds the files of its time, also those that
 * the commands before it have written.
 */
export function execContextOf(engine: Engine, container: SimulatedContainer): ExecContext {
  let network: Network | undefined
  let wantsNetwork = false
  let journal = new Journal()
  const { name, pod, restarts } = container
  return {
    container: name,
    get surroundings() {
      const reach = {
        journal,
        get live() {
          wantsNetwork = network === undefined
          const client = network?.from(pod as NetworkPod, () => container.hostFiles)
          return client && { until: Number.POSITIVE_INFINITY, client }
        },
      }
      return { ...container.surroundings, reach }
    },
    get files() {
      return container.filesAt(engine.clock.now()).files
    },
    get outside() {
      return container.filesAt(engine.clock.now()).outside
    },
    get now() {
      return engine.clock.now()
    },
    outputs: container.behavior.exec ?? [],
    reload() {
      network = undefined
      wantsNetwork = false
      journal = new Journal()
    },
    missing() {
      const own = engine.simulation.of(pod)
      if (own.wantedTokens.size > 0)
        return new Promise((resolve) => {
          own.whenIssued(resolve)
          engine.simulation.sync(pod)
        })
      if (journal.pending) return journal.pending
      if (!wantsNetwork) return undefined
      return networkOf(engine).then((loaded) => {
        network = loaded
      })
    },
    keep(writes) {
      const now = engine.clock.now()
      engine.simulation.recordWrites(
        pod,
        name,
        restarts,
        writes.map((write) => ({ ...write, at: now + write.at * 1000 })),
      )
    },
  }
}

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
