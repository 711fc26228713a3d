/**
 * Records what a kubelet does to the files of a pod: the start and the end of containers, and new
 * contents of volumes.
 */
import type { ContainerStatus, Pod, PodStatus, Volume } from 'kubernetes-types/core/v1'
import { isWrittenByKubelet } from '../../simulation/mounts'
import type { Seen, SeenContainer, SeenPod, SeenVolume } from '../../simulation/pod'
import { PodPrograms } from '../../simulation/pod-programs'
import type { SimulatedState } from '../../simulation/pod-state'
import { type Contents, contentsOf } from '../../simulation/volume-contents'
import type { Stored } from '../runtime/stored'
import { OWN_VOLUME } from './references'

/**
 * Interval at which a kubelet syncs a pod, and with it the volumes of the pod
 * (https://kubernetes.io/docs/concepts/configuration/configmap/, "Mounted ConfigMaps are updated
 * automatically").
 */
const SYNC_MILLISECONDS = 60_000

/** @param isComplete whether every source of the volume exists that is not optional */
export function observeVolumes(
  pod: Stored<Pod>,
  seen: Seen,
  state: SimulatedState,
  now: number,
  isComplete: (volume: Volume) => boolean,
): number | undefined {
  const volumes = (pod.spec?.volumes ?? []).filter(
    (volume) => isWrittenByKubelet(volume as SeenVolume) && !volume.name.startsWith(OWN_VOLUME),
  )
  if (volumes.length === 0) return undefined
  const { volumes: known } = state.of(pod as SeenPod)
  const [container = {}] = (pod.spec?.containers ?? []) as SeenContainer[]
  let next: number | undefined
  for (const volume of volumes) {
    if (!isComplete(volume)) continue
    const contents = contentsOf(pod as SeenPod, container, volume as SeenVolume, seen)
    if (contents === undefined) continue
    const revisions = known.get(volume.name) ?? []
    known.set(volume.name, revisions)
    if (revisions.length === 0) revisions.push({ at: now, contents })
    if (isEqual(contents, revisions.at(-1)?.contents)) continue
    const at = nextSync(pod, now)
    if ((revisions.at(-1)?.at ?? 0) > now) revisions.pop()
    revisions.push({ at, contents })
    next = Math.min(next ?? at, at)
  }
  return next === undefined ? undefined : next - now
}

function nextSync({ status }: Stored<Pod>, now: number): number {
  const began = Date.parse(status?.startTime ?? '')
  if (Number.isNaN(began)) return now
  return began + Math.ceil((now - began) / SYNC_MILLISECONDS) * SYNC_MILLISECONDS
}

const isEqual = (one: Contents, other: Contents | undefined): boolean =>
  other !== undefined &&
  one.size === other.size &&
  [...one].every(([path, { text, mode }]) => {
    const known = other.get(path)
    return known?.text === text && known?.mode === mode
  })

/** Records the containers that start and end between the status of a pod and its next one. */
export function recordRuns(
  pod: Stored<Pod>,
  next: PodStatus,
  seen: Seen,
  state: SimulatedState,
): void {
  const { initContainers = [], containers = [] } = pod.spec ?? {}
  const all = [...initContainers, ...containers]
  const own = state.of(pod as SeenPod)
  const before = statusesOf(pod.status)
  const after = new PodPrograms({ ...pod, status: next } as SeenPod, seen, state)
  for (const status of statusesOf(next)) {
    const container = all.find(({ name }) => name === status.name)
    if (container === undefined) continue
    const known = before.find(({ name }) => name === status.name)
    const { restartCount } = status
    const begins = known?.state?.running === undefined || known.restartCount !== restartCount
    const usesNetwork = () =>
      begins && after.courseOf(container as SeenContainer, restartCount)?.usesNetwork
    if (!isRecorded(container) && !usesNetwork()) continue
    if (known?.state?.running && (!status.state?.running || known.restartCount !== restartCount)) {
      const record = own.recordOf(container.name, known.restartCount)
      if (record && !record.isSettled) {
        const writes = after.mountedWrites(container as SeenContainer, known.restartCount)
        record.isSettled = true
        state.recordMounted(pod as SeenPod, writes)
      }
    }
    if (status.state?.running && own.recordOf(container.name, restartCount) === undefined)
      own.begin(
        container.name,
        restartCount,
        after.processOf(container as SeenContainer, restartCount),
      )
  }
}

/** Whether a program can depend on more than its specification. */
const isRecorded = ({ env = [], envFrom = [], volumeMounts = [] }: SeenContainer): boolean =>
  envFrom.length > 0 ||
  env.some(({ valueFrom }) => valueFrom) ||
  volumeMounts.some(({ name }) => !name.startsWith(OWN_VOLUME))

const statusesOf = (status: PodStatus | undefined): ContainerStatus[] => [
  ...(status?.initContainerStatuses ?? []),
  ...(status?.containerStatuses ?? []),
]
