/** autoscaling/v1. Recorded from kube-apiserver 1.31. */

import { applyPatch, updateManagedFields, type Write } from '../../apply/managers'
import { scaleEntries, workloadEntries } from '../../apply/scale'
import { checkKind, objectText } from '../../apply/validate'
import { timestamp } from '../../core/environment'
import { MEDIA_TYPE } from '../../core/names'
import {
  apiVersionOf,
  draftOf,
  entryOf,
  type JsonObject,
  type KubeObject,
  parseApiVersion,
} from '../../core/object'
import { admissionAttributes, type RequestContext } from '../../registry/request-context'
import type { Subresource } from '../../registry/resource'
import { updateObject } from '../../registry/update'
import { canonicalize } from '../../schema/canonical'
import { convertObject, DecodeError } from '../../schema/decode'
import type { StructType } from '../../schema/model'
import { membersOf } from '../../validation/custom-objects/scale'
import { readApplied } from '../apply-handler'
import { type Expected, readObject, withinLimit } from '../body'
import {
  type Exchange,
  matchNamespace,
  readRequested,
  recordWrite,
  registryContext,
  rejectExport,
  responseContext,
  strictnessOf,
} from '../exchange'
import type { ApiResponse } from '../messages'
import { writeOptions } from '../options'
import { patchTypeOf, rejectPatchType } from '../patch-handler'
import { patchedObject } from '../patched-object'
import { isStored, respondObject } from '../respond'
import { ApiError, badRequest, methodNotAllowed, notFound, serverError } from '../status'
import { matchName } from '../update-handler'
import { fromOlderScale, toOlderScale } from './older-scale'
import {
  checkGiven,
  checkScale,
  demandReplicas,
  hasReplicas,
  NO_REPLICAS,
  replicasPathIn,
  SCALE_VERSION,
  type Scale,
  scaleOf,
  shownWorkload,
  versionOf,
  type Workload,
  withReplicas,
} from './scale-object'

