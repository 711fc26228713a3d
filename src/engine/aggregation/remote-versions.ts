/** Versions of APIServices with a service, written by the APIService controller. */

import type { JsonObject } from '../core/object'
import type { ServiceAddress } from '../core/outbound'
import type { ServedResource } from '../encoding/discovery'

export interface RemoteVersion {
  /** `v1.metrics.example.com` */
  name: string
  group: string
  version: string
  service: ServiceAddress
  /** PEM; absent: CAs of the host. */
  certificates?: string
  /** If set, nothing is proxied. */
  certificateProblem?: string
  insecure: boolean
  available: boolean
  /** From the last successful discovery. */
  resources: ServedResource[] | undefined
  openapi: RemoteOpenapi | undefined
}

export interface RemoteOpenapi {
  /** Hash of `/openapi/v3/apis/GROUP/VERSION` in the server's index. */
  v3: string | undefined
  v2: { paths: JsonObject; definitions: JsonObject; parameters: JsonObject } | undefined
  /** Milliseconds since the epoch. */
  time: number
}

/** The first sorts groups, the second versions of a group; highest first. */
export interface Priority {
  group: number
  version: number
}

export class RemoteVersions {
  private readonly byVersion = new Map<string, RemoteVersion>()
  /** Includes APIServices without a service. */
  private readonly priorities = new Map<string, Priority>()
  private changes_ = 0

  get changes(): number {
    return this.changes_
  }

  get size(): number {
    return this.byVersion.size
  }

  all(): Iterable<RemoteVersion> {
    return this.byVersion.values()
  }

  get(group: string, version: string): RemoteVersion | undefined {
    return this.byVersion.get(`${group}/${version}`)
  }

  /** `path` lies below `/apis/GROUP/VERSION`. */
  ofPath(path: string): RemoteVersion | undefined {
    if (this.byVersion.size === 0) return undefined
    const [, prefix, group, version] = path.split('/')
    return prefix === 'apis' ? this.byVersion.get(`${group}/${version}`) : undefined
  }

  set(remote: RemoteVersion): void {
    this.byVersion.set(`${remote.group}/${remote.version}`, remote)
    this.changed()
  }

  delete({ group, version }: Pick<RemoteVersion, 'group' | 'version'>): void {
    if (this.byVersion.delete(`${group}/${version}`)) this.changed()
  }

  /** Call after every change of a version. */
  changed(): void {
    this.changes_++
  }

  prioritize(group: string, version: string, priority: Priority | undefined): void {
    const key = `${group}/${version}`
    if (priority === undefined) this.priorities.delete(key)
    else this.priorities.set(key, priority)
    if (this.byVersion.size > 0) this.changed()
  }

  priorityOf(group: string, version: string): Priority {
    return this.priorities.get(`${group}/${version}`) ?? { group: 0, version: 0 }
  }
}
