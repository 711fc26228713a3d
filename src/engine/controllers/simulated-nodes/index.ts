/**
 * Simulated nodes: they register, renew their leases, and write pod status as a kubelet does, with
 * the identity of a node. No container runs.
 * https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/
 * https://kubernetes.io/docs/concepts/architecture/nodes/
 */

import type { Lease } from 'kubernetes-types/coordination/v1'
import type { ConfigMap, Container, Node, Pod, Secret, Service } from 'kubernetes-types/core/v1'
import type { RuntimeClass } from 'kubernetes-types/node/v1'
import { timestamp } from '../../core/environment'
import { largest } from '../../core/lists'
import { SIMULATED_RUNTIME, SIMULATION } from '../../core/names'
import { draftOf, equalJson } from '../../core/object'
import {
  annotatedBehavior,
  BEHAVIORS_NAMES,
  BEHAVIORS_NAMESPACE,
  type Behavior,
  behaviorOf,
  problemIn,
} from '../../simulation/behavior'
import { type Seen, servicesFor } from '../../simulation/pod'
import { alreadyExists, type Client, isNotFound } from '../runtime/client'
import { type Recorder, referenceTo } from '../runtime/events'
import type { Informer } from '../runtime/informer'
import type { Controller, Manager } from '../runtime/manager'
import type { Queue } from '../runtime/queue'
import { keyOf, type Stored } from '../runtime/stored'
import { hasEnded } from '../shared/pods'
import { type KubeletEvent, killingEvents, kubeletEvents } from './kubelet-events'
import { kubeletGroups, LEASES, lastRenewal, leaseSpec } from './leases'
import { admitPod, extendedAllocatable } from './pod-admission'
import { hasBegun, nextStatus, statusAtItsEnd } from './pod-lifecycle'
import { programsOf } from './programs'
import { containerProblem, mountProblem, type Sources } from './references'
import { sandboxProblem } from './sandboxes'

/** Delay before a node recreates its deleted lease. */
const LEASE_MILLISECONDS = 10_000
/** Default duration of a graceful stop; the grace period limits it. */
const STOP_MILLISECONDS = 1000
const DEFAULT_GRACE_SECONDS = 30
/** Exit code of a container that exceeds its grace period: 128 + SIGKILL. */
const KILLED_EXIT_CODE = 137
const REJECTION_MILLISECONDS = 1000
const CAPACITY = {
  cpu: '4',
  'ephemeral-storage': '100Gi',
  'hugepages-1Gi': '0',
  'hugepages-2Mi': '0',
  memory: '8Gi',
  pods: '110',
}

/** Number of pod addresses of a node. */
const ADDRESSES = 254

