/** `scale`: the number of replicas of a workload as an object of its own (autoscaling/v1 Scale; behaviour recorded). */

import { applyPatch, updateManagedFields, type Write } from '../../apply/managers'
import { type ReplicasPaths, scaleEntries, workloadEntries } from '../../apply/scale'
import { timestamp } from '../../environment'
import { MEDIA_TYPE } from '../../names'
import { apiVersionOf, draftOf, isJsonObject, type Json, type JsonObject, type KubeObject, parseApiVersion } from '../../object'
import { invalidValue } from '../../registry/field-errors'
import { admissionAttributes, type RequestContext } from '../../registry/request-context'
import type { Resource, ScalePaths, Subresource } from '../../registry/resource'
import { membersOf, valueAt } from '../../registry/rules/custom-objects/scale'
import { readStored } from '../../registry/stored'
import { updateObject } from '../../registry/update'
import { canonicalize } from '../../schema/canonical'
import { decodeObject } from '../../schema/decode'
import { goQuote } from '../../schema/go-text'
import type { StructType } from '../../schema/model'
import { selectorOf, selectorText } from '../../selectors/labels'
import { readApplied } from '../apply-handler'
import { type Expected, readObject, withinLimit } from '../body'
import type { ApiResponse } from '../messages'
import { writeOptions } from '../options'
import { patchTypeOf, refusePatchType } from '../patch-handler'
import { patchedObject } from '../patched-object'
import { type Exchange, matchNamespace, READ_ONLY, registryContext, responseContext } from '../resource-handler'
import { isStored, respondObject } from '../respond'
import { badRequest, conflict, failure, invalid, methodNotAllowed, notFound, serverError } from '../status'
import { servedObject } from '../stored-json'
import { matchName } from '../update-handler'
import { fromOlderScale, toOlderScale } from './older-scale'

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
  return notFound({ group: resource.group, resource: resource.custom ? resource.resource : `${resource.resource}/scale` }, info.name)
}

async function readWorkload(exchange: Exchange): Promise<Workload> {
  const context = registryContext(exchange, READ_ONLY)
  const stored = await readStored(context)
  if (stored === undefined) throw missing(exchange)
  return shownWorkload(exchange.resource, stored.object)
}

/** Custom resources in the version of the request, whose paths count; built-in workloads as they are stored. */
function shownWorkload(resource: Resource, stored: KubeObject): Workload {
  return (resource.scale ? servedObject(stored, resource) : stored) as Workload
}

/** What a custom resource counts itself; undefined: it does not say. */
function numberAt(workload: Workload, path: string): number | undefined {
  const replicas = valueAt(workload as unknown as JsonObject, path)
  return typeof replicas === 'number' ? replicas : undefined
}

