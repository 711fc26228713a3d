/** Cached until the node or one of its pods changes. */

import type {
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  Service,
} from 'kubernetes-types/core/v1'
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1'
import type { CSIDriver, CSIStorageCapacity, StorageClass } from 'kubernetes-types/storage/v1'
import { podRequestsWithOverhead } from '../../admission/pod-resources'
import { memoizeByIdentity } from '../../core/identity-memo'
import { entryOf, mergedRecords } from '../../core/object'
import { parseQuantity, quantityUnits } from '../../schema/quantity'
import { type LabelSelector, selectorOf } from '../../selectors/labels'
import type { Informer } from '../runtime/informer'
import type { Manager } from '../runtime/manager'
import type { Stored } from '../runtime/stored'
import { controllerOf } from '../shared/ownership'
import { hasEnded } from '../shared/pods'

/** cpu in thousandths, others in whole units. */
export type Amounts = Map<string, number>

export interface NodeState {
  node: Stored<Node>
  /** Not finished. */
  pods: Stored<Pod>[]
  /** With affinity or anti-affinity terms. */
  particular: Stored<Pod>[]
  requested: Amounts
  allocatable: Amounts
  /** For scores: pods without requests count with defaults. */
  counted: Amounts
}

export class Cluster {
  readonly nodes: Informer<Node>
  readonly pods: Informer<Pod>
  readonly namespaces: Informer<Namespace>
  readonly claims: Informer<PersistentVolumeClaim>
  readonly volumes: Informer<PersistentVolume>
  readonly classes: Informer<StorageClass>
  readonly drivers: Informer<CSIDriver>
  readonly capacities: Informer<CSIStorageCapacity>
  readonly budgets: Informer<PodDisruptionBudget>
  private readonly services: Informer<Service>
  /** Controllers of pods, by kind. */
  private readonly controllers: Record<string, Informer<{ spec?: { selector?: unknown } }>>
  private readonly podsOn: { of(node: string): Stored<Pod>[] }
  private readonly podsToCome: { of(node: string): Stored<Pod>[] }
  private readonly states = new Map<string, NodeState>()
  /** Sorted; undefined after a node was added or deleted. */
  private names: readonly string[] | undefined

  constructor(manager: Manager) {
    this.nodes = manager.informer<Node>('', 'nodes')
    this.pods = manager.informer<Pod>('', 'pods')
    this.namespaces = manager.informer<Namespace>('', 'namespaces')
    this.claims = manager.informer<PersistentVolumeClaim>('', 'persistentvolumeclaims')
    this.volumes = manager.informer<PersistentVolume>('', 'persistentvolumes')
    this.classes = manager.informer<StorageClass>('storage.k8s.io', 'storageclasses')
    this.drivers = manager.informer<CSIDriver>('storage.k8s.io', 'csidrivers')
    this.capacities = manager.informer<CSIStorageCapacity>('storage.k8s.io', 'csistoragecapacities')
    this.budgets = manager.informer<PodDisruptionBudget>('policy', 'poddisruptionbudgets')
    this.services = manager.informer<Service>('', 'services')
    this.controllers = {
      ReplicationController: manager.informer('', 'replicationcontrollers'),
      ReplicaSet: manager.informer('apps', 'replicasets'),
      StatefulSet: manager.informer('apps', 'statefulsets'),
    }
    this.podsOn = this.pods.groupedBy(({ spec }) => spec?.nodeName)
    this.podsToCome = this.pods.groupedBy(({ spec, status }) =>
      spec?.nodeName ? undefined : status?.nominatedNodeName,
    )
    this.nodes.onChange(({ type, key }) => {
      this.states.delete(key)
      if (type !== 'MODIFIED') this.names = undefined
    })
    this.pods.onChange(({ object, previous }) => {
      for (const pod of [object, previous])
        if (pod?.spec?.nodeName) this.states.delete(pod.spec.nodeName)
    })
  }

  all(): NodeState[] {
    this.names ??= Array.from(this.nodes.list(), ({ metadata }) => metadata.name ?? '').sort()
    return this.names.flatMap((name) => {
      const node = this.nodes.get(name)
      return node ? [this.stateOf(node)] : []
    })
  }

  nominatedTo(node: string): Stored<Pod>[] {
    return this.podsToCome.of(node)
  }

  /** Selects pods of the same services and controller; empty: none. */
  kinOf(pod: Stored<Pod>): LabelSelector {
    const { namespace, labels = {} } = pod.metadata
    const selectors: Record<string, string>[] = []
    for (const { spec } of this.services.list(namespace)) {
      const { selector } = spec ?? {}
      if (
        selector &&
        Object.entries(selector).every(([key, value]) => entryOf(labels, key) === value)
      )
        selectors.push(selector)
    }
    const owner = controllerOf(pod)
    const selector =
      owner &&
      entryOf(this.controllers, owner.kind)?.get(`${namespace}/${owner.name}`)?.spec?.selector
    if (owner?.kind === 'ReplicationController' && selector)
      selectors.push(selector as Record<string, string>)
    const ofServices = selectorOf({ matchLabels: mergedRecords(selectors) }) ?? []
    return owner?.kind === 'ReplicationController' || !selector
      ? ofServices
      : [...ofServices, ...(selectorOf(selector) ?? [])]
  }

  stateOf(node: Stored<Node>): NodeState {
    const name = node.metadata.name ?? ''
    let state = this.states.get(name)
    if (state === undefined)
      this.states.set(
        name,
        (state = stateWith(
          node,
          this.podsOn.of(name).filter((pod) => !hasEnded(pod)),
        )),
      )
    return state
  }
}

export function stateWith(node: Stored<Node>, pods: Stored<Pod>[]): NodeState {
  const requested: Amounts = new Map([['pods', pods.length]])
  const counted: Amounts = new Map()
  for (const pod of pods) {
    for (const [name, amount] of requestsOf(pod))
      requested.set(name, (requested.get(name) ?? 0) + amount)
    for (const name of COUNTED) counted.set(name, (counted.get(name) ?? 0) + countedOf(pod, name))
  }
  const particular = pods.filter(
    ({ spec }) => spec?.affinity?.podAffinity || spec?.affinity?.podAntiAffinity,
  )
  return {
    node,
    pods,
    particular,
    requested,
    counted,
    allocatable: amountsOf(node.status?.allocatable ?? {}),
  }
}

/** Defaults let pods without requests spread evenly. */
const UNSTATED: Record<string, number> = { cpu: 100, memory: 200 * 1024 * 1024 }
export const COUNTED: readonly string[] = Object.keys(UNSTATED)

export const countedOf = (pod: Stored<Pod>, name: string): number =>
  requestsOf(pod).get(name) || (entryOf(UNSTATED, name) ?? 0)

export const requestsOf = memoizeByIdentity(
  (pod: Stored<Pod>): Amounts =>
    amountsOf(
      podRequestsWithOverhead(
        (pod.spec ?? { containers: [] }) as Parameters<typeof podRequestsWithOverhead>[0],
      ),
    ),
)

const amountsOf = (texts: Record<string, string>): Amounts =>
  new Map(
    Object.entries(texts).map(([name, text]) => [
      name,
      Number(quantityUnits(parseQuantity(String(text)), name === 'cpu' ? 3 : 0)),
    ]),
  )
