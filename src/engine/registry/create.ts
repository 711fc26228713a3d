/** Creates an object. See k8s.io/apiserver, registry/generic/registry/store.go, `Store.Create`. */
import type { AdmissionAttributes } from '../admission/admission'
import { randomSuffix, randomUuid, timestamp } from '../core/environment'
import { chain, type MaybePromise, stageBarrier } from '../core/maybe-promise'
import type { KubeObject, ObjectMeta } from '../core/object'
import {
  type ApiError,
  alreadyExists,
  type FieldError,
  failure,
  invalid,
  qualified,
  type ResourceName,
  serverError,
} from '../http/status'
import { canonicalize } from '../schema/canonical'
import type { StoredObject } from '../storage/storage'
import { withDeclared } from '../validation/declared/check'
import { dnsSubdomain, pathSegment } from '../validation/names'
import { validateObjectMeta } from '../validation/object-meta'
import { customKindErrors, nameOfKind } from './custom-kind'
import { admitMutations } from './mutation'
import { dedupOwnerReferences } from './owner-references'
import { recordOwnership } from './record-ownership'
import {
  admissionAttributes,
  keyOf,
  type RequestContext,
  strategyContext,
  targetOf,
} from './request-context'
import type { Resource } from './resource'
import { fitForStore } from './size'
import { showable } from './stored'
import type { StrategyContext } from './strategy'
import { SerializationConflict, serialized, transact } from './write-queue'

/** Leaves 5 of a label's 63 characters to the suffix. */
export const MAX_GENERATED_PREFIX = 58
const GENERATE_ATTEMPTS = 8
const MOST_TURNS = 100

/** @param object decoded and defaulted; changed in place */
export async function createObject(
  context: RequestContext,
  object: KubeObject,
): Promise<KubeObject | StoredObject> {
  wipeSystemFields(object.metadata)
  dedupOwnerReferences(object.metadata, context.warn, 'as sent')
  const owning = recordOwnership(context, undefined, object)
  if (owning) await owning
  const pending = admitMutations(context, undefined, object)
  if (pending) await pending
  await stageBarrier()
  const { strategy } = context.resource
  if (strategy.checkGrant) await strategy.checkGrant(object, undefined, { ...context, name: '' })
  // `return await` costs two microtasks less.
  return await storeNewObject(context, object)
}

/** The steps after mutating admission, also of updates and applies that create. */
export function storeNewObject(
  context: RequestContext,
  object: KubeObject,
): Promise<KubeObject | StoredObject> {
  if (
    context.engine.storage.readBarrier === undefined ||
    !context.resource.strategy.serializesWrites
  ) {
    return serialized(context, (current) => storeInTurn(current, object))
  }
  return storeInSharedTurn(context, object)
}

async function storeInSharedTurn(
  context: RequestContext,
  object: KubeObject,
): Promise<KubeObject | StoredObject> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await serialized(context, (current) => storeInTurn(current, structuredClone(object)))
    } catch (error) {
      if (!(error instanceof SerializationConflict) || attempt >= MOST_TURNS) throw error
    }
  }
}

async function storeInTurn(
  context: RequestContext,
  object: KubeObject,
): Promise<KubeObject | StoredObject> {
  const { engine, resource } = context
  const meta = object.metadata
  meta.namespace = resource.namespaced ? context.namespace : undefined
  // Only the storage drops the selfLink of an update that creates. Recorded from kube-apiserver
  // 1.31.
  if (!context.dryRun && meta.selfLink !== undefined) meta.selfLink = undefined
  fillIdentity(meta, context)
  const generated = !meta.name && Boolean(meta.generateName)
  const attempts =
    generated && engine.featureGates.RetryGenerateName === true ? GENERATE_ATTEMPTS : 1
  for (let attempt = 1; ; attempt++) {
    if (generated) meta.name = generatedName(meta.generateName ?? '', context)
    const draft = attempt === 1 ? object : { ...object, metadata: { ...meta } }
    const preparing = attempt === 1 ? prepareAndCheck(context, draft) : undefined
    if (preparing) await preparing
    await stageBarrier()
    const named =
      draft.metadata.name === context.name
        ? context
        : { ...context, name: draft.metadata.name ?? '' }
    const pending =
      attempt === 1 ? engine.admission.validate(attributesOf(named, draft, generated)) : undefined
    if (pending) await pending
    await stageBarrier()
    const stored = await insert(named, draft)
    if (stored !== undefined) return stored
    if (attempt >= attempts) throw await existsError(named, draft.metadata)
  }
}

/** A namespace is its own namespace, unless its name was generated (kube-apiserver 1.31). */
function attributesOf(
  context: RequestContext,
  draft: KubeObject,
  generated: boolean,
): AdmissionAttributes {
  const attributes = admissionAttributes(context, 'CREATE', draft, undefined)
  if (generated && !attributes.namespaced) attributes.namespace = ''
  return attributes
}

