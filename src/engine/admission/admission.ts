/**
 * The admission chain: plugins that may change an object before it is checked (mutate) and plugins that may refuse it after
 * (validate). One file per plugin.
 */
import type { UserInfo } from '../authentication/authenticator'
import type { KubeObject } from '../object'

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT'

export interface AdmissionAttributes {
  operation: Operation
  group: string
  version: string
  resource: string
  subresource: string
  kind: string
  namespaced: boolean
  namespace: string
  name: string
  /** The object to be written: a draft that `mutate` may change in place. Absent on delete. */
  object?: KubeObject
  /** The stored object on update and delete; shared, never changed. */
  oldObject?: KubeObject
  user: UserInfo
  dryRun: boolean
  warn(text: string): void
}

export interface AdmissionPlugin {
  name: string
  operations: readonly Operation[]
  /** @throws ApiError to refuse */
  mutate?(attributes: AdmissionAttributes): void | Promise<void>
  /** @throws ApiError to refuse */
  validate?(attributes: AdmissionAttributes): void | Promise<void>
}

export class AdmissionChain {
  constructor(private readonly plugins: readonly AdmissionPlugin[]) {}

  async mutate(attributes: AdmissionAttributes): Promise<void> {
    for (const plugin of this.plugins) {
      if (!plugin.mutate || !plugin.operations.includes(attributes.operation)) continue
      const pending = plugin.mutate(attributes)
      if (pending) await pending
    }
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    for (const plugin of this.plugins) {
      if (!plugin.validate || !plugin.operations.includes(attributes.operation)) continue
      const pending = plugin.validate(attributes)
      if (pending) await pending
    }
  }
}
