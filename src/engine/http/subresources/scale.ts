/** `scale`: the number of replicas of a workload as an object of its own (autoscaling/v1 Scale; behaviour recorded). */

import { applyPatch, updateManagedFields, type Write } from '../../apply/managers'
import { type ReplicasPaths, scaleEntries, workloadEntries } from '../../apply/scale'
import { timestamp } from '../../environment'
import { MEDIA_TYPE } from '../../names'
import { type JsonObject, type KubeObject, parseApiVersion } from '../../object'
import { invalidValue } from '../../registry/field-errors'
import { admissionAttributes, keyOf, type RequestContext } from '../../registry/request-context'
import type { Subresource } from '../../registry/resource'
import { updateObject } from '../../registry/update'
import { canonicalize } from '../../schema/canonical'
import { decodeObject } from '../../schema/decode'
import type { StructType } from '../../schema/model'
import { selectorOf, selectorText } from '../../selectors/labels'
import { readApplied } from '../apply-handler'
import { type Expected, readBody, readObject } from '../body'
import type { ApiResponse } from '../messages'
import { writeOptions } from '../options'
import { patchTypeOf } from '../patch-handler'
import { patchedObject } from '../patched-object'
import { type Exchange, matchNamespace, READ_ONLY, registryContext, responseContext } from '../resource-handler'
import { isStored, respondObject } from '../respond'
import { invalid, methodNotAllowed, notFound } from '../status'
import { matchName } from '../update-handler'

const SCALE_VERSION = 'autoscaling/v1'

interface Scale extends KubeObject {
  spec?: { replicas?: number }
  status?: { replicas?: number; selector?: string }
}

interface Workload extends KubeObject {
  spec?: { replicas?: number; selector?: JsonObject | null }
  status?: { replicas?: number }
}

export async function handleScale(exchange: Exchange, subresource: Subresource): Promise<ApiResponse> {
  const { info } = exchange
  const type = exchange.engine.model.byKind('autoscaling', 'v1', 'Scale') as StructType
  switch (info.verb) {
    case 'get':
      return respondScale(exchange, subresource, type, await readWorkload(exchange))
    case 'update':
      return putScale(exchange, subresource, type)
    case 'patch':
      return patchScale(exchange, subresource, type)
    default:
      throw methodNotAllowed()
  }
}

/** A missing workload is named with its subresource: `deployments/scale.apps "web" not found`. */
function missing({ resource, info }: Exchange): Error {
  return notFound({ group: resource.group, resource: `${resource.resource}/scale` }, info.name)
}

async function readWorkload(exchange: Exchange): Promise<Workload> {
  const context = registryContext(exchange, READ_ONLY)
  const stored = await exchange.engine.storage.get(keyOf(context))
  if (stored === undefined) throw missing(exchange)
  return stored.object as Workload
}

/** The workload seen as a Scale. */
export function scaleOf(workload: Workload): Scale {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = workload.metadata
  const { selector } = workload.spec ?? {}
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp } as Scale['metadata'],
    spec: workload.spec?.replicas ? { replicas: workload.spec.replicas } : {},
    status: { replicas: workload.status?.replicas ?? 0, selector: selectorTextOf(selector) },
  }
}

/** Replication controllers select by a plain map, all others by a label selector. */
function selectorTextOf(selector: JsonObject | null | undefined): string {
  if (!selector) return ''
  const structured = 'matchLabels' in selector || 'matchExpressions' in selector
  return selectorText(selectorOf(structured ? selector : { matchLabels: selector as Record<string, string> }) ?? [])
}

function respondScale(exchange: Exchange, subresource: Subresource, type: StructType, workload: Workload): ApiResponse {
  const { group, version, kind } = subresource.kind
  // Answered as an object of its own kind; the workload's versions and cached texts have nothing to do with it.
  const resource = {
    ...exchange.resource,
    group,
    version,
    kind,
    type,
    apiVersion: 'autoscaling/v1',
    subresource: 'scale',
    fromHub: undefined,
    toHub: undefined,
  }
  return respondObject({ ...responseContext(exchange), resource }, 200, canonicalize(type, scaleOf(workload)))
}

function expectedScale(type: StructType): Expected {
  return { group: 'autoscaling', version: 'v1', kind: 'Scale', type, custom: false }
}

async function putScale(exchange: Exchange, subresource: Subresource, type: StructType): Promise<ApiResponse> {
  const { request, info, resource, warnings } = exchange
  const options = writeOptions(info.query, 'UpdateOptions')
  const context = registryContext(exchange, options)
  const scale = (await readObject(request, expectedScale(type), {
    level: options.fieldValidation,
    warn: (text) => warnings.add(text),
  })) as Scale
  matchNamespace(scale, info, resource)
  matchName(scale, info.name)
  return storeScale(exchange, context, subresource, type, (live) =>
    updatedScale(context, live, { ...scale, metadata: { ...scale.metadata } }, type),
  )
}