/** A custom resource is shown as a Scale only if it says how many replicas it wants (public). @throws ApiError 500 */
function requireReplicas(workload: Workload, paths: ScalePaths | undefined): void {
  if (paths === undefined || numberAt(workload, paths.specReplicasPath) !== undefined) return
  const message = `the spec replicas field "${paths.specReplicasPath}" does not exist`
  throw failure(500, 'InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] })
}

/** The number in the place of one that a custom resource does not say: the smallest of 32 bits (public). */
const UNSAID = -2_147_483_648

/** A write must give the number where there is none yet. @throws ApiError 400 */
function requireGiven(scale: Scale, path: string | undefined): void {
  if (scale.spec?.replicas === UNSAID) throw badRequest(`the spec replicas field ${goQuote(path ?? '')} cannot be empty`)
}

/** The workload seen as a Scale. @param paths where a custom resource keeps what is shown */
export function scaleOf(workload: Workload, paths?: ScalePaths): Scale {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = workload.metadata
  if (paths !== undefined) {
    const at = (path: string | undefined) => (path === undefined ? undefined : valueAt(workload as unknown as JsonObject, path))
    const replicas = numberAt(workload, paths.specReplicasPath)
    const selector = at(paths.labelSelectorPath)
    return {
      kind: 'Scale',
      apiVersion: SCALE_VERSION,
      metadata: { name, namespace, uid, resourceVersion, creationTimestamp } as Scale['metadata'],
      spec: replicas ? { replicas } : {},
      status: { replicas: Number(at(paths.statusReplicasPath) ?? 0), selector: typeof selector === 'string' ? selector : '' },
    }
  }
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
  const { apiVersion, shape } = shownAs(exchange, subresource, type)
  // Answered as an object of its own kind; the workload's versions and cached texts have nothing to do with it.
  const resource = {
    ...exchange.resource,
    group,
    version,
    kind,
    type: shape,
    apiVersion,
    subresource: 'scale',
    fromHub: undefined,
    toHub: undefined,
  }
  requireReplicas(workload, exchange.resource.scale)
  const scale = scaleOf(workload, exchange.resource.scale)
  const shown = apiVersion === SCALE_VERSION ? scale : toOlderScale(scale, apiVersion, workload.spec?.selector)
  return respondObject({ ...responseContext(exchange), resource }, 200, canonicalize(shape, shown))
}

/** Workloads of old versions have a Scale of their own. */
function shownAs({ engine }: Exchange, { kind: { group, version } }: Subresource, type: StructType) {
  const apiVersion = apiVersionOf(group, version)
  return { apiVersion, shape: apiVersion === SCALE_VERSION ? type : (engine.model.byKind(group, version, 'Scale') as StructType) }
}

function expectedScale(exchange: Exchange, subresource: Subresource, type: StructType): Expected {
  const { apiVersion, shape } = shownAs(exchange, subresource, type)
  const { group, version } = parseApiVersion(apiVersion)
  const toHub = apiVersion === SCALE_VERSION ? undefined : fromOlderScale
  return { group, version, apiVersion, kind: 'Scale', type: shape, custom: false, toHub }
}

async function putScale(exchange: Exchange, subresource: Subresource, type: StructType): Promise<ApiResponse> {
  const { request, info, resource, warnings } = exchange
  const options = writeOptions(info.query, 'UpdateOptions')
  const context = registryContext(exchange, options)
  const scale = (await readObject(request, expectedScale(exchange, subresource, type), {
    level: options.fieldValidation,
    warn: (text) => warnings.add(text),
  })) as Scale
  matchNamespace(scale, info, resource)
  matchName(scale, info.name)
  const wanted = (live: Scale) => updatedScale(context, live, { ...scale, metadata: { ...scale.metadata } }, type)
  return storeScale(exchange, context, subresource, type, wanted, scale.metadata.uid)
}

async function patchScale(exchange: Exchange, subresource: Subresource, type: StructType): Promise<ApiResponse> {
  const { request, info, resource, warnings } = exchange
  const patchType = patchTypeOf(request, resource) ?? (await refusePatchType(request, resource))
  const bytes = withinLimit(await request.body())
  const options = writeOptions(info.query, 'PatchOptions', patchType === MEDIA_TYPE.applyPatch)
  const context = registryContext(exchange, options)
  return storeScale(exchange, context, subresource, type, (live) => {
    const scale =
      patchType === MEDIA_TYPE.applyPatch
        ? appliedScale(context, live, bytes, type, options.force)
        : (patchedObject(shownScale(exchange, subresource, type, live), patchType, bytes, expectedScale(exchange, subresource, type), {
            level: options.fieldValidation,
            warn: (text) => warnings.add(text),
          }) as Scale)
    matchNamespace(scale, info, resource)
    matchName(scale, context.name)
    return patchType === MEDIA_TYPE.applyPatch ? scale : updatedScale(context, live, scale, type)
  })
}

/** What a patch is applied to. The selector is the server's to say, and of no matter here. */
function shownScale(exchange: Exchange, subresource: Subresource, type: StructType, live: Scale): KubeObject {
  const { apiVersion } = shownAs(exchange, subresource, type)
  return apiVersion === SCALE_VERSION ? live : toOlderScale(live, apiVersion, undefined)
}

/** How ownership sees a write to a Scale: an object of its own, through an endpoint of the workload. */
function scaleWrite({ engine, manager }: RequestContext, live: Scale, type: StructType): Write {
  return { live, type, manager, apiVersion: SCALE_VERSION, subresource: 'scale', time: timestamp(engine.clock.now()) }
}

function updatedScale(context: RequestContext, live: Scale, scale: Scale, type: StructType): Scale {
  scale.metadata.managedFields = updateManagedFields(scaleWrite(context, live, type), scale)
  return scale
}

function appliedScale(context: RequestContext, live: Scale, bytes: Uint8Array, type: StructType, force: boolean): Scale {
  const { applied } = readApplied(bytes)
  // Once nobody is in the way the real server looks for the Scale among the custom resource's versions, and fails (recorded).
  const refused = context.resource.custom
  const kind = { group: 'autoscaling', version: 'v1', kind: 'Scale' }
  const { object, managedFields } = applyPatch(scaleWrite(context, live, type), { applied, kind, force })
  if (refused) {
    const what = `${context.namespace}/${context.name}; ${SCALE_VERSION}, Kind=Scale`
    throw serverError(
      `failed to convert new object (${what}) to proper version: request to convert CR to an invalid group/version: ${SCALE_VERSION}`,
    )
  }
  const scale = decodeObject(type, object).object as Scale
  scale.metadata.managedFields = managedFields
  return scale
}

/** Every built-in workload counts its replicas in the same place, in every version. */
function replicasPathIn({ group, scale }: Resource): ReplicasPaths {
  const path = membersOf(scale?.specReplicasPath ?? '.spec.replicas').map((member) => `f:${member}` as const)
  return (apiVersion) => (parseApiVersion(apiVersion).group === group ? path : undefined)
}

/** Writes the wanted number into the workload, whose own entries of ownership say that it came through `scale`. */
async function storeScale(
  exchange: Exchange,
  context: RequestContext,
  subresource: Subresource,
  type: StructType,
  wanted: (live: Scale) => Scale,
  expectedUid?: string,
): Promise<ApiResponse> {
  const { engine, resource } = exchange
  const paths = replicasPathIn(resource)
  const { result } = await updateObject(
    { ...context, subresource: '' },
    {
      ...(expectedUid ? { expectedUid } : {}),
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
        const live = canonicalize(type, scaleOf(workload, resource.scale)) as Scale
        if (resource.scale && numberAt(workload, resource.scale.specReplicasPath) === undefined) live.spec = { replicas: UNSAID }
        const owners = scaleEntries(workload.metadata.managedFields, paths)
        const scale = draftOf(wanted({ ...live, metadata: { ...live.metadata, ...(owners ? { managedFields: owners } : {}) } })) as Scale
        await engine.admission.mutate({ ...admissionAttributes(context, 'UPDATE', scale, live), kind: 'Scale' })
        // What a custom resource says of its number of replicas it is told by its own rules.
        if (resource.custom) requireGiven(scale, resource.scale?.specReplicasPath)
        else checkScale(scale, context, workload.metadata.uid)
        const managedFields = workloadEntries(workload.metadata.managedFields, scale.metadata.managedFields, resource.apiVersion, paths)
        const object: Workload = {
          ...workload,
          metadata: { ...workload.metadata, ...versionOf(scale, resource) },
          ...withReplicas(workload, membersOf(resource.scale?.specReplicasPath ?? '.spec.replicas'), scale.spec?.replicas ?? 0),
        }
        object.metadata.managedFields = managedFields
        return object
      },
    },
  )
  return respondScale(exchange, subresource, type, shownWorkload(resource, isStored(result) ? result.object : result))
}