export function wipeSystemFields(meta: ObjectMeta): void {
  // Omit absent members: `undefined` would count as present.
  if (meta.uid !== undefined) meta.uid = undefined
  if (meta.creationTimestamp !== undefined) meta.creationTimestamp = undefined
  if (meta.deletionTimestamp !== undefined) meta.deletionTimestamp = undefined
  if (meta.deletionGracePeriodSeconds !== undefined) meta.deletionGracePeriodSeconds = undefined
  if (meta.selfLink !== undefined) meta.selfLink = undefined
}

function fillIdentity(meta: ObjectMeta, context: RequestContext): void {
  const { engine } = context
  meta.uid = randomUuid(engine.random)
  meta.creationTimestamp = timestamp(engine.clock.now())
}

function generatedName(prefix: string, context: RequestContext): string {
  if (context.resource.strategy.namesAsPrefix) return prefix
  return prefix.slice(0, MAX_GENERATED_PREFIX) + randomSuffix(context.engine.random)
}

function prepareAndCheck(context: RequestContext, object: KubeObject): MaybePromise<void> {
  const { strategy } = context.resource
  const given = strategyContext(context)
  if (strategy.generationFields) object.metadata.generation = 1
  for (const member of strategy.serverOwned ?? []) object[member] = undefined
  context.trace.enter('strategy')
  return chain(strategy.prepareForCreate?.(object, given), () => check(context, object, given))
}

function check(
  context: RequestContext,
  object: KubeObject,
  given: StrategyContext,
): MaybePromise<void> {
  context.trace.enter('validation')
  return chain(context.resource.strategy.validate?.(object, given), (found = []) =>
    conclude(context, object, given, found),
  )
}

function conclude(
  context: RequestContext,
  object: KubeObject,
  given: StrategyContext,
  found: FieldError[],
): void {
  const { resource } = context
  const { strategy } = resource
  const rules = metaRules(resource)
  const when = strategy.checksMetadata?.(given)
  const ofMetadata = when === 'never' ? [] : validateObjectMeta(object, rules)
  const ofKind = customKindErrors(resource, object)
  const checked = when === undefined ? ofMetadata.concat(found) : found.concat(ofMetadata)
  let errors = (ofKind.length > 0 ? ofKind : checked).concat(
    strategy.validateNew?.(object, given) ?? [],
  )
  if (errors.length === 0 && (when === 'never' || strategy.nameRule !== undefined))
    errors = validateObjectMeta(object, {
      ...rules,
      nameRule: pathSegment,
      checksFinalizerNames: false,
    })
  errors = withDeclared(context, object, undefined, errors)
  if (errors.length > 0)
    throw invalid(nameOfKind(resource, object), object.metadata.name ?? '', errors)
  for (const warning of strategy.warningsOnCreate?.(object, given) ?? []) context.warn(warning)
  strategy.canonicalize?.(object)
}

export function metaRules(resource: Resource): Parameters<typeof validateObjectMeta>[1] {
  return {
    namespaced: resource.namespaced,
    nameRule: resource.strategy.nameRule ?? dnsSubdomain,
    checksFinalizerNames: !resource.strategy.laxFinalizers,
  }
}

async function insert(
  context: RequestContext,
  object: KubeObject,
): Promise<KubeObject | StoredObject | undefined> {
  const { engine, resource } = context
  const key = keyOf(context)
  if (resource.strategy.toStored) await resource.strategy.toStored(object)
  object.metadata.resourceVersion = versionForStore(object.metadata.resourceVersion, context.dryRun)
  const canonical = canonicalize(resource.storedType, object, 'stored')
  context.trace.enter('storage')
  if (context.dryRun)
    return (await engine.storage.get(key)) === undefined ? showable(resource, canonical) : undefined
  const result = await transact(
    context,
    [{ key, revision: 0 }],
    [{ type: 'put', key, object: fitForStore(canonical, context.trace.apply) }],
  )
  if (!result.succeeded) return undefined
  const stored = result.stored[0] as StoredObject
  resource.strategy.afterCreate?.(stored.object, strategyContext(context))
  return resource.conversion ? showable(resource, stored) : stored
}

/** kube-apiserver's storage rejects it last, so a dry run shows it. @throws ApiError 500 */
function versionForStore(version: string | undefined, dryRun: boolean): string | undefined {
  if (dryRun) return version || undefined
  if (version && /^\d+$/.test(version) && BigInt(version) !== 0n) {
    throw serverError('resourceVersion should not be set on objects to be created')
  }
  return '0'
}

async function existsError(context: RequestContext, meta: ObjectMeta): Promise<ApiError> {
  const target = targetOf(context)
  const error = meta.generateName
    ? notUniqueError(target, meta.name ?? '')
    : alreadyExists(target, meta.name ?? '')
  const present = await context.engine.storage.get(keyOf(context))
  if (present) await context.resource.conversion?.prepare([present], 'all').catch(() => undefined)
  if (present?.object.metadata.deletionTimestamp)
    error.status.message = `object is being deleted: ${error.status.message}`
  return error
}

function notUniqueError(target: ResourceName, name: string): ApiError {
  return failure(
    409,
    'AlreadyExists',
    `${qualified(target)} "${name}" already exists, the server was not able to generate a unique name for the object`,
    { name, group: target.group, kind: target.resource, retryAfterSeconds: 1 },
  )
}
