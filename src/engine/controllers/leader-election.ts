/**
 * Elects the server that runs the controllers, among servers with one store. Durations of
 * kube-controller-manager: lease 15 s, renew deadline 10 s, retry 2 s.
 */
import type { Lease } from 'kubernetes-types/coordination/v1'
import { type Client, isConflict, isNotFound, alreadyExists as isThere } from './runtime/client'
import { Manager, type ManagerOptions } from './runtime/manager'
import type { Stored } from './runtime/stored'

/** @returns stops the leader's work */
export type Begin = () => () => void

const LEASE_SECONDS = 15
const RENEW_DEADLINE = 10_000
const RETRY = 2_000

const NAME = 'kube-controller-manager'

const REFERENCE = {
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: NAME, namespace: 'kube-system' },
} as const

/**
 * Retries after losing the lease (client-go, tools/leaderelection).
 * @param identity unique per server
 * @returns releases the lease and stops
 */
export function runLeaderElection(
  options: ManagerOptions,
  identity: string,
  begin: Begin,
): () => Promise<void> {
  const candidate = new Candidate(options, identity, begin)
  candidate.acquire()
  return () => candidate.resign()
}

class Candidate {
  private readonly client: Client
  /** `at`: when this resourceVersion of the lease was first seen. */
  private observed = { version: '', at: 0 }
  private renewed = 0
  private stop: (() => void) | undefined
  private cancelRetry: () => void = () => {}
  private cancelDeadline: () => void = () => {}
  private resigned = false

  constructor(
    private readonly options: ManagerOptions,
    private readonly identity: string,
    private readonly begin: Begin,
  ) {
    const user = { name: 'system:kube-controller-manager', groups: ['system:authenticated'] }
    this.elected(false)
    this.client = new Manager(options).clientOf(user, 'kube-controller-manager', '/leader-election')
  }

  acquire(): void {
    void this.tryOnce().finally(() => {
      if (!this.resigned)
        this.cancelRetry = this.options.engine.wallClock.after(RETRY, () => this.acquire())
    })
  }

  private async tryOnce(): Promise<void> {
    const requestedAt = this.now()
    let holds = false
    try {
      holds = await this.acquireOrRenew()
    } catch (error) {
      // Without a response the lease is held until the renew deadline.
      this.options.engine.log.warn?.(
        `the lease of the controllers cannot be renewed: ${error instanceof Error ? error.message : error}`,
      )
      return
    }
    if (this.resigned) return
    if (holds) this.hold(requestedAt)
    else this.stepDown()
  }

  private hold(since: number): void {
    this.renewed = since
    this.cancelDeadline()
    const rest = Math.max(0, RENEW_DEADLINE - (this.now() - this.renewed))
    this.cancelDeadline = this.options.engine.wallClock.after(rest, () => this.stepDown())
    this.stop ??= this.begin()
    this.elected(true)
  }

  private stepDown(): void {
    this.cancelDeadline()
    this.stop?.()
    this.stop = undefined
    this.elected(false)
  }

  /** @throws ApiError */
  private async acquireOrRenew(): Promise<boolean> {
    const lease = await this.client.get<Lease>(REFERENCE).catch((error: unknown) => {
      if (isNotFound(error)) return undefined
      throw error
    })
    const moment = new Date(this.now()).toISOString().replace('Z', '000Z')
    if (lease === undefined)
      return this.wrote(this.client.create({ ...REFERENCE, spec: this.terms(moment, moment, 0) }))
    const {
      holderIdentity: holder = '',
      leaseDurationSeconds = LEASE_SECONDS,
      acquireTime,
      leaseTransitions = 0,
    } = lease.spec ?? {}
    this.observe(lease)
    const mine = holder === this.identity
    if (!mine && holder !== '' && this.now() < this.observed.at + leaseDurationSeconds * 1000)
      return false
    if (mine && this.stop !== undefined) this.options.engine.election.readBeforeRenewal(NAME)
    const spec = mine
      ? this.terms(acquireTime ?? moment, moment, leaseTransitions)
      : this.terms(moment, moment, leaseTransitions + 1)
    return this.wrote(this.client.update({ ...lease, spec } as never))
  }

  private observe({ metadata }: Stored<Lease>): void {
    const version = metadata?.resourceVersion ?? ''
    if (version !== this.observed.version) this.observed = { version, at: this.now() }
  }

  private terms(acquireTime: string, renewTime: string, leaseTransitions: number) {
    return {
      holderIdentity: this.identity,
      leaseDurationSeconds: LEASE_SECONDS,
      acquireTime,
      renewTime,
      leaseTransitions,
    }
  }

  private async wrote(write: Promise<Stored<Lease>>): Promise<boolean> {
    try {
      this.observe(await write)
      return true
    } catch (error) {
      if (isConflict(error) || isThere(error)) return false
      throw error
    }
  }

  async resign(): Promise<void> {
    this.resigned = true
    this.cancelRetry()
    const held = this.stop !== undefined
    this.stepDown()
    // On failure the lease expires.
    if (held) await this.release().catch(() => undefined)
  }

  private async release(): Promise<void> {
    const lease = await this.client.get<Lease>(REFERENCE)
    if (lease.spec?.holderIdentity !== this.identity) return
    await this.client.update({
      ...lease,
      spec: { ...lease.spec, holderIdentity: '', leaseDurationSeconds: 1 },
    } as never)
  }

  private elected(isLeader: boolean): void {
    this.options.engine.election.elected(NAME, isLeader)
  }

  private now(): number {
    return this.options.engine.wallClock.now()
  }
}
