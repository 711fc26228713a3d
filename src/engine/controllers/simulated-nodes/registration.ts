/** Registers simulated Nodes. https://kubernetes.io/docs/concepts/architecture/nodes/ */

import type { Lease } from 'kubernetes-types/coordination/v1'
import type { ConfigMap, Node, Pod, Secret, Service } from 'kubernetes-types/core/v1'
import type { RuntimeClass } from 'kubernetes-types/node/v1'
import { timestamp } from '../../core/environment'
import { SIMULATED_RUNTIME, SIMULATION } from '../../core/names'
import { draftOf } from '../../core/object'
import { alreadyExists, type Client } from '../runtime/client'
import type { Recorder } from '../runtime/events'
import type { Informer } from '../runtime/informer'
import type { Manager } from '../runtime/manager'
import type { Stored } from '../runtime/stored'
import type { ClusterNetwork } from './cluster-network'
import { LEASES, lastRenewal, leaseSpec } from './leases'
import { extendedAllocatable } from './pod-admission'

export const CAPACITY = {
  cpu: '4',
  'ephemeral-storage': '100Gi',
  'hugepages-1Gi': '0',
  'hugepages-2Mi': '0',
  memory: '8Gi',
  pods: '110',
}

const FINE: [type: string, reason: string, message: string][] = [
  ['MemoryPressure', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
]

export interface Place {
  name: string
  number: number
  nodes: Informer<Node>
  leases: Informer<Lease>
  pods: Informer<Pod>
  podsHere: { of(node: string): Stored<Pod>[] }
  configMaps: Informer<ConfigMap>
  secrets: Informer<Secret>
  services: Informer<Service>
  runtimeClasses: Informer<RuntimeClass>
  /** Addresses in use by pods. */
  addresses: ReadonlySet<string>
  network: ClusterNetwork
}

export class Registration {
  private registered = false
  private unschedulable = false

  constructor(
    private readonly manager: Manager,
    private readonly client: Client,
    private readonly recorder: Recorder,
    private readonly place: Place,
  ) {}

  /** A failed node does nothing. */
  hasFailed(): boolean {
    return (
      this.place.nodes.get(this.place.name)?.metadata.annotations?.[SIMULATION.state] === 'failed'
    )
  }

  get hostIP(): string {
    return `192.168.0.${this.place.number}`
  }

  /** @returns whether the node was silent before */
  async beat(): Promise<{ recovered: boolean }> {
    const { name, nodes, leases } = this.place
    const { heartbeats } = this.manager
    const now = this.manager.now()
    const lease = leases.get(`${LEASES}/${name}`)
    if (this.hasFailed()) {
      // The lease keeps the last renewal before the failure.
      if (lease && heartbeats.of(name) === 'alive')
        await this.renewLease(lease, lastRenewal(lease, now))
      heartbeats.markSilent(name, now)
      return { recovered: false }
    }
    const wasSilent = heartbeats.of(name) !== 'alive'
    heartbeats.markAlive(name)
    if (!this.registered && nodes.get(name) === undefined) await this.create(this.node())
    this.registered = true
    const node = nodes.get(name)
    if (node && lease === undefined) await this.createLease(node, now)
    if (lease && wasSilent) await this.renewLease(lease, now)
    // Recovers after the node lifecycle controller marked it not ready.
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
    return { recovered: wasSilent }
  }

  /** The kubelet uses the node's name as uid. */
  private recordNodeEvent(reason: string): void {
    const { name } = this.place
    this.recorder.event(
      { kind: 'Node', name, uid: name },
      'Normal',
      reason,
      `Node ${name} status is now: ${reason}`,
    )
  }

  /** leases.ts renews it. */
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
}
