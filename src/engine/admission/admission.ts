/** Mutating plugins may change an object, then validating ones may reject it. Order: plugins.ts. */

import type { UserInfo } from '../authentication/authenticator'
import { chain, forEachInOrder, type MaybePromise } from '../core/maybe-promise'
import type { JsonObject, KubeObject } from '../core/object'
import type { Trace } from '../telemetry/trace'

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT'

/** What a plugin's first round leaves for the second. */
export interface ReinvocationState {
  /** Calls with reinvocationPolicy IfNeeded. */
  reinvocable: Set<string>
  /** Calls after which the object changed. */
  due: Set<string>
  /** The object after the last round, as JSON. */
  left: string | undefined
}

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
  /** A draft that `mutate` changes in place; absent on delete. */
  object?: KubeObject
  /** Shared: never change it. */
  oldObject?: KubeObject
  options?(): JsonObject | undefined
  /** If a webhook changes the object, a second round runs. */
  round?: 'first, to be repeated' | 'second'
  reinvocations?: Map<string, ReinvocationState>
  user: UserInfo
  trace: Trace
  dryRun: boolean
  warn(text: string): void
}

export interface AdmissionPlugin {
  name: string
  operations: readonly Operation[]
  /** `pods`, `pods/status`, `deployments.apps`; absent: all. */
  resources?: readonly string[]
  /** @throws ApiError to reject the request */
  mutate?(attributes: AdmissionAttributes): void | Promise<void>
  validate?(attributes: AdmissionAttributes): void | Promise<void>
}

/** The form in `AdmissionPlugin.resources`: `deployments.apps/scale`. */
export function resourceKey({
  group,
  resource,
  subresource,
}: Pick<AdmissionAttributes, 'group' | 'resource' | 'subresource'>): string {
  const qualified = group === '' ? resource : `${resource}.${group}`
  return subresource === '' ? qualified : `${qualified}/${subresource}`
}

type Phase = 'mutate' | 'validate'

const STAGE = { mutate: 'mutating admission', validate: 'validating admission' } as const

/** Plugins have many object shapes; steps share one hidden class in V8. */
class Step {
  constructor(
    readonly plugin: string,
    readonly run: (attributes: AdmissionAttributes) => void | Promise<void>,
  ) {}
}

function runPlugins(
  steps: Step[],
  phase: Phase,
  attributes: AdmissionAttributes,
): MaybePromise<void> {
  const running = forEachInOrder(steps, ({ plugin, run }) => {
    attributes.trace.enter(STAGE[phase], plugin)
    return run(attributes)
  })
  return chain(running, () => {
    if (phase === 'validate' || attributes.round !== 'first, to be repeated') return
    attributes.round = 'second'
    return runPlugins(steps, phase, attributes)
  })
}

export class AdmissionChain {
  private readonly concerned: Record<Phase, Map<Operation, Map<string, Step[]>>> = {
    mutate: new Map(),
    validate: new Map(),
  }

  constructor(private readonly plugins: readonly AdmissionPlugin[]) {}

  /**
   * @returns undefined if no plugin is asynchronous
   * @throws ApiError
   */
  mutate(attributes: AdmissionAttributes): Promise<void> | void {
    return runPlugins(this.stepsFor('mutate', attributes), 'mutate', attributes)
  }

  /**
   * @returns undefined if no plugin is asynchronous
   * @throws ApiError
   */
  validate(attributes: AdmissionAttributes): Promise<void> | void {
    return runPlugins(this.stepsFor('validate', attributes), 'validate', attributes)
  }

  private stepsFor(phase: Phase, attributes: AdmissionAttributes): Step[] {
    const { operation } = attributes
    const resource = resourceKey(attributes)
    let byResource = this.concerned[phase].get(operation)
    if (byResource === undefined) this.concerned[phase].set(operation, (byResource = new Map()))
    const known = byResource.get(resource)
    if (known) return known
    const found = this.plugins.flatMap((plugin) => {
      const { name, [phase]: step, operations, resources } = plugin
      const concerned =
        operations.includes(operation) && (resources === undefined || resources.includes(resource))
      return step !== undefined && concerned ? new Step(name, step.bind(plugin)) : []
    })
    byResource.set(resource, found)
    return found
  }
}
