import type { AdmissionAttributes, Operation } from '../admission/admission'
import type { UserInfo } from '../authentication/authenticator'
import type { JsonObject, KubeObject } from '../core/object'
import { badRequest, type ResourceName } from '../http/status'
import { goQuote } from '../schema/go-text'
import type { Guard, TransactionOptions } from '../storage/storage'
import type { Trace } from '../telemetry/trace'
import { pathSegment } from '../validation/names'
import type { Engine } from './engine'
import { type Resource, storageKey } from './resource'
import type { StrategyContext, StrategyRequest } from './strategy'

export interface RequestContext extends StrategyRequest {
  engine: Engine
  resource: Resource
  user: UserInfo
  trace: Trace
  dryRun: boolean
  manager: string
  ofCollection?: boolean
  /** Absent for the server's own writes. */
  options?(operation: Operation): JsonObject | undefined
  /** Idempotency key, stored with the write. */
  requestId?: string
  /** See `stageBarrier`. */
  isRetry?: boolean
  /** See write-queue.ts. */
  serializationGuard?: Guard
}

export function transactionOptions(
  { engine, requestId, user, trace }: RequestContext,
  last = true,
): TransactionOptions {
  const options: TransactionOptions = { author: user.name }
  if (requestId !== undefined && last) options.requestId = requestId
  if (engine.storage.readBarrier !== undefined) options.within = trace.timeLeft()
  return options
}

export function targetOf(context: RequestContext): ResourceName {
  return { group: context.resource.group, resource: context.resource.resource }
}

/** @throws ApiError 400 */
export function keyOf(context: RequestContext): string {
  const { resource, namespace, name } = context
  if (resource.namespaced && namespace === '') throw badRequest('Namespace parameter required.')
  if (name === '') throw badRequest('Name parameter required.')
  const problems = pathSegment(name, false)
  if (problems.length > 0)
    throw badRequest(`Name parameter invalid: ${goQuote(name)}: ${problems.join(';')}`)
  return storageKey(resource, namespace, name)
}

export function strategyContext(context: RequestContext): StrategyContext<Engine> {
  const { engine, resource } = context
  return {
    engine,
    clock: engine.clock,
    random: engine.random,
    dryRun: context.dryRun,
    user: context.user,
    subresource: context.subresource,
    apiVersion: resource.apiVersion,
    warn: context.warn,
    async read(group, plural, namespace, name) {
      const other = engine.resources.anyVersion(group, plural)
      if (other === undefined) return undefined
      return (await engine.storage.get(storageKey(other, namespace, name)))?.object
    },
  }
}

export function admissionAttributes(
  context: RequestContext,
  operation: Operation,
  object: KubeObject | undefined,
  oldObject: KubeObject | undefined,
): AdmissionAttributes {
  const { resource } = context
  return {
    operation,
    group: resource.group,
    version: resource.version,
    resource: resource.resource,
    subresource: context.subresource,
    kind: resource.kind,
    namespaced: resource.namespaced,
    namespace: resource.namespaced
      ? context.namespace
      : resource.resource === 'namespaces'
        ? context.name || (object?.metadata.name ?? '')
        : '',
    name: context.ofCollection ? '' : context.name || (object?.metadata.name ?? ''),
    object,
    oldObject,
    options: () => context.options?.(operation),
    user: context.user,
    dryRun: context.dryRun,
    trace: context.trace,
    warn: context.warn,
  }
}