/** The workload's member that holds the number, with it in its place. */
function withReplicas(holder: object, [member = '', ...rest]: string[], replicas: number): JsonObject {
  const inner = (holder as Record<string, Json | undefined>)[member]
  return {
    [member]:
      rest.length === 0
        ? replicas
        : { ...(isJsonObject(inner) ? inner : {}), ...withReplicas(isJsonObject(inner) ? inner : {}, rest, replicas) },
  }
}

/** A Scale without resourceVersion makes no demand on the workload's; a custom resource, that always needs one, keeps its own. */
function versionOf({ metadata }: Scale, { custom }: Resource): { resourceVersion?: string } {
  const { resourceVersion = '' } = metadata
  return custom && resourceVersion === '' ? {} : { resourceVersion }
}

/** @throws ApiError 422 a negative number, 409 another workload is meant (public) */
function checkScale(scale: Scale, { name, resource: { group, resource } }: RequestContext, uid: string | undefined): void {
  const replicas = scale.spec?.replicas ?? 0
  if (replicas < 0) {
    throw invalid({ group: 'autoscaling', kind: 'Scale' }, name, [
      invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0'),
    ])
  }
  const meant = scale.metadata.uid
  if (meant && meant !== uid) {
    const why = `Precondition failed: UID in precondition: ${meant}, UID in object meta: ${uid}`
    throw conflict({ group, resource: `${resource}/scale` }, name, why)
  }
}
