/** POST pods/{name}/eviction (recorded). */
import type { KubeObject } from '../../object'
import { evictPod } from '../../registry/core/pod-eviction'
import type { DeleteOptions } from '../../registry/delete'
import { admissionAttributes } from '../../registry/request-context'
import type { Subresource } from '../../registry/resource'
import type { StructType } from '../../schema/model'
import { expectedKind, readObject } from '../body'
import type { ApiResponse } from '../messages'
import { writeOptions } from '../options'
import { type Exchange, matchNamespace, registryContext, respond } from '../resource-handler'
import { badRequest } from '../status'

interface Eviction extends KubeObject {
  deleteOptions?: DeleteOptions & { dryRun?: string[] }
}

export async function handleEviction(exchange: Exchange, { kind }: Subresource): Promise<ApiResponse> {
  const { engine, request, info, resource, warnings } = exchange
  const options = writeOptions(info.query, 'CreateOptions')
  const type = engine.model.byKind(kind.group, kind.version, kind.kind) as StructType
  const eviction = (await readObject(
    request,
    { ...expectedKind(kind, type), alsoVersions: ['v1beta1'] },
    { level: options.fieldValidation, warn: (text) => warnings.add(text) },
  )) as Eviction
  matchNamespace(eviction, info, resource)
  const { dryRun = [], ...deletion } = eviction.deleteOptions ?? {}
  const context = registryContext(exchange, { ...options, dryRun: options.dryRun || dryRun.length > 0 })
  const attributes = { ...admissionAttributes(context, 'CREATE', eviction, undefined), group: '', kind: kind.kind }
  await engine.admission.mutate(attributes)
  // Whoever may not evict the pod is told so first (recorded).
  if (eviction.metadata.name !== info.name) throw badRequest('name in URL does not match name in Eviction object')
  await engine.admission.validate(attributes)
  return respond(exchange, 201, await evictPod(context, deletion))
}
