import type { UserInfo } from '../../authentication/authenticator'
import { ControllerCauses, type WriteCauses } from '../../causality/controller-writes'
import { parseApiVersion } from '../../core/object'
import type { Engine } from '../../registry/engine'
import { type Resource, storagePrefix } from '../../registry/resource'
import type { StorageEvent } from '../../storage/storage'
import { retryUntilDone } from '../../time/retries'
import type { Work } from '../../time/work'
import { type Client, makeClient, type Serve } from './client'
import { DueTimes } from './due-times'
import { makeRecorder, type Recorder } from './events'
import { Informer } from './informer'
import { NodeHeartbeats } from './node-heartbeats'
import { Queue } from './queue'

const EVERYTHING = '/registry/'

export interface Controller {
  name: string
  /** Informers start later. @returns stops other work */
  run(manager: Manager): void | (() => void)
}

export interface ManagerOptions {
  engine: Engine
  serve: Serve
  /** Runs after current work. */
  defer(run: () => void): void
  work: Work
}

/** Program name in the user agent. */
export type Program = 'kube-controller-manager' | 'kube-scheduler' | 'kubelet'

export class Manager {
  readonly engine: Engine
  readonly due: DueTimes
  readonly heartbeats: NodeHeartbeats
  readonly defer: (run: () => void) => void
  readonly work: Work
  private readonly serve: Serve
  private readonly causes: WriteCauses
  /** Causes of the starting controller. */
  private own: ControllerCauses
  private readonly onObjects: ControllerCauses
  private readonly informers = new Map<string, Informer<unknown>>()
  private readonly queues: Queue[] = []
  private readonly begun: (() => void)[] = []
  private readonly everything: ((event: StorageEvent) => void)[] = []
  private readonly stops: (() => void)[] = []
  private stopped = false
  private events = 0

  constructor({ engine, serve, defer, work }: ManagerOptions) {
    this.engine = engine
    this.serve = serve
    this.work = work
    this.causes = engine.controllerWrites
    this.own = new ControllerCauses(this.causes)
    this.onObjects = new ControllerCauses(this.causes, false)
    this.defer = work.deferring(defer)
    this.due = new DueTimes(engine.clock, engine.log)
    this.heartbeats = new NodeHeartbeats(engine.log)
  }

  now(): number {
    return this.engine.clock.now()
  }

  informer<Kind>(group: string, resource: string): Informer<Kind> {
    const prefix = storagePrefix(group, resource)
    let found = this.informers.get(prefix)
    if (found === undefined) {
      found = new Informer(this.engine.storage, this.engine, prefix, this.causes)
      this.informers.set(prefix, found)
    }
    return found as Informer<Kind>
  }

  queue(name: string, sync: (key: string) => Promise<void>): Queue {
    const { clock, log, workQueues } = this.engine
    const meter = workQueues.of(name)
    const queue = new Queue({
      name,
      clock,
      log,
      meter,
      work: this.work,
      due: this.due,
      defer: this.defer,
      causes: this.own,
      sync,
    })
    this.queues.push(queue)
    return queue
  }

  /** Reports existing objects as added. Must be cheap: every write calls it. */
  onEveryChange(listener: (event: StorageEvent) => void): void {
    this.everything.push(listener)
  }

  /** Runs when all informers have synced. */
  onStart(run: () => void): void {
    this.begun.push(run)
  }

  /** @param account in kube-system */
  client(account: string): Client {
    const name = `system:serviceaccount:kube-system:${account}`
    const groups = [
      'system:serviceaccounts',
      'system:serviceaccounts:kube-system',
      'system:authenticated',
    ]
    return this.clientOf(
      { name, groups },
      'kube-controller-manager',
      `/system:serviceaccount:kube-system:${account}`,
    )
  }

  /** Whether the release serves or stores the kind in this version. */
  has(apiVersion: string, kind: string): boolean {
    return this.resourceOf(apiVersion, kind) !== undefined
  }

  private readonly resourceOf = (apiVersion: string, kind: string): Resource | undefined => {
    const { group, version } = parseApiVersion(apiVersion)
    return this.engine.resources.byKind(group, version, kind)
  }

  clientOf(user: UserInfo, program: Program, suffix = ''): Client {
    const { release } = this.engine
    return makeClient({
      serve: this.serve,
      defer: this.defer,
      work: this.work,
      user,
      userAgent: `${program}/${release.git} (linux/amd64) kubernetes/a78aa47${suffix}`,
      resourceOf: this.resourceOf,
      // The scheduler and kubelets act on each object by its own state.
      causes: program === 'kube-controller-manager' ? this.own : this.onObjects,
      revision: () => this.engine.storage.currentRevision(),
    })
  }

  /** @param host node of the component */
  recorder(client: Client, component: string, host?: string): Recorder {
    return makeRecorder(client, this.engine.clock, { component, ...(host && { host }) }, () =>
      this.nextEvent(),
    )
  }

  /** Makes names of simultaneous events unique. */
  nextEvent(): number {
    return this.events++
  }

  async start(controllers: readonly Controller[]): Promise<void> {
    for (const controller of controllers)
      this.isolated(`${controller.name} could not start`, () => {
        this.own = new ControllerCauses(this.causes)
        const stop = controller.run(this)
        if (stop) this.stops.push(stop)
      })
    for (const informer of this.informers.values()) await informer.start()
    if (this.everything.length > 0) await this.followEverything()
    if (this.stopped) return
    for (const run of this.begun) this.isolated('a controller failed at its start', run)
    for (const queue of this.queues) queue.start()
  }

  /** One controller's error does not stop the others. */
  private isolated(what: string, run: () => void): void {
    try {
      run()
    } catch (error) {
      this.engine.log.error(what, error)
    }
  }

  private followEverything(): Promise<void> {
    return retryUntilDone(
      this.engine,
      'following everything',
      () => this.beginToFollow(),
      () => this.stopped,
    )
  }

  private async beginToFollow(): Promise<void> {
    const { storage } = this.engine
    const notify = (event: StorageEvent) => {
      for (const listener of this.everything)
        this.isolated(`a controller failed on a change of ${event.key}`, () => listener(event))
    }
    const { items, revision } = await storage.range(EVERYTHING)
    if (this.stopped) return
    for (const current of items)
      notify({
        type: 'ADDED',
        key: current.key,
        current,
        previous: undefined,
        revision: current.revision,
      })
    const watcher = storage.watch(EVERYTHING, revision, {
      event: (event) => this.causes.reporting(event.revision, () => notify(event)),
      end: (reason) => {
        if (reason === 'gone' && !this.stopped) void this.followEverything()
      },
    })
    this.stops.push(() => watcher.stop())
  }

  stop(): void {
    this.stopped = true
    for (const stop of this.stops) this.isolated('a controller failed at its end', stop)
    for (const informer of this.informers.values()) informer.stop()
    for (const queue of this.queues) queue.stop()
    this.due.stop()
  }
}
