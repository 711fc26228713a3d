/**
 * Checks aggregated servers when their APIService, Service or Endpoints change, with backoff while
 * unavailable (k8s.io/kube-aggregator, controllers/status).
 */
import {
  checkAvailable,
  type Endpoints,
  type Finding,
  serviceProblem,
} from '../aggregation/availability'
import { resourcesOf } from '../aggregation/remote-resources'
import type { RemoteVersion } from '../aggregation/remote-versions'
import { timestamp } from '../core/environment'
import type { KubeObject } from '../core/object'
import {
  type ApiService,
  AVAILABLE,
  availabilityOf,
  statusWith,
} from '../kinds/apiregistration/api-service'
import type { Engine } from '../registry/engine'
import { writeStatus } from '../registry/server-writes'
import { certificatesIn } from '../webhooks/certificates'
import type { Service } from '../webhooks/client'
import { follow, type Loop } from './controller'

const API_SERVICES = '/registry/apiregistration.k8s.io/apiservices/'
const SERVICES = '/registry/services/specs/'
const ENDPOINTS = '/registry/services/endpoints/'

/** Milliseconds; doubles up to the maximum. */
const FIRST_PAUSE = 1000
const LAST_PAUSE = 30_000

export const apiServices: Loop = (engine) => {
  const checks = new Map<string, Check>()
  const changed = ({ metadata }: KubeObject): void => {
    for (const check of checks.values())
      if (
        check.remote.service.namespace === metadata.namespace &&
        check.remote.service.name === metadata.name
      )
        check.look()
  }
  const drop = (key: string): void => {
    const check = checks.get(key)
    if (check === undefined) return
    check.stop()
    checks.delete(key)
    engine.remotes.delete(check.remote)
  }
  const stops = [
    follow(engine, API_SERVICES, ({ type, current: { key, object } }) => {
      const service = object as ApiService
      const { group = '', version = '', groupPriorityMinimum, versionPriority } = service.spec ?? {}
      const priority = { group: groupPriorityMinimum ?? 0, version: versionPriority ?? 0 }
      engine.remotes.prioritize(group, version, type === 'DELETED' ? undefined : priority)
      if (type === 'DELETED' || !service.spec?.service) return drop(key)
      const check = checks.get(key) ?? new Check(engine, key)
      checks.set(key, check)
      check.follow(service)
    }),
    follow(engine, SERVICES, ({ current }) => changed(current.object)),
    follow(engine, ENDPOINTS, ({ current }) => changed(current.object)),
  ]
  return () => {
    for (const stop of stops) stop()
    for (const check of checks.values()) check.stop()
  }
}

class Check {
  remote: RemoteVersion = NOWHERE
  private spec = ''
  private running = false
  private again = false
  private stopped = false
  private pause = FIRST_PAUSE
  private callOff = (): void => {}

  constructor(
    private readonly engine: Engine,
    private readonly key: string,
  ) {}

  follow(object: ApiService): void {
    const spec = JSON.stringify(object.spec)
    const available = availabilityOf(object)?.status === 'True'
    if (this.spec !== spec) {
      const { resources, openapi } = this.remote
      this.engine.remotes.delete(this.remote)
      this.remote = { ...remoteOf(object), available, resources, openapi }
      this.engine.remotes.set(this.remote)
      this.spec = spec
    } else if (this.remote.available !== available) {
      this.remote.available = available
      this.engine.remotes.changed()
    } else return
    this.look()
  }

  /** Checks now, or after the check in progress. */
  look(): void {
    this.again = true
    if (!this.running) void this.run()
  }

  stop(): void {
    this.stopped = true
    this.callOff()
  }

  private async run(): Promise<void> {
    this.running = true
    while (this.again && !this.stopped) {
      this.again = false
      this.callOff()
      try {
        const available = await this.settle()
        this.pause = available ? FIRST_PAUSE : Math.min(LAST_PAUSE, this.pause * 2)
        if (!this.stopped)
          this.callOff = this.engine.wallClock.after(available ? LAST_PAUSE : this.pause, () =>
            this.look(),
          )
      } catch (error) {
        this.engine.log.error(`${this.key} could not be settled`, error)
        this.pause = Math.min(LAST_PAUSE, this.pause * 2)
        if (!this.stopped) this.callOff = this.engine.wallClock.after(this.pause, () => this.look())
      }
    }
    this.running = false
  }

  private async settle(): Promise<boolean> {
    const { engine, remote } = this
    const before = JSON.stringify(remote.resources)
    const found = await this.finding()
    if (this.stopped) return false
    if (before !== JSON.stringify(remote.resources)) {
      remote.openapi = undefined
      engine.remotes.changed()
    }
    await this.updateStatus(found)
    return found.status === 'True'
  }

  private async finding(): Promise<Finding> {
    const { remote, engine } = this
    const path = `${remote.service.namespace}/${remote.service.name}`
    const service = (await engine.storage.get(SERVICES + path))?.object as Service | undefined
    const endpoints = (await engine.storage.get(ENDPOINTS + path))?.object as Endpoints | undefined
    const problem = serviceProblem(remote, service, endpoints)
    if (problem !== undefined) {
      remote.resources = undefined
      return problem
    }
    // Discovery is updated even if the server is unavailable.
    const [found, resources] = await Promise.all([
      checkAvailable(engine.reach, remote),
      resourcesOf(engine.reach, remote),
    ])
    remote.resources = resources
    return found
  }

  private async updateStatus(found: Finding): Promise<void> {
    const { engine, key } = this
    const object = (await engine.storage.get(key))?.object as ApiService | undefined
    if (object === undefined) return
    const current = availabilityOf(object)
    if (
      current?.status === found.status &&
      current.reason === found.reason &&
      current.message === found.message
    )
      return
    if (found.status === 'False') engine.reach.unavailable?.(this.remote.name, found.reason)
    await writeStatus(
      engine,
      object,
      statusWith(object.status, { type: AVAILABLE, ...found }, timestamp(engine.clock.now())),
    )
  }
}

const NOWHERE: RemoteVersion = {
  name: '',
  group: '',
  version: '',
  service: { namespace: '', name: '', port: 0 },
  insecure: false,
  available: false,
  resources: undefined,
  openapi: undefined,
}

function authoritiesOf(
  caBundle: string | undefined,
): Pick<RemoteVersion, 'certificates' | 'certificateProblem'> {
  if (!caBundle) return {}
  const bundle = certificatesIn(caBundle)
  return 'problem' in bundle ? { certificateProblem: bundle.problem } : bundle
}

function remoteOf({
  metadata,
  spec = {},
}: ApiService): Omit<RemoteVersion, 'available' | 'resources' | 'openapi'> {
  const { namespace = '', name = '', port = 443 } = spec.service ?? {}
  return {
    name: metadata.name ?? '',
    group: spec.group ?? '',
    version: spec.version ?? '',
    service: { namespace, name, port },
    ...authoritiesOf(spec.caBundle),
    insecure: spec.insecureSkipTLSVerify === true,
  }
}
