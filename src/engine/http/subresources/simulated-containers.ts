/** A container of a pod as simulated nodes run it: what it does, when it ran, what its node says of it. */
import type { Engine } from '../../engine'
import { SIMULATION } from '../../names'
import { containersOf, type Pod } from '../../registry/core/pod-types'
import { storageKey } from '../../registry/resource'
import type { Saying } from '../../simulation/behaviour'
import { BEHAVIOURS_NAME, BEHAVIOURS_NAMESPACE, type Behaviour, behaviourOf } from '../../simulation/behaviour'
import type { Run } from '../../simulation/log-lines'
import { type Commanded, sayingsOf } from '../../simulation/program'

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
}

interface Status {
  containerStatuses?: ContainerStatus[]
  initContainerStatuses?: ContainerStatus[]
  ephemeralContainerStatuses?: ContainerStatus[]
}

export interface SimulatedContainer {
  name: string
  image: string
  behaviour: Behaviour
  sayings: readonly Saying[]
  environment: Record<string, string>
  /** What `{pod}` and the like stand for in what it says. */
  names: Record<string, string>
}

interface ConfigMap {
  data?: Record<string, string>
}

type Described = Commanded & { name?: string; image?: string; env?: { name?: string; value?: string }[] | null }

export async function simulatedContainer(engine: Engine, pod: Pod, name: string): Promise<SimulatedContainer> {
  const container = (containersOf(pod.spec ?? {}, '').find((one) => one.container.name === name)?.container ?? {}) as Described
  const { namespace = '', annotations } = pod.metadata
  const maps = await Promise.all([...new Set([namespace, BEHAVIOURS_NAMESPACE])].map((place) => behavioursOf(engine, place)))
  const behaviour = behaviourOf(container, { annotation: annotations?.[SIMULATION.behaviour], maps })
  const { image = '', env } = container
  return {
    name,
    image,
    behaviour,
    sayings: sayingsOf({ ...container, name }, behaviour),
    environment: Object.fromEntries((env ?? []).map((variable) => [variable.name ?? '', variable.value ?? ''])),
    names: { pod: pod.metadata.name ?? '', container: name, image, node: pod.spec?.nodeName ?? '' },
  }
}

async function behavioursOf({ resources, storage }: Engine, namespace: string): Promise<Record<string, string> | undefined> {
  const configMaps = resources.find('', 'v1', 'configmaps')
  const stored = configMaps && (await storage.get(storageKey(configMaps, namespace, BEHAVIOURS_NAME)))
  return (stored?.object as ConfigMap | undefined)?.data
}

export function statusOf(pod: Pod, name: string): ContainerStatus | undefined {
  const {
    containerStatuses = [],
    initContainerStatuses = [],
    ephemeralContainerStatuses = [],
  } = ((pod as { status?: Status }).status ?? {}) as Status
  return [...containerStatuses, ...initContainerStatuses, ...ephemeralContainerStatuses].find((status) => status.name === name)
}

/** When the container runs or ran, or did so before; undefined: not yet. */
export function runOf(status: ContainerStatus | undefined, previous: boolean): Run | undefined {
  const { state, lastState } = status ?? {}
  const before = lastState?.terminated && endedRun(lastState.terminated)
  if (previous) return before
  if (state?.running) return { began: Date.parse(state.running.startedAt ?? ''), ended: undefined }
  return state?.terminated ? endedRun(state.terminated) : before
}

const endedRun = ({ startedAt = '', finishedAt = '' }: Ended): Run => ({ began: Date.parse(startedAt), ended: Date.parse(finishedAt) })
