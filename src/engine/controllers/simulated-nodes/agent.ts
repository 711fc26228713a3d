import type { Container, Pod, Volume } from 'kubernetes-types/core/v1'
import { timestamp } from '../../core/environment'
import { SIMULATION } from '../../core/names'
import { draftOf, equalJson } from '../../core/object'
import {
  annotatedBehavior,
  BEHAVIORS_NAMES,
  BEHAVIORS_NAMESPACE,
  type Behavior,
  behaviorOf,
  problemIn,
} from '../../simulation/behavior'
import type { NetworkContainer, NetworkPod } from '../../simulation/network/cluster'
import { type Seen, type SeenPod, servicesFor, statusOf } from '../../simulation/pod'
import { PodPrograms } from '../../simulation/pod-programs'
import type { FileSystem } from '../../simulation/script/files'
import { type Client, isNotFound } from '../runtime/client'
import { type Recorder, referenceTo } from '../runtime/events'
import type { Manager } from '../runtime/manager'
import type { Queue } from '../runtime/queue'
import { keyOf, type Stored } from '../runtime/stored'
import { hasEnded } from '../shared/pods'
import { type KubeletEvent, kubeletEvents } from './kubelet-events'
import { kubeletGroups } from './leases'
import { admitPod } from './pod-admission'
import { podEnding, type Stopping, stopTime } from './pod-ending'
import { hasBegun, nextStatus } from './pod-lifecycle'
import { issueTokens, TOKEN_RETRY_MILLISECONDS, tokenProblem } from './pod-tokens'
import { observeVolumes, recordRuns } from './program-state'
import { type Programs, programsOf } from './programs'
import { containerProblem, mountProblem, mountsSource, type Sources } from './references'
import { CAPACITY, type Place, Registration } from './registration'
import { sandboxProblem } from './sandboxes'

/** Delay before a deleted lease is recreated. */
export const LEASE_MILLISECONDS = 10_000
const DEFAULT_GRACE_SECONDS = 30
const REJECTION_MILLISECONDS = 1000

const ADDRESSES = 254

