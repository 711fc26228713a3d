/**
 * The admission chain: plugins that may change an object before it is checked (mutate) and plugins that may refuse it after
 * (validate). One file per plugin; plugins.ts has their order.
 */
import type { UserInfo } from '../authentication/authenticator'
import type { JsonObject, KubeObject } from '../object'
import type { Trace } from '../observation/trace'

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
  /** The request's options as the object that they are: `CreateOptions`, `UpdateOptions`, `DeleteOptions`. */
  options?(): JsonObject | undefined
  /** How often the object goes through the mutating plugins: again when a webhook has changed it, so that each sees the result. */
  round?: 'first, to be repeated' | 'second'
  user: UserInfo
  trace: Trace
  dryRun: boolean
  warn(text: string): void
}

export interface AdmissionPlugin {
  name: string
  operations: readonly Operation[]
  /** What it looks at: `pods`, `pods/status`, `deployments.apps`. Absent: everything, subresources too. */
  resources?: readonly string[]
  /** @throws ApiError to refuse */
  mutate?(attributes: AdmissionAttributes): void | Promise<void>
  /** @throws ApiError to refuse */
  validate?(attributes: AdmissionAttributes): void | Promise<void>
}

/** `pods`, `pods/status`, `deployments.apps`, `deployments.apps/scale`: how plugins name what they look at. */
export function resourceKey({ group, resource, subresource }: Pick<AdmissionAttributes, 'group' | 'resource' | 'subresource'>): string {
  const qualified = group === '' ? resource : `${resource}.${group}`
  return subresource === '' ? qualified : `${qualified}/${subresource}`
}

type Phase = 'mutate' | 'validate'

const STAGE = { mutate: 'mutating admission', validate: 'validating admission' } as const

/** Asks the plugins from one on; those that change objects once more if it is to be repeated. */
function ask(plugins: AdmissionPlugin[], phase: Phase, attributes: AdmissionAttributes, next: number): Promise<void> | void {
  for (let i = next; i < plugins.length; i++) {
    const plugin = plugins[i] as AdmissionPlugin
    attributes.trace.enter(STAGE[phase], plugin.name)
    const pending = plugin[phase]?.(attributes)
    if (pending) return pending.then(() => ask(plugins, phase, attributes, i + 1))
  }
  if (phase === 'validate' || attributes.round !== 'first, to be repeated') return
  attributes.round = 'second'
  return ask(plugins, phase, attributes, 0)
}

export class AdmissionChain {
  /** Which plugins a kind of request meets, by phase, operation and resource: found out once. */
  private readonly concerned: Record<Phase, Map<Operation, Map<string, AdmissionPlugin[]>>> = { mutate: new Map(), validate: new Map() }

  /** @param plugins in the order in which they are asked */
  constructor(private readonly plugins: readonly AdmissionPlugin[]) {}

  /** @returns nothing if no plugin has to wait @throws ApiError of the first plugin that refuses */
  mutate(attributes: AdmissionAttributes): Promise<void> | void {
    return ask(this.pluginsFor('mutate', attributes), 'mutate', attributes, 0)
  }

  /** @returns nothing if no plugin has to wait @throws ApiError of the first plugin that refuses */
  validate(attributes: AdmissionAttributes): Promise<void> | void {
    return ask(this.pluginsFor('validate', attributes), 'validate', attributes, 0)
  }

  private pluginsFor(phase: Phase, attributes: AdmissionAttributes): AdmissionPlugin[] {
    const { operation } = attributes
    const resource = resourceKey(attributes)
    let byResource = this.concerned[phase].get(operation)
    if (byResource === undefined) this.concerned[phase].set(operation, (byResource = new Map()))
    const known = byResource.get(resource)
    if (known) return known
    const found = this.plugins.filter(
      ({ [phase]: step, operations, resources }) =>
        step !== undefined && operations.includes(operation) && (resources === undefined || resources.includes(resource)),
    )
    byResource.set(resource, found)
    return found
  }
}
