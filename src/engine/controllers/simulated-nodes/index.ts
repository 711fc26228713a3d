/**
 * Nodes on which nothing really runs: they register, say that they are alive, and tell of the pods that they are given what a real
 * node's agent would (public documentation, "Pod Lifecycle", "Nodes"), under its identity.
 */
import type { Lease } from 'kubernetes-types/coordination/v1'
import type { Node, Pod } from 'kubernetes-types/core/v1'
import { timestamp } from '../../environment'
import { RELEASE } from '../../names'
import { draftOf, equalJson } from '../../object'
import { alreadyExists, type Client, isNotFound } from '../runtime/client'
import type { Informer } from '../runtime/informer'
import type { Controller, Manager } from '../runtime/manager'
import type { Queue } from '../runtime/queue'
import { keyOf, type Stored } from '../runtime/stored'
import { hasEnded } from '../shared/pods'
import { nextStatus } from './pod-life'

const LEASES = 'kube-node-lease'
const LEASE_SECONDS = 40
const HEARTBEAT_MILLISECONDS = 10_000
/** Containers stop so long after they were told to, if they are given as much. */
const STOP_MILLISECONDS = 1000
const CAPACITY = { cpu: '4', 'ephemeral-storage': '100Gi', 'hugepages-1Gi': '0', 'hugepages-2Mi': '0', memory: '8Gi', pods: '110' }

const FINE: [type: string, reason: string, message: string][] = [
  ['MemoryPressure', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
]

/** @param count how many; they are called node-1, node-2 … */
export function simulatedNodes(count: number): Controller {
  return {
    name: 'simulated-nodes',
    run(manager) {
      const nodes = manager.informer<Node>('', 'nodes')
      const leases = manager.informer<Lease>('coordination.k8s.io', 'leases')
      const pods = manager.informer<Pod>('', 'pods')
      const agents = new Map<string, Agent>()
      for (let i = 1; i <= count; i++) {
        const name = `node-${i}`
        agents.set(name, new Agent(manager, { name, number: i, nodes, leases, pods }))
      }
      pods.onChange(({ type, key, object }) => {
        if (type !== 'DELETED') agents.get(object.spec?.nodeName ?? '')?.look(key)
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
}

class Agent {
  private readonly client: Client
  private readonly queue: Queue
  private readonly heart: Queue
  private addresses = 1

  constructor(
    private readonly manager: Manager,
    private readonly place: Place,
  ) {
    const groups = ['system:nodes', 'system:authenticated']
    this.client = manager.clientOf({ name: `system:node:${place.name}`, groups }, 'kubelet')
    this.queue = manager.queue(place.name, (key) => this.sync(key))
    this.heart = manager.queue(`${place.name} heartbeat`, () => this.beat())
  }

  look(key: string): void {
    this.queue.add(key)
  }

  start(): void {
    this.heart.add('beat')
  }

  private get hostIP(): string {
    return `192.168.0.${this.place.number}`
  }

  private async beat(): Promise<void> {
    const { name, nodes, leases } = this.place
    this.heart.addAfter('beat', HEARTBEAT_MILLISECONDS)
    if (nodes.get(name) === undefined) await this.create(this.node())
    const renewTime = `${new Date(this.manager.now()).toISOString().slice(0, -1)}000Z`
    const lease = leases.get(`${LEASES}/${name}`)
    const spec = { holderIdentity: name, leaseDurationSeconds: LEASE_SECONDS, renewTime }
    if (lease) await this.client.update({ ...draftOf(lease), spec: { ...lease.spec, ...spec } })
    else await this.create({ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name, namespace: LEASES }, spec })
    const node = nodes.get(name)
    // Silent for too long, it was given up: it is there again.
    if (node && node.status?.conditions?.find(({ type }) => type === 'Ready')?.status !== 'True') {
      await this.client.update({ ...draftOf(node), status: { ...node.status, ...this.node().status } }, 'status')
    }
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
      spec: { podCIDR: `10.244.${this.place.number}.0/24`, podCIDRs: [`10.244.${this.place.number}.0/24`] },
      status: {
        capacity: CAPACITY,
        allocatable: CAPACITY,
        conditions: [
          ...FINE.map(([type, reason, message]) => ({ type, status: 'False', ...times, reason, message })),
          { type: 'Ready', status: 'True', ...times, reason: 'KubeletReady', message: 'kubelet is posting ready status' },
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
          containerRuntimeVersion: 'simulated://1',
          kubeletVersion: RELEASE.git,
          kubeProxyVersion: RELEASE.git,
          operatingSystem: 'linux',
          architecture: 'amd64',
        },
      },
    }
  }

  private async sync(key: string): Promise<void> {
    const pod = this.place.pods.get(key)
    if (pod?.spec?.nodeName !== this.place.name) return
    if (pod.metadata.deletionTimestamp) return this.end(pod)
    if (hasEnded(pod)) return
    const { status, after } = nextStatus(pod, { now: this.manager.now(), hostIP: this.hostIP, podIP: this.addressOf(pod) })
    if (after !== undefined) this.queue.addAfter(key, after)
    if (!equalJson(status, pod.status)) await this.write(pod, { ...draftOf(pod), status })
  }

  private addressOf({ spec, status }: Stored<Pod>): string {
    if (spec?.hostNetwork) return this.hostIP
    if (status?.podIP) return status.podIP
    const taken = new Set([...this.place.pods.list()].map((pod) => pod.status?.podIP))
    for (;;) {
      this.addresses = (this.addresses % 254) + 1
      const address = `10.244.${this.place.number}.${this.addresses}`
      if (!taken.has(address) || taken.size >= 254) return address
    }
  }

  /** The pod's containers stop, then it is gone: as fast as they do, and never later than they may. */
  private async end(pod: Stored<Pod>): Promise<void> {
    const { deletionTimestamp = '', deletionGracePeriodSeconds = 0 } = pod.metadata
    const told = Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1000
    const left = told + Math.min(STOP_MILLISECONDS, deletionGracePeriodSeconds * 1000) - this.manager.now()
    if (left > 0) {
      this.queue.addAfter(keyOf(pod), left)
      return
    }
    await this.client.delete(pod, { gracePeriodSeconds: 0, preconditions: { uid: pod.metadata.uid } })
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