const FINE: [type: string, reason: string, message: string][] = [
  ['MemoryPressure', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
]

/** @param count number of nodes; their names are node-1, node-2 … */
export function simulatedNodes(count: number): Controller {
  return {
    name: 'simulated-nodes',
    run(manager) {
      const nodes = manager.informer<Node>('', 'nodes')
      const leases = manager.informer<Lease>('coordination.k8s.io', 'leases')
      const pods = manager.informer<Pod>('', 'pods')
      const configMaps = manager.informer<ConfigMap>('', 'configmaps')
      const secrets = manager.informer<Secret>('', 'secrets')
      const services = manager.informer<Service>('', 'services')
      const runtimeClasses = manager.informer<RuntimeClass>('node.k8s.io', 'runtimeclasses')
      const podsHere = pods.groupedBy(({ spec }) => spec?.nodeName)
      const addresses = takenAddresses(pods)
      const agents = new Map<string, Agent>()
      for (let i = 1; i <= count; i++) {
        const name = `node-${i}`
        agents.set(
          name,
          new Agent(manager, {
            name,
            number: i,
            nodes,
            leases,
            pods,
            podsHere,
            configMaps,
            secrets,
            services,
            runtimeClasses,
            addresses,
          }),
        )
      }
      nodes.onChange(({ key, type }) => type !== 'DELETED' && agents.get(key)?.wake())
      leases.onChange(({ type, object: { metadata } }) => {
        if (type === 'DELETED' && metadata.namespace === LEASES)
          agents.get(metadata.name ?? '')?.wakeAfter(LEASE_MILLISECONDS)
      })
      pods.onChange(({ type, key, object }) => {
        const agent = agents.get(object.spec?.nodeName ?? '')
        if (type === 'DELETED') agent?.dropPod(key)
        else agent?.look(key)
      })
      for (const informer of [configMaps, secrets])
        (informer as typeof configMaps).onChange(({ key }) => {
          const [namespace = ''] = key.split('/')
          for (const agent of agents.values()) agent.lookAtWaiting(namespace)
        })
      runtimeClasses.onChange(() => {
        for (const agent of agents.values()) agent.lookAtWaiting()
      })
      configMaps.onChange(({ object: { metadata } }) => {
        if (!BEHAVIORS_NAMES.includes(metadata.name ?? '')) return
        const concerned = pods.list(
          metadata.namespace === BEHAVIORS_NAMESPACE ? undefined : metadata.namespace,
        )
        for (const pod of concerned) agents.get(pod.spec?.nodeName ?? '')?.look(keyOf(pod))
      })
      manager.onStart(() => {
        for (const agent of agents.values()) agent.start()
      })
    },
  }
}

interface Place {
  name: string
  number: number
  nodes: Informer<Node>
  leases: Informer<Lease>
  pods: Informer<Pod>
  /** Pods grouped by node. */
  podsHere: { of(node: string): Stored<Pod>[] }
  configMaps: Informer<ConfigMap>
  secrets: Informer<Secret>
  services: Informer<Service>
  runtimeClasses: Informer<RuntimeClass>
  /** Addresses in use by pods. */
  addresses: ReadonlySet<string>
}

function takenAddresses(pods: Informer<Pod>): ReadonlySet<string> {
  const taken = new Set<string>()
  pods.onChange(({ type, object: { status } }) => {
    if (!status?.podIP) return
    if (type === 'DELETED') taken.delete(status.podIP)
    else taken.add(status.podIP)
  })
  return taken
}

class Agent {
  private readonly client: Client
  private readonly recorder: Recorder
  private readonly queue: Queue
  private readonly heart: Queue
  private addresses = 1
  private registered = false
  private unschedulable = false
  /** Terminating pods whose Killing events are sent. */
  private readonly ending = new Set<string>()
  /** Pods with missing references, and the latest error of each. */
  private readonly lacking = new Map<string, string>()
  /** Time of the previous sync by pod. */
  private readonly looked = new Map<string, number>()
  /** Pods that fail admission, and the time of the first failure. */
  private readonly refusing = new Map<string, number>()

  constructor(
    private readonly manager: Manager,
    private readonly place: Place,
  ) {
    this.client = manager.clientOf(
      { name: `system:node:${place.name}`, groups: kubeletGroups },
      'kubelet',
    )
    this.recorder = manager.recorder(this.client, 'kubelet', place.name)
    this.queue = manager.queue(place.name, (key) => this.sync(key))
    this.heart = manager.queue(`${place.name} heartbeat`, () => this.beat())
  }

  look(key: string): void {
    this.queue.add(key)
  }

  dropPod(key: string): void {
    for (const known of [this.ending, this.lacking, this.looked, this.refusing]) known.delete(key)
  }

  /** Syncs pods with missing references again, after a change of a referenced object. */
  lookAtWaiting(namespace?: string): void {
    for (const key of this.lacking.keys())
      if (namespace === undefined || key.startsWith(`${namespace}/`)) this.look(key)
  }

  start(): void {
    this.manager.heartbeats.markAlive(this.place.name)
    this.wake()
  }

  /** Checks the node again after a change. */
  wake(): void {
    this.heart.add('beat')
  }

  wakeAfter(milliseconds: number): void {
    this.heart.addAfter('beat', milliseconds)
  }

  /** Whether the node is annotated as failed; a failed node does nothing until it recovers. */
  private hasFailed(): boolean {
    return (
      this.place.nodes.get(this.place.name)?.metadata.annotations?.[SIMULATION.state] === 'failed'
    )
  }

  private get hostIP(): string {
    return `192.168.0.${this.place.number}`
  }

  private async beat(): Promise<void> {
    const { name, nodes, leases } = this.place
    const { heartbeats } = this.manager
    const now = this.manager.now()
    const lease = leases.get(`${LEASES}/${name}`)
    if (this.hasFailed()) {
      // The lease keeps the latest renewal before the failure.
      if (lease && heartbeats.of(name) === 'alive')
        await this.renewLease(lease, lastRenewal(lease, now))
      return heartbeats.markSilent(name, now)
    }
    const wasSilent = heartbeats.of(name) !== 'alive'
    heartbeats.markAlive(name)
    if (!this.registered && nodes.get(name) === undefined) await this.create(this.node())
    this.registered = true
    const node = nodes.get(name)
    if (node && lease === undefined) await this.createLease(node, now)
    if (lease && wasSilent) await this.renewLease(lease, now)
    // The node recovers after the node lifecycle controller marked it as not ready.
    if (node && node.status?.conditions?.find(({ type }) => type === 'Ready')?.status !== 'True') {
      await this.client.update(
        { ...draftOf(node), status: { ...node.status, ...this.node().status } },
        'status',
      )
      this.recordNodeEvent('NodeReady')
    }
    const allocatable = node && extendedAllocatable(node, CAPACITY)
    if (node && allocatable)
      await this.client.update(
        { ...draftOf(node), status: { ...node.status, allocatable } },
        'status',
      )
    const unschedulable = node?.spec?.unschedulable === true
    if (unschedulable !== this.unschedulable)
      this.recordNodeEvent(unschedulable ? 'NodeNotSchedulable' : 'NodeSchedulable')
    this.unschedulable = unschedulable
    if (wasSilent)
      for (const pod of this.place.pods.list())
        if (pod.spec?.nodeName === name) this.look(keyOf(pod))
  }

  /** Sends an event about the node. The kubelet uses the name of the node as uid. */
  private recordNodeEvent(reason: string): void {
    const { name } = this.place
    this.recorder.event(
      { kind: 'Node', name, uid: name },
      'Normal',
      reason,
      `Node ${name} status is now: ${reason}`,
    )
  }

  /** Creates the lease, owned by the node; leases.ts renews it. */
  private async createLease({ metadata: { uid } }: Stored<Node>, now: number): Promise<void> {
    const { name } = this.place
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Node', name, uid }]
    const metadata = { name, namespace: LEASES, ownerReferences }
    await this.create({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata,
      spec: leaseSpec(name, now),
    })
  }

  private async renewLease(lease: Stored<Lease>, time: number | undefined): Promise<void> {
    if (time === undefined) return
    await this.client.update({
      ...draftOf(lease),
      spec: { ...lease.spec, ...leaseSpec(this.place.name, time) },
    })
  }

  private async create(object: object): Promise<void> {
    try {
      await this.client.create(object)
    } catch (error) {
      if (!alreadyExists(error)) throw error
    }
  }

  private node() {
    const { name } = this.place
    const now = timestamp(this.manager.now())
    const times = { lastHeartbeatTime: now, lastTransitionTime: now }
    const os = { 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' }
    return {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name, labels: { ...os, 'kubernetes.io/hostname': name } },
      spec: {
        podCIDR: `10.244.${this.place.number}.0/24`,
        podCIDRs: [`10.244.${this.place.number}.0/24`],
      },
      status: {
        capacity: CAPACITY,
        allocatable: CAPACITY,
        conditions: [
          ...FINE.map(([type, reason, message]) => ({
            type,
            status: 'False',
            ...times,
            reason,
            message,
          })),
          {
            type: 'Ready',
            status: 'True',
            ...times,
            reason: 'KubeletReady',
            message: 'kubelet is posting ready status',
          },
        ],
        addresses: [
          { type: 'InternalIP', address: this.hostIP },
          { type: 'Hostname', address: name },
        ],
        nodeInfo: {
          machineID: '',
          systemUUID: '',
          bootID: '',
          kernelVersion: '',
          osImage: 'simulated',
          containerRuntimeVersion: SIMULATED_RUNTIME,
          kubeletVersion: this.manager.engine.release.git,
          kubeProxyVersion: this.manager.engine.release.git,
          operatingSystem: 'linux',
          architecture: 'amd64',
        },
      },
    }
  }

  private async sync(key: string): Promise<void> {
    const pod = this.place.pods.get(key)
    if (pod?.spec?.nodeName !== this.place.name || this.hasFailed()) return
    if (pod.metadata.deletionTimestamp) return this.end(pod)
    if (hasEnded(pod)) return
    if (pod.status?.startTime === undefined) {
      if (await this.rejects(pod)) return
      this.checkBehavior(pod)
    }
    const now = this.manager.now()
    const podIP = this.addressOf(pod)
    const { status, after, events } = nextStatus(pod, {
      now,
      since: this.looked.get(key) ?? now,
      hostIP: this.hostIP,
      podIP,
      behaviorOf: (container) => this.behaviorOf(pod, container),
      stopTime: (container) => this.stopTime(pod, container),
      graceSeconds: pod.spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE_SECONDS,
      ...programsOf(pod, this.seenBy(pod, podIP), now, (container) =>
        this.behaviorOf(pod, container),
      ),
      ...this.foundFor(pod, podIP),
    })
    this.looked.set(key, now)
    if (after !== undefined) this.queue.addAfter(key, after)
    this.recordEvents(pod, events)
    if (equalJson(status, pod.status)) return
    this.recordEvents(pod, kubeletEvents(pod, status))
    await this.write(pod, { ...draftOf(pod), status })
  }

  private recordEvents(pod: Stored<Pod>, events: readonly KubeletEvent[]): void {
    for (const { type, reason, message, fieldPath } of events)
      this.recorder.event(
        { ...referenceTo(pod), ...(fieldPath && { fieldPath }) },
        type,
        reason,
        message,
      )
  }

  /**
   * Rejects a pod that fails admission. The delay limits how fast controllers create replacements.
   * @returns whether the pod is or will be rejected
   */
  private async rejects(pod: Stored<Pod>): Promise<boolean> {
    const { name, nodes, podsHere } = this.place
    const node = nodes.get(name)
    const present = podsHere
      .of(name)
      .filter((other) => other.status?.startTime !== undefined && !hasEnded(other))
    const problem = node && admitPod(pod, node, present)
    const key = keyOf(pod)
    if (problem === undefined) {
      this.refusing.delete(key)
      return false
    }
    const now = this.manager.now()
    const since = this.refusing.get(key) ?? now
    this.refusing.set(key, since)
    if (since + REJECTION_MILLISECONDS > now) {
      this.queue.addAfter(key, since + REJECTION_MILLISECONDS - now)
      return true
    }
    this.refusing.delete(key)
    const { reason, message } = problem
    this.recorder.event(pod, 'Warning', reason, message)
    const rejected = {
      phase: 'Failed',
      reason,
      message: `Pod was rejected: ${message}`,
      startTime: timestamp(now),
    }
    await this.write(pod, { ...draftOf(pod), status: { ...pod.status, ...rejected } })
    return true
  }

  private sandboxProblem(pod: Stored<Pod>): string | undefined {
    const { name, nodes, runtimeClasses } = this.place
    return sandboxProblem(pod, nodes.get(name), (named) => runtimeClasses.get(named))
  }

  /** Checks references of the pod; an event reports each missing one once. */
  private foundFor(
    pod: Stored<Pod>,
    podIP: string,
  ): Pick<Parameters<typeof nextStatus>[1], 'mounted' | 'containerProblem'> {
    const { configMaps, secrets } = this.place
    const sources: Sources = {
      configMap: (key) => configMaps.get(key),
      secret: (key) => secrets.get(key),
    }
    const key = keyOf(pod)
    const { containerStatuses = [], initContainerStatuses = [] } = pod.status ?? {}
    const hasSandbox = [...containerStatuses, ...initContainerStatuses].some(hasBegun)
    const unmounted = hasSandbox ? undefined : mountProblem(pod, sources)
    const unboxed = hasSandbox || unmounted !== undefined ? undefined : this.sandboxProblem(pod)
    const problem = unmounted ?? unboxed
    if (problem !== undefined && this.lacking.get(key) !== problem)
      this.recorder.event(
        pod,
        'Warning',
        unmounted === undefined ? 'FailedCreatePodSandBox' : 'FailedMount',
        problem,
      )
    this.lacking.delete(key)
    if (problem !== undefined) this.lacking.set(key, problem)
    return {
      mounted: problem === undefined,
      containerProblem: (container) => {
        const problem = containerProblem(pod, container, sources, this.seenBy(pod, podIP))
        if (problem !== undefined) this.lacking.set(key, problem)
        return problem
      },
    }
  }

  /** Sends an event for an invalid behavior annotation when the pod starts. */
  private checkBehavior(pod: Stored<Pod>): void {
    const text = annotatedBehavior(pod.metadata.annotations)
    const problem = text === undefined ? undefined : problemIn(text)
    if (problem !== undefined)
      this.recorder.event(pod, 'Warning', 'InvalidBehavior', `${SIMULATION.behavior}: ${problem}`)
  }

  /** The part of the cluster that the programs of a pod can observe. */
  private seenBy({ metadata: { namespace } }: Stored<Pod>, podIP: string): Seen {
    const { name, nodes, configMaps, secrets, services } = this.place
    return {
      configMap: (named) => configMaps.get(`${namespace}/${named}`),
      secret: (named) => secrets.get(`${namespace}/${named}`),
      services: servicesFor(namespace ?? '', (of) => services.list(of)),
      podIP,
      hostIP: this.hostIP,
      allocatable: nodes.get(name)?.status?.allocatable ?? CAPACITY,
    }
  }

  private behaviorOf({ metadata }: Stored<Pod>, container: Container): Behavior {
    const { configMaps } = this.place
    const places = new Set([metadata.namespace, BEHAVIORS_NAMESPACE])
    const maps = [...places].flatMap((place) =>
      BEHAVIORS_NAMES.map((name) => configMaps.get(`${place}/${name}`)?.data),
    )
    return behaviorOf(container, {
      annotation: annotatedBehavior(metadata.annotations),
      maps,
    })
  }

  private addressOf({ spec, status }: Stored<Pod>): string {
    if (spec?.hostNetwork) return this.hostIP
    if (status?.podIP) return status.podIP
    let address = ''
    for (
      let tried = 0;
      tried < ADDRESSES && (address === '' || this.place.addresses.has(address));
      tried++
    ) {
      this.addresses = (this.addresses % ADDRESSES) + 1
      address = `10.244.${this.place.number}.${this.addresses}`
    }
    return address
  }

  /**
   * Duration of the preStop sleep of a running container.
   * https://kubernetes.io/docs/concepts/containers/container-lifecycle-hooks/
   * @returns milliseconds
   */
  private sleepsBefore({ status }: Stored<Pod>, container: Container): number {
    const runs = status?.containerStatuses?.some(
      ({ name, state }) => name === container.name && state?.running,
    )
    return runs ? (container.lifecycle?.preStop?.sleep?.seconds ?? 0) * 1000 : 0
  }

  /**
   * @param own seconds that the program takes to stop, if known
   * @returns the duration of a graceful stop in milliseconds
   */
  private stopTime(pod: Stored<Pod>, container: Container, own?: number): number {
    const seconds = this.behaviorOf(pod, container).stopsAfter ?? own
    return (
      this.sleepsBefore(pod, container) +
      (seconds === undefined ? STOP_MILLISECONDS : seconds * 1000)
    )
  }

  /** Deletes the pod after its containers stop, at the latest after the grace period. */
  private async end(pod: Stored<Pod>): Promise<void> {
    const { deletionTimestamp = '', deletionGracePeriodSeconds = 0 } = pod.metadata
    const events = Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1000
    const key = keyOf(pod)
    const behaviorOf = (container: Container) => this.behaviorOf(pod, container)
    const { courseOf, endingOf } = programsOf(
      pod,
      this.seenBy(pod, pod.status?.podIP ?? ''),
      this.manager.now(),
      behaviorOf,
    )
    const seconds = (container: Container) =>
      endingOf(container, events + this.sleepsBefore(pod, container))?.seconds
    const wanted = largest(
      (pod.spec?.containers ?? []).map((container) =>
        this.stopTime(pod, container, seconds(container)),
      ),
    )
    const left = events + Math.min(wanted, deletionGracePeriodSeconds * 1000) - this.manager.now()
    if (left > 0) {
      if (!this.ending.has(key)) this.recordEvents(pod, killingEvents(pod))
      this.ending.add(key)
      this.queue.addAfter(key, left)
      return
    }
    this.dropPod(key)
    if (!hasEnded(pod)) {
      const codeOnTerm = (container: Container) => {
        const ending = endingOf(container, events + this.sleepsBefore(pod, container))
        return (
          ending && (ending.seconds > deletionGracePeriodSeconds ? KILLED_EXIT_CODE : ending.code)
        )
      }
      await this.write(pod, {
        ...draftOf(pod),
        status: statusAtItsEnd(pod, {
          now: this.manager.now(),
          behaviorOf,
          courseOf,
          codeOnTerm,
        }),
      })
    }
    await this.client.delete(pod, {
      gracePeriodSeconds: 0,
      preconditions: { uid: pod.metadata.uid },
    })
  }

  private async write(pod: Stored<Pod>, changed: Parameters<Client['update']>[0]): Promise<void> {
    try {
      await this.client.update(changed, 'status')
    } catch (error) {
      if (!isNotFound(error)) throw error
      this.queue.add(keyOf(pod))
    }
  }
}
