/**
 * The subresource `rollback` of Deployments in extensions/v1beta1 and apps/v1beta1. See the API
 * reference of Kubernetes 1.15.
 */
import { draftOf, isJsonObject, type JsonObject, type KubeObject } from '../../core/object'
import type { Subresource } from '../../registry/resource'
import { updateObject } from '../../registry/update'
import { goQuote } from '../../schema/go-text'
import type { StructType } from '../../schema/model'
import { invalidValue, required } from '../../validation/field-errors'
import { expectedKind, readObject } from '../body'
import { type Exchange, registryContext, responseContext, strictnessOf } from '../exchange'
import type { ApiResponse } from '../messages'
import { writeOptions } from '../options'
import { respondObject } from '../respond'
import { badRequest, invalid, notFound, type Status } from '../status'

interface Rollback extends KubeObject {
  name?: string
  updatedAnnotations?: Record<string, string>
  rollbackTo?: { revision?: number }
}

/** Replaces `spec.rollbackTo` in the stored version. */
const ROLLBACK = 'deprecated.deployment.rollback.to'

export async function handleRollback(
  exchange: Exchange,
  { kind }: Subresource,
): Promise<ApiResponse> {
  const { engine, request, info, resource } = exchange
  const options = writeOptions(info.query, 'CreateOptions')
  const type = engine.model.byKind(kind.group, kind.version, kind.kind) as StructType
  const rollback = (await readObject(
    request,
    expectedKind(kind, type, engine.tables),
    strictnessOf(exchange, options),
  )) as Rollback
  const { name = '', updatedAnnotations, rollbackTo } = rollback
  const revision = isJsonObject(rollbackTo as JsonObject | undefined)
    ? (rollbackTo?.revision ?? 0)
    : 0
  const errors = [
    ...(name === '' ? [required('name', 'name is required')] : []),
    ...(revision < 0
      ? [invalidValue('rollback.revision', revision, 'must be greater than or equal to 0')]
      : []),
  ]
  if (errors.length > 0)
    throw invalid({ group: resource.errorGroup, kind: kind.kind }, name, errors)
  if (name !== info.name)
    throw badRequest(
      `name in URL (${info.name}) does not match name in DeploymentRollback object (${name})`,
    )
  await updateObject(registryContext(exchange, options), {
    async produce(existing) {
      if (existing === undefined)
        throw notFound({ group: resource.errorGroup, resource: resource.resource }, info.name)
      const draft = draftOf(existing)
      draft.metadata.annotations = {
        ...draft.metadata.annotations,
        ...updatedAnnotations,
        [ROLLBACK]: String(revision),
      }
      return draft
    },
  })
  return respondObject(
    responseContext(exchange),
    200,
    succeeded(`rollback request for deployment ${goQuote(name)} succeeded`),
  )
}

const succeeded = (message: string): Status => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Success',
  message,
  code: 200,
})
