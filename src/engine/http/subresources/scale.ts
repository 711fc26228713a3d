/** `scale`: the number of replicas of a workload as an object of its own (autoscaling/v1 Scale; behaviour recorded). */

import { applyPatch } from '../../apply/managers'
import { timestamp } from '../../environment'
import { MEDIA_TYPE } from '../../names'
import { isJsonObject, type JsonObject, type KubeObject } from '../../object'
import { patchObject } from '../../patch/patched-object'
import { recordOwnership } from '../../registry/create'
import { invalidValue } from '../../registry/field-errors'
import { keyOf, type RequestContext } from '../../registry/request-context'
import type { Subresource } from '../../registry/resource'
import { updateObject } from '../../registry/update'
import { canonicalize } from '../../schema/canonical'
import type { StructType } from '../../schema/model'
import { readYaml } from '../../schema/yaml-reader'
import { selectorOf, selectorText } from '../../selectors/labels'
import { bodyText, decodeValue, type Expected, expectedOf, readBody, readObject } from '../body'
import type { ApiResponse } from '../messages'
import { writeOptions } from '../options'
import { decodingOf, patchTypeOf } from '../patch-handler'
import { type Exchange, READ_ONLY, registryContext, responseContext } from '../resource-handler'
import { isStored, respondObject } from '../respond'
import { invalid, methodNotAllowed, notFound } from '../status'
import { matchName } from '../update-handler'

interface Scale extends KubeObject {
  spec?: { replicas?: number }
  status?: { replicas?: number; selector?: string }
}

interface Workload extends KubeObject {
  spec?: { replicas?: number; selector?: JsonObject }
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
function selectorTextOf(selector: JsonObject | undefined): string {
  if (selector === undefined) return ''
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
  const { request, info, warnings } = exchange
  const options = writeOptions(info.query, 'UpdateOptions')
  const context = registryContext(exchange, options)
  const scale = (await readObject(request, expectedScale(type), {
    level: options.fieldValidation,
    warn: (text) => warnings.add(text),
  })) as Scale
  matchName(scale, info.name)
  return storeScale(exchange, context, subresource, type, async () => scale)
}

async function patchScale(exchange: Exchange, subresource: Subresource, type: StructType): Promise<ApiResponse> {
  const { request, info, resource } = exchange
  const patchType = patchTypeOf(request.header('content-type'), resource)
  const bytes = await readBody(request)
  const isApply = patchType === MEDIA_TYPE.applyPatch
  const options = writeOptions(info.query, 'PatchOptions', isApply)
  const context = registryContext(exchange, options)
  if (isApply) return applyScale(exchange, context, subresource, type, bytes, options.force)
  return storeScale(exchange, context, subresource, type, async (workload) => {
    const patched = patchObject(canonicalize(type, scaleOf(workload)), patchType, bodyText(bytes), type)
    const strictness = { level: options.fieldValidation, warn: (text: string) => exchange.warnings.add(text) }
    return decodeValue(patched, expectedScale(type), strictness, decodingOf(patched)) as Scale
  })
}

/** An apply through `scale` applies the number to the workload: conflicts and ownership are the workload's. */
async function applyScale(
  exchange: Exchange,
  context: RequestContext,
  subresource: Subresource,
  type: StructType,
  bytes: Uint8Array,
  force: boolean,
): Promise<ApiResponse> {
  const { resource, engine } = exchange
  const { value } = readYaml(bodyText(bytes))
  const body = isJsonObject(value) ? value : {}
  const spec = isJsonObject(body.spec) ? body.spec : {}
  const applied: JsonObject = { apiVersion: resource.apiVersion, kind: resource.kind, metadata: { name: context.name }, spec: { ...spec } }
  const { result } = await updateObject(
    { ...context, subresource: '' },
    {
      async produce(existing) {
        if (existing === undefined) throw missing(exchange)
        const { object, managedFields } = applyPatch({
          live: existing,
          applied,
          type: resource.type,
          kind: resource,
          manager: context.manager,
          apiVersion: resource.apiVersion,
          subresource: 'scale',
          force,
          time: timestamp(engine.clock.now()),
        })
        const decoded = decodeValue({ value: object, duplicates: [] }, expectedOf(resource), { level: 'Ignore', warn: () => undefined })
        decoded.metadata.managedFields = managedFields
        return decoded
      },
    },
  )
  return respondScale(exchange, subresource, type, (isStored(result) ? result.object : result) as Workload)
}

/** Writes the wanted number into the workload; the workload's own entry of ownership says that it came through `scale`. */
async function storeScale(
  exchange: Exchange,
  context: RequestContext,
  subresource: Subresource,
  type: StructType,
  wanted: (workload: Workload) => Promise<Scale>,
): Promise<ApiResponse> {
  const { result } = await updateObject(
    { ...context, subresource: '' },
    {
      async produce(existing) {
        if (existing === undefined) throw missing(exchange)
        const workload = existing as Workload
        const scale = await wanted(workload)
        checkReplicas(scale, context.name)
        const object: Workload = {
          ...workload,
          metadata: { ...workload.metadata, ...versionOf(scale), ...(scale.metadata.uid ? { uid: scale.metadata.uid } : {}) },
          spec: { ...workload.spec, replicas: scale.spec?.replicas ?? 0 },
        }
        recordOwnership({ ...context, subresource: 'scale' }, existing, object)
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