async function patchScale(exchange: Exchange, subresource: Subresource, type: StructType): Promise<ApiResponse> {
  const { request, info, resource, warnings } = exchange
  const patchType = patchTypeOf(request.header('content-type'), resource)
  const bytes = await readBody(request)
  const options = writeOptions(info.query, 'PatchOptions', patchType === MEDIA_TYPE.applyPatch)
  const context = registryContext(exchange, options)
  return storeScale(exchange, context, subresource, type, (live) => {
    const scale =
      patchType === MEDIA_TYPE.applyPatch
        ? appliedScale(context, live, bytes, type, options.force)
        : (patchedObject(live, patchType, bytes, expectedScale(type), {
            level: options.fieldValidation,
            warn: (text) => warnings.add(text),
          }) as Scale)
    matchNamespace(scale, info, resource)
    matchName(scale, context.name)
    return patchType === MEDIA_TYPE.applyPatch ? scale : updatedScale(context, live, scale, type)
  })
}

/** How ownership sees a write to a Scale: an object of its own, through an endpoint of the workload. */
function scaleWrite({ engine, manager }: RequestContext, live: Scale, type: StructType): Write {
  return { live, type, manager, apiVersion: SCALE_VERSION, subresource: 'scale', time: timestamp(engine.clock.now()) }
}

function updatedScale(context: RequestContext, live: Scale, scale: Scale, type: StructType): Scale {
  scale.metadata.managedFields = updateManagedFields({ ...scaleWrite(context, live, type), updated: scale })
  return scale
}

function appliedScale(context: RequestContext, live: Scale, bytes: Uint8Array, type: StructType, force: boolean): Scale {
  const { applied } = readApplied(bytes)
  const kind = { group: 'autoscaling', version: 'v1', kind: 'Scale' }
  const { object, managedFields } = applyPatch({ ...scaleWrite(context, live, type), applied, kind, force })
  const scale = decodeObject(type, object).object as Scale
  scale.metadata.managedFields = managedFields
  return scale
}

/** Every built-in workload counts its replicas in the same place, in every version. */
function replicasPathIn(group: string): ReplicasPaths {
  return (apiVersion) => (parseApiVersion(apiVersion).group === group ? ['f:spec', 'f:replicas'] : undefined)
}

/** Writes the wanted number into the workload, whose own entries of ownership say that it came through `scale`. */
async function storeScale(
  exchange: Exchange,
  context: RequestContext,
  subresource: Subresource,
  type: StructType,
  wanted: (live: Scale) => Scale,
): Promise<ApiResponse> {
  const { resource } = exchange
  const paths = replicasPathIn(resource.group)
  const { result } = await updateObject(
    { ...context, subresource: '' },
    {
      admitted: (object, old) => ({
        ...admissionAttributes(context, 'UPDATE', scaleOf(object as Workload), scaleOf(old as Workload)),
        kind: 'Scale',
      }),
      async produce(existing) {
        if (existing === undefined) throw missing(exchange)
        const workload = existing as Workload
        const live = canonicalize(type, scaleOf(workload)) as Scale
        const owners = scaleEntries(workload.metadata.managedFields, paths)
        const scale = wanted({ ...live, metadata: { ...live.metadata, ...(owners ? { managedFields: owners } : {}) } })
        checkReplicas(scale, context.name)
        const managedFields = workloadEntries(workload.metadata.managedFields, scale.metadata.managedFields, resource.apiVersion, paths)
        const object: Workload = {
          ...workload,
          metadata: { ...workload.metadata, ...versionOf(scale), ...(scale.metadata.uid ? { uid: scale.metadata.uid } : {}) },
          spec: { ...workload.spec, replicas: scale.spec?.replicas ?? 0 },
        }
        object.metadata.managedFields = managedFields
        return object
      },
    },
  )
  return respondScale(exchange, subresource, type, (isStored(result) ? result.object : result) as Workload)
}

/** A Scale without resourceVersion makes no demand on the workload's. */
function versionOf(scale: Scale): { resourceVersion: string } {
  return { resourceVersion: scale.metadata.resourceVersion ?? '' }
}

function checkReplicas(scale: Scale, name: string): void {
  const replicas = scale.spec?.replicas ?? 0
  if (replicas < 0) {
    throw invalid({ group: 'autoscaling', kind: 'Scale' }, name, [
      invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0'),
    ])
  }
}
