/** The subresource `binding` of Pods. Recorded from kube-apiserver 1.31. */
import { type Binding, bindPod } from '../../kinds/core/pod-binding'
import { recordOwnership } from '../../registry/record-ownership'
import { admissionAttributes } from '../../registry/request-context'
import { asOwnKind, type Subresource } from '../../registry/resource'
import type { StructType } from '../../schema/model'
import { expectedKind, readObject } from '../body'
import { type Exchange, matchNamespace, registryContext, respond, strictnessOf } from '../exchange'
import type { ApiResponse } from '../messages'
import { writeOptions } from '../options'
import { badRequest } from '../status'

export async function handleBinding(
  exchange: Exchange,
  { kind }: Subresource,
): Promise<ApiResponse> {
  const { engine, request, info, resource } = exchange
  const options = writeOptions(info.query, 'CreateOptions')
  const expected = expectedKind(
    kind,
    engine.model.byKind(kind.group, kind.version, kind.kind) as StructType,
    engine.tables,
  )
  const binding = (await readObject(request, expected, strictnessOf(exchange, options))) as Binding
  matchNamespace(binding, info, resource)
  const context = registryContext(exchange, options)
  recordOwnership(
    { ...context, resource: asOwnKind(resource, kind, expected.type) },
    undefined,
    binding,
  )
  const attributes = {
    ...admissionAttributes(context, 'CREATE', binding, undefined),
    kind: kind.kind,
  }
  await engine.admission.mutate(attributes)
  if (binding.metadata.name !== info.name)
    throw badRequest('name in URL does not match name in Binding object')
  return respond(
    exchange,
    201,
    await bindPod(context, binding, () => engine.admission.validate(attributes)),
  )
}
