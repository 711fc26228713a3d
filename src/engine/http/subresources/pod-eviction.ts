/** The subresource `eviction` of Pods. Recorded from kube-apiserver 1.31. */
import type { KubeObject } from '../../core/object'
import { evictPod } from '../../kinds/core/pod-eviction'
import { recordOwnership } from '../../registry/record-ownership'
import { admissionAttributes } from '../../registry/request-context'
import { asOwnKind, type Subresource } from '../../registry/resource'
import type { StructType } from '../../schema/model'
import { expectedKind, readObject } from '../body'
import { checkedOptions, type RawDeleteOptions } from '../delete-options'
import { type Exchange, matchNamespace, registryContext, respond, strictnessOf } from '../exchange'
import type { ApiResponse } from '../messages'
import { writeOptions } from '../options'
import { badRequest, serverError } from '../status'

interface Eviction extends KubeObject {
  deleteOptions?: RawDeleteOptions
}

export async function handleEviction(
  exchange: Exchange,
  { kind }: Subresource,
): Promise<ApiResponse> {
  const { engine, request, info, resource } = exchange
  const options = writeOptions(info.query, 'CreateOptions')
  const type = engine.model.byKind(kind.group, kind.version, kind.kind) as StructType
  const eviction = (await readObject(
    request,
    { ...expectedKind(kind, type, engine.tables), alsoVersions: ['v1beta1'] },
    strictnessOf(exchange, options),
  )) as Eviction
  matchNamespace(eviction, info, resource)
  const wanted = eviction.deleteOptions ?? {}
  const dryRun = options.dryRun || (wanted.dryRun ?? []).length > 0
  const context = registryContext(exchange, { ...options, dryRun })
  recordOwnership({ ...context, resource: asOwnKind(resource, kind, type) }, undefined, eviction)
  const attributes = {
    ...admissionAttributes(context, 'CREATE', eviction, undefined),
    group: '',
    kind: kind.kind,
  }
  await engine.admission.mutate(attributes)
  if (eviction.metadata.name !== info.name)
    throw badRequest('name in URL does not match name in Eviction object')
  const inQuery = info.query.all('dryRun')
  checkTrial(inQuery, wanted.dryRun ?? [])
  if (inQuery.length > 0 && eviction.deleteOptions !== undefined)
    eviction.deleteOptions.dryRun = inQuery
  await engine.admission.validate(attributes)
  return respond(exchange, 201, await evictPod(context, wanted, () => checkedOptions(wanted)))
}

/** Query and body may not request different dry runs. @throws ApiError 500 */
function checkTrial(inQuery: string[], wanted: string[]): void {
  if (inQuery.length === 0 || wanted.length === 0 || inQuery.join() === wanted.join()) return
  throw serverError(
    `Non-matching dry-run options in request and content: [${inQuery.join(' ')}] and [${wanted.join(' ')}]`,
  )
}
