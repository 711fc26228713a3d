import { draftOf, type JsonObject, type KubeObject, parseApiVersion } from '../core/object'
import { ApiError, notFound } from '../http/status'
import { convertObject } from '../schema/decode'
import { unobserved } from '../telemetry/trace'
import { createObject } from './create'
import { deleteObject } from './delete'
import type { Engine } from './engine'
import { applyToStored, recordOwnership } from './record-ownership'
import { type RequestContext, targetOf } from './request-context'
import type { Resource } from './resource'
import { updateObject } from './update'

const MANAGER = 'kube-apiserver'
const SELF = { name: 'system:apiserver', groups: ['system:masters', 'system:authenticated'] }

function contextOf(
  engine: Engine,
  resource: Resource,
  subresource: string,
  { namespace = '', name = '' }: KubeObject['metadata'],
): RequestContext {
  return {
    engine,
    resource,
    subresource,
    namespace,
    name,
    user: SELF,
    trace: unobserved(),
    dryRun: false,
    manager: MANAGER,
    warn() {},
  }
}

/** @returns false if the object changed or is gone */
export async function writeStatus(
  engine: Engine,
  stored: KubeObject,
  status: KubeObject['status'],
  manager: string = MANAGER,
): Promise<boolean> {
  const resource = resourceFor(engine, stored)
  const context = { ...contextOf(engine, resource, 'status', stored.metadata), manager }
  try {
    await updateObject(context, {
      subresourceStrategy: resource.strategy.status ?? {},
      async produce(existing) {
        if (existing === undefined) throw notFound(targetOf(context), context.name)
        const object = { ...draftOf(existing), status }
        object.metadata.resourceVersion = stored.metadata.resourceVersion ?? ''
        object.metadata.finalizers = stored.metadata.finalizers
        await recordOwnership(context, existing, object)
        return object
      },
    })
    return true
  } catch (error) {
    if (error instanceof ApiError && (error.code === 409 || error.code === 404)) return false
    throw error
  }
}

/** With force. @returns false if the object is gone */
export async function applyStatus(
  engine: Engine,
  stored: KubeObject,
  status: JsonObject,
  manager: string,
): Promise<boolean> {
  const resource = resourceFor(engine, stored)
  const context = { ...contextOf(engine, resource, 'status', stored.metadata), manager }
  const { kind, apiVersion, metadata } = stored
  const applied = { kind, apiVersion, metadata: { name: metadata.name ?? '' }, status }
  try {
    await updateObject(context, {
      subresourceStrategy: resource.strategy.status ?? {},
      async produce(existing) {
        if (existing === undefined) throw notFound(targetOf(context), context.name)
        const { object, managedFields } = await applyToStored(context, existing, applied, true)
        const { object: typed } = convertObject(resource.type, object)
        return {
          ...typed,
          metadata: { ...typed.metadata, managedFields, resourceVersion: undefined },
        } as KubeObject
      },
    })
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === 404) return false
    throw error
  }
}

/** Does nothing if the object changed or is gone. */
export function labelObject(
  engine: Engine,
  stored: KubeObject,
  labels: Record<string, string>,
): Promise<void> {
  return changeOwn(engine, stored, ({ metadata }) => {
    metadata.labels = { ...metadata.labels, ...labels }
  })
}

/** Does nothing if the object changed or is gone. @param change works in place */
export async function changeOwn(
  engine: Engine,
  stored: KubeObject,
  change: (draft: KubeObject) => void,
  manager: string = MANAGER,
): Promise<void> {
  const context = {
    ...contextOf(engine, resourceFor(engine, stored), '', stored.metadata),
    manager,
  }
  try {
    await updateObject(context, {
      async produce(existing) {
        if (existing === undefined) throw notFound(targetOf(context), context.name)
        const object = draftOf(existing)
        change(object)
        object.metadata.resourceVersion = stored.metadata.resourceVersion ?? ''
        await recordOwnership(context, existing, object)
        return object
      },
    })
  } catch (error) {
    if (!(error instanceof ApiError && (error.code === 409 || error.code === 404))) throw error
  }
}

/** Does nothing if it exists. */
export function createNamespace(engine: Engine, name: string): Promise<void> {
  return createOwn(engine, { kind: 'Namespace', apiVersion: 'v1', metadata: { name } })
}

/** Does nothing if the object exists. @throws ApiError if it is rejected */
export async function createOwn(
  engine: Engine,
  object: KubeObject,
  manager: string = MANAGER,
): Promise<void> {
  const resource = resourceFor(engine, object)
  resource.strategy.defaults?.(object)
  try {
    await createObject({ ...contextOf(engine, resource, '', object.metadata), manager }, object)
  } catch (error) {
    if (!(error instanceof ApiError && error.status.reason === 'AlreadyExists')) throw error
  }
}

/** Does nothing if the object is absent. */
export async function deleteOwn(
  engine: Engine,
  resource: Resource,
  { metadata }: KubeObject,
): Promise<void> {
  try {
    await deleteObject(contextOf(engine, resource, '', metadata), {})
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 404)) throw error
  }
}

/**
 * Also writes the status, in one transaction, unless the object changed. Without finalizers the
 * object is removed.
 */
export async function removeFinalizer(
  engine: Engine,
  stored: KubeObject,
  finalizer: string,
  status: KubeObject['status'],
): Promise<void> {
  const finalizers = stored.metadata.finalizers?.filter((other) => other !== finalizer) ?? []
  await writeStatus(engine, { ...stored, metadata: { ...stored.metadata, finalizers } }, status)
}

function resourceFor(
  engine: Engine,
  { apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>,
): Resource {
  const { group, version } = parseApiVersion(apiVersion)
  const resource = engine.resources.byKind(group, version, kind)
  if (resource === undefined) throw new Error(`${apiVersion} ${kind} is not served`)
  return resource
}