export class Agent {
  private readonly client: Client
  private readonly recorder: Recorder
  private readonly queue: Queue
  private readonly registration: Registration
  private readonly heart: Queue
  private addresses = 1
  /** Terminating pods whose Killing events are sent. */
  private readonly ending = new Set<string>()
  /** Latest error by pod with missing references. */
  private readonly lacking = new Map<string, string>()
  private readonly looked = new Map<string, number>()
  /** When the tokens of pods have to be replaced, and when a failed request is retried. */
  private readonly tokenTimes = new Map<string, { due: number; retry?: number }>()
  /** When each pod first failed admission, in milliseconds. */
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
    this.registration = new Registration(manager, this.client, this.recorder, place)
    this.heart = manager.queue(`${place.name} heartbeat`, () => this.beat())
  }

  look(key: string): void {
    this.queue.add(key)
  }

  dropPod(key: string): void {
    for (const known of [this.ending, this.lacking, this.looked, this.tokenTimes, this.refusing])
      known.delete(key)
  }

  /** Syncs pods with missing references after a referenced object changed. */
  lookAtWaiting(namespace?: string): void {
    for (const key of this.lacking.keys())
      if (namespace === undefined || key.startsWith(`${namespace}/`)) this.look(key)
  }

  start(): void {
    this.manager.heartbeats.markAlive(this.place.name)
    this.wake()
  }

  wake(): void {
    this.heart.add('beat')
  }

  wakeAfter(milliseconds: number): void {
    this.heart.addAfter('beat', milliseconds)
  }

  private async beat(): Promise<void> {
    const { recovered } = await this.registration.beat()
    if (!recovered) return
    for (const pod of this.place.pods.list())
      if (pod.spec?.nodeName === this.place.name) this.look(keyOf(pod))
  }

  private async sync(key: string): Promise<void> {
    const pod = this.place.pods.get(key)
    if (pod?.spec?.nodeName !== this.place.name || this.registration.hasFailed()) return
    if (pod.metadata.deletionTimestamp) return this.end(pod)
    if (hasEnded(pod)) return
    if (pod.status?.startTime === undefined) {
      if (await this.rejects(pod)) return
      this.checkBehavior(pod)
    }
    const now = this.manager.now()
    const podIP = this.addressOf(pod)
    const seen = this.seenBy(pod, podIP)
    const { simulation } = this.manager.engine
    const update = observeVolumes(pod, seen, simulation, now, (volume) =>
      this.isComplete(pod, volume),
    )
    if (update !== undefined) this.queue.addAfter(key, update)
    const programs = this.programsOf(pod, seen)
    const grace = pod.spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE_SECONDS
    const { status, after, events } = nextStatus(pod, {
      now,
      since: this.looked.get(key) ?? now,
      hostIP: this.registration.hostIP,
      podIP,
      behaviorOf: (container) => this.behaviorOf(pod, container),
      stopTime: (container) => stopTime(pod, container, this.stopping(pod, programs, grace * 1000)),
      graceSeconds: grace,
      ...programs,
      ...this.foundFor(pod, podIP),
    })
    this.looked.set(key, now)
    if (after !== undefined) this.queue.addAfter(key, after)
    this.recordEvents(pod, events)
    await this.issueTokens(pod)
    if (equalJson(status, pod.status)) return
    recordRuns(pod, status, seen, simulation)
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

  /** Rejects a pod that the node cannot admit, delayed so that replacements come slowly. */
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

  /** Requests tokens that a program wants to read, and replaces tokens before they expire. */
  private async issueTokens(pod: Stored<Pod>): Promise<void> {
    const key = keyOf(pod)
    const state = this.manager.engine.simulation.of(pod as SeenPod)
    const {
      now,
      due = Number.POSITIVE_INFINITY,
      retry = 0,
    } = {
      ...this.tokenTimes.get(key),
      now: this.manager.now(),
    }
    if (state.wantedTokens.size === 0 && due > now) return
    if (retry > now) {
      state.endWait()
      return
    }
    try {
      const after = await issueTokens(this.client, pod, state)
      this.tokenTimes.set(key, { due: now + after })
      this.queue.addAfter(key, after)
      this.look(key)
    } catch (error) {
      this.recorder.event(pod, 'Warning', 'FailedMount', tokenProblem(error))
      this.tokenTimes.set(key, { due, retry: now + TOKEN_RETRY_MILLISECONDS })
      this.queue.addAfter(key, TOKEN_RETRY_MILLISECONDS)
    }
  }

  private isComplete(pod: Stored<Pod>, volume: Volume): boolean {
    const { configMaps, secrets } = this.place
    const sources = {
      configMap: (key: string) => configMaps.get(key),
      secret: (key: string) => secrets.get(key),
    }
    const only = { ...pod, spec: { containers: [], volumes: [volume] } } as Stored<Pod>
    return mountProblem(only, sources) === undefined
  }

  /** Syncs the pods whose volumes have a ConfigMap or a Secret, after a change of it. */
  lookAtVolumes(namespace: string, name: string): void {
    for (const pod of this.place.podsHere.of(this.place.name))
      if (pod.metadata.namespace === namespace && mountsSource(pod, name)) this.look(keyOf(pod))
  }

  /** The files of a container now. */
  filesOf(pod: NetworkPod, container: NetworkContainer): FileSystem {
    const seen = this.seenBy(pod as Stored<Pod>, pod.status?.podIP ?? '')
    const programs = new PodPrograms(pod, seen, this.manager.engine.simulation)
    const restarts = statusOf(pod, container.name ?? '')?.restartCount ?? 0
    return programs.fileSystemAt(container, restarts, this.manager.now())
  }

  private sandboxProblem(pod: Stored<Pod>): string | undefined {
    const { name, nodes, runtimeClasses } = this.place
    return sandboxProblem(pod, nodes.get(name), (named) => runtimeClasses.get(named))
  }

  /** Reports each missing reference once. */
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

  /** Reports an invalid behavior annotation. */
  private checkBehavior(pod: Stored<Pod>): void {
    const text = annotatedBehavior(pod.metadata.annotations)
    const problem = text === undefined ? undefined : problemIn(text)
    if (problem !== undefined)
      this.recorder.event(pod, 'Warning', 'InvalidBehavior', `${SIMULATION.behavior}: ${problem}`)
  }

  private seenBy({ metadata: { namespace } }: Stored<Pod>, podIP: string): Seen {
    const { name, nodes, configMaps, secrets, services } = this.place
    return {
      configMap: (named) => configMaps.get(`${namespace}/${named}`),
      secret: (named) => secrets.get(`${namespace}/${named}`),
      services: servicesFor(namespace ?? '', (of) => services.list(of)),
      podIP,
      hostIP: this.registration.hostIP,
      allocatable: nodes.get(name)?.status?.allocatable ?? CAPACITY,
    }
  }

  private programsOf(pod: Stored<Pod>, seen: Seen): Programs {
    const { network } = this.place
    const now = this.manager.now()
    return programsOf(pod, {
      seen,
      now,
      state: this.manager.engine.simulation,
      behaviorOf: (container) => this.behaviorOf(pod, container),
      network: {
        now,
        clientOf: (files) => network.now().from(pod as NetworkPod, () => files),
        ofNode: () => network.now().from(undefined),
      },
    })
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
    if (spec?.hostNetwork) return this.registration.hostIP
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

  private stopping(pod: Stored<Pod>, programs: Programs, grace: number): Stopping {
    return {
      programs,
      behaviorOf: (container) => this.behaviorOf(pod, container),
      now: this.manager.now(),
      grace,
    }
  }

  /** Deletes the pod when its containers have stopped. */
  private async end(pod: Stored<Pod>): Promise<void> {
    const { deletionTimestamp = '', deletionGracePeriodSeconds = 0 } = pod.metadata
    const grace = deletionGracePeriodSeconds * 1000
    const key = keyOf(pod)
    const seen = this.seenBy(pod, pod.status?.podIP ?? '')
    const programs = this.programsOf(pod, seen)
    const began = Date.parse(deletionTimestamp) - grace
    const ending = podEnding(pod, began, this.stopping(pod, programs, grace))
    if (ending.left > 0) {
      if (!this.ending.has(key)) this.recordEvents(pod, ending.events)
      this.ending.add(key)
      this.queue.addAfter(key, ending.left)
      return
    }
    this.dropPod(key)
    if (!hasEnded(pod)) {
      const status = ending.status()
      recordRuns(pod, status, seen, this.manager.engine.simulation)
      await this.write(pod, { ...draftOf(pod), status })
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
