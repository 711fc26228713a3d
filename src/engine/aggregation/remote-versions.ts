/**
 * Versions that other servers serve, from APIService objects with a service: address, availability
 * and resources. The APIService controller writes them, request handlers read them.
 */

import type { JsonObject } from '../core/object'
import type { ServiceAddress } from '../core/outbound'
import type { ServedResource } from '../encoding/discovery'

export interface RemoteVersion {
  /** `v1.metrics.example.com`, the name of the APIService. */
  name: string
  group: string
  version: string
  service: ServiceAddress
  /** CA certificates in PEM; absent: those of the host. */
  certificates?: string
  /** The error in the given CA certificates: then nothing is proxied. */
  certificateProblem?: string
  /** insecureSkipTLSVerify. */
  insecure: boolean
  /** The condition `Available`. */
  available: boolean
  /** From the last successful discovery; undefined before. */
  resources: ServedResource[] | undefined
  openapi: RemoteOpenapi | undefined
}

export interface RemoteOpenapi {
  /**
   * Hash of `/openapi/v3/apis/GROUP/VERSION` in the index of the server; undefined without such a
   * document.
   */
  v3: string | undefined
  /** The part of `/openapi/v2` for this version. */
  v2: { paths: JsonObject; definitions: JsonObject; parameters: JsonObject } | undefined
  /** Time of the fetch, in milliseconds since the epoch. */
  time: number
}

/** Groups are sorted by the first number, versions of a group by the second, highest first. */
export interface Priority {
  group: number
  version: number
}

export class RemoteVersions {
  private readonly byVersion = new Map<string, RemoteVersion>()
  /** Of all APIServices, including those without a service. */
  private readonly priorities = new Map<string, Priority>()
  private changes_ = 0

  /** Increases with every change. */
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

  /** For paths below `/apis/GROUP/VERSION`. */
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

  /** Must be called after every change of a version. */
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