export async function handleScale(
  exchange: Exchange,
  subresource: Subresource,
): Promise<ApiResponse> {
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

/** `deployments/scale.apps "web" not found` */
function missing({ resource, info }: Exchange): Error {
  return notFound(
    {
      group: resource.group,
      resource: resource.custom ? resource.resource : `${resource.resource}/scale`,
    },
    info.name,
  )
}

/**
 * Up to 1.32 any error of reading these is a 404 with this group. Recorded from kube-apiserver
 * 1.31.
 */
const MISSING_WHEN_UNREAD: Record<string, string> = {
  deployments: 'apps',
  replicasets: 'apps',
  replicationcontrollers: 'autoscaling',
}

async function readWorkload(exchange: Exchange): Promise<Workload> {
  const { engine, info, resource } = exchange
  rejectExport(info)
  const { object } = await readRequested(exchange).catch((error: unknown) => {
    const group =
      resource.custom || engine.tables.changes.has('ScaleErrorsNameWorkload')
        ? undefined
        : entryOf(MISSING_WHEN_UNREAD, resource.resource)
    throw error instanceof ApiError && group !== undefined
      ? notFound({ group, resource: `${resource.resource}/scale` }, info.name)
      : error
  })
  return shownWorkload(resource, object)
}

function respondScale(
  exchange: Exchange,
  subresource: Subresource,
  type: StructType,
  workload: Workload,
): ApiResponse {
  demandReplicas(exchange.resource, workload)
  const { group, version, kind } = subresource.kind
  const { apiVersion, shape } = shownAs(exchange, subresource, type)
  // Without versions and cached texts of the workload.
  const resource = {
    ...exchange.resource,
    group,
    version,
    kind,
    type: shape,
    apiVersion,
    subresource: 'scale',
    columns: undefined,
    fromHub: undefined,
    toHub: undefined,
  }
  const scale = scaleOf(workload, exchange.resource.scale)
  recordWrite(exchange, scale)
  const shown =
    apiVersion === SCALE_VERSION ? scale : toOlderScale(scale, apiVersion, workload.spec?.selector)
  return respondObject({ ...responseContext(exchange), resource }, 200, canonicalize(shape, shown))
}

/** Older versions of workloads have another Scale. */
function shownAs(
  { engine }: Exchange,
  { kind: { group, version } }: Subresource,
  type: StructType,
) {
  const apiVersion = apiVersionOf(group, version)
  return {
    apiVersion,
    shape:
      apiVersion === SCALE_VERSION
        ? type
        : (engine.model.byKind(group, version, 'Scale') as StructType),
  }
}

function expectedScale(exchange: Exchange, subresource: Subresource, type: StructType): Expected {
  const { apiVersion, shape } = shownAs(exchange, subresource, type)
  const { group, version } = parseApiVersion(apiVersion)
  const toHub = apiVersion === SCALE_VERSION ? undefined : fromOlderScale
  const { tables } = exchange.engine
  return { group, version, apiVersion, kind: 'Scale', type: shape, tables, custom: false, toHub }
}

/**
 * kube-apiserver's scheme for custom resources lacks Scale, so any malformed one gets this message.
 */
const UNREADABLE =
  'no kind is registered for the type v1.Scale in scheme "pkg/runtime/scheme.go:100"'

async function putScale(
  exchange: Exchange,
  subresource: Subresource,
  type: StructType,
): Promise<ApiResponse> {
  const { request, info, resource } = exchange
  const options = writeOptions(info.query, 'UpdateOptions')
  const context = registryContext(exchange, options)
  const reading = readObject(
    request,
    expectedScale(exchange, subresource, type),
    strictnessOf(exchange, options),
  )
  const scale = (await reading.catch((error: unknown) => {
    throw resource.custom && error instanceof ApiError && error.code === 400
      ? badRequest(UNREADABLE)
      : error
  })) as Scale
  matchNamespace(scale, info, resource)
  matchName(scale, info.name)
  const { uid } = scale.metadata
  const wanted = (live: Scale) =>
    updatedScale(context, live, { ...scale, metadata: { ...scale.metadata } }, type)
  return storeScale(exchange, context, subresource, type, wanted, uid ? { expectedUid: uid } : {})
}

async function patchScale(
  exchange: Exchange,
  subresource: Subresource,
  type: StructType,
): Promise<ApiResponse> {
  const { request, info, resource, warnings } = exchange
  const patchType = patchTypeOf(request, resource) ?? (await rejectPatchType(request, resource))
  const bytes = withinLimit(await request.body())
  exchange.trace.bodyBytes = bytes.length
  const options = writeOptions(info.query, 'PatchOptions', patchType === MEDIA_TYPE.applyPatch)
  const context = registryContext(exchange, options)
  return storeScale(exchange, context, subresource, type, (live) => {
    const scale =
      patchType === MEDIA_TYPE.applyPatch
        ? appliedScale(context, live, bytes, type, options.force)
        : (patchedObject(
            shownScale(exchange, subresource, type, live),
            patchType,
            bytes,
            expectedScale(exchange, subresource, type),
            {
              level: options.fieldValidation,
              warn: (text) => warnings.add(text),
            },
          ) as Scale)
    matchNamespace(scale, info, resource)
    matchName(scale, context.name)
    return patchType === MEDIA_TYPE.applyPatch ? scale : updatedScale(context, live, scale, type)
  })
}

/** The selector is read-only. */
function shownScale(
  exchange: Exchange,
  subresource: Subresource,
  type: StructType,
  live: Scale,
): KubeObject {
  const { apiVersion } = shownAs(exchange, subresource, type)
  return apiVersion === SCALE_VERSION ? live : toOlderScale(live, apiVersion, undefined)
}

function scaleWrite({ engine, manager }: RequestContext, live: Scale, type: StructType): Write {
  return {
    live,
    type,
    manager,
    apiVersion: SCALE_VERSION,
    subresource: 'scale',
    time: timestamp(engine.clock.now()),
  }
}

function updatedScale(context: RequestContext, live: Scale, scale: Scale, type: StructType): Scale {
  scale.metadata.managedFields = updateManagedFields(scaleWrite(context, live, type), scale)
  return scale
}

function convertedScale(
  object: JsonObject,
  type: StructType,
  failed: (why: string) => ApiError,
): Scale {
  try {
    return convertObject(type, object).object as Scale
  } catch (error) {
    if (error instanceof DecodeError)
      throw failed(
        `unable to convert unstructured object to ${SCALE_VERSION}, Kind=Scale: ${error.message}`,
      )
    throw error
  }
}

function appliedScale(
  context: RequestContext,
  live: Scale,
  bytes: Uint8Array,
  type: StructType,
  force: boolean,
): Scale {
  const { applied } = readApplied(bytes, context.engine.tables.changes)
  const kind = { group: 'autoscaling', version: 'v1', kind: 'Scale' }
  const { custom } = context.resource
  // kube-apiserver looks for autoscaling/v1 among the versions of the custom resource. It fails for
  // a changed Scale and for one without managed fields. Recorded from kube-apiserver 1.31.
  const rejection = `request to convert CR to an invalid group/version: ${SCALE_VERSION}`
  if (custom && live.metadata.managedFields === undefined) {
    checkKind(applied, kind)
    const empty = objectText({}, kind)
    throw serverError(
      `failed to create manager for existing fields: failed to convert live object (${empty}) to proper version: ${rejection}`,
    )
  }
  const { object, unchanged, managedFields } = applyPatch(scaleWrite(context, live, type), {
    applied,
    kind,
    force,
  })
  const failed = (why: string) =>
    serverError(
      `failed to convert new object (${objectText(applied, kind)}) to proper version: ${why}`,
    )
  if (custom && !unchanged) throw failed(rejection)
  const scale = convertedScale(object, type, failed)
  scale.metadata.managedFields = managedFields
  return scale
}

async function storeScale(
  exchange: Exchange,
  context: RequestContext,
  subresource: Subresource,
  type: StructType,
  wanted: (live: Scale) => Scale,
  demands: { expectedUid?: string } = {},
): Promise<ApiResponse> {
  const { engine, resource } = exchange
  const paths = replicasPathIn(resource)
  const { result } = await updateObject(
    { ...context, subresource: '' },
    {
      ...demands,
      admitted: (object, old) => ({
        ...admissionAttributes(
          context,
          'UPDATE',
          scaleOf(object as Workload, resource.scale),
          scaleOf(shownWorkload(resource, old), resource.scale),
        ),
        kind: 'Scale',
      }),
      async produce(existing) {
        if (existing === undefined) throw missing(exchange)
        const workload = shownWorkload(resource, existing)
        const shown = scaleOf(workload, resource.scale)
        if (!hasReplicas(resource, workload)) shown.spec = { replicas: NO_REPLICAS }
        const live = canonicalize(type, shown) as Scale
        const owners = scaleEntries(workload.metadata.managedFields, paths)
        const owned = {
          ...live,
          metadata: { ...live.metadata, ...(owners ? { managedFields: owners } : {}) },
        }
        const scale = draftOf(wanted(owned)) as Scale
        await engine.admission.mutate({
          ...admissionAttributes(context, 'UPDATE', scale, owned),
          kind: 'Scale',
        })
        // Custom resources have their own rules.
        if (resource.custom) checkGiven(scale, resource)
        else
          checkScale(
            context,
            scale,
            demands.expectedUid === undefined ? live.metadata.uid : undefined,
          )
        const managedFields = workloadEntries(
          workload.metadata.managedFields,
          scale.metadata.managedFields,
          resource.apiVersion,
          paths,
        )
        const object: Workload = {
          ...workload,
          metadata: { ...workload.metadata, ...versionOf(scale, resource) },
          ...withReplicas(
            workload,
            membersOf(resource.scale?.specReplicasPath ?? '.spec.replicas'),
            scale.spec?.replicas ?? 0,
          ),
        }
        object.metadata.managedFields = managedFields
        return object
      },
    },
  )
  return respondScale(
    exchange,
    subresource,
    type,
    shownWorkload(resource, isStored(result) ? result.object : result),
  )
}
