/** The registry has the rules. Recorded from kube-apiserver 1.31. */
import type { KubeObject } from '../../core/object'
import {
  DEFAULT_SECONDS,
  requestToken,
  type TokenRequest,
} from '../../kinds/core/service-account-token'
import { wipeSystemFields } from '../../registry/create'
import { recordOwnership } from '../../registry/record-ownership'
import { admissionAttributes } from '../../registry/request-context'
import { asOwnKind, type Subresource } from '../../registry/resource'
import { canonicalize } from '../../schema/canonical'
import type { StructType } from '../../schema/model'
import { expectedKind, readObject } from '../body'
import {
  type Exchange,
  matchNamespace,
  registryContext,
  responseContext,
  strictnessOf,
} from '../exchange'
import type { ApiResponse } from '../messages'
import { writeOptions } from '../options'
import { respondObject } from '../respond'
import { failure } from '../status'

export async function handleToken(exchange: Exchange, { kind }: Subresource): Promise<ApiResponse> {
  const { engine, request, info } = exchange
  const tokens = engine.serviceAccountTokens
  if (tokens === undefined)
    throw failure(
      501,
      'NotImplemented',
      'this server has no means of signing service account tokens',
      {},
    )
  const options = writeOptions(info.query, 'CreateOptions')
  const type = engine.model.byKind(kind.group, kind.version, kind.kind) as StructType
  // Without versions and cached texts of the account.
  const resource = asOwnKind(exchange.resource, kind, type)
  exchange.trace.enter('decoding')
  const requested = (await readObject(
    request,
    { ...expectedKind(kind, type, engine.tables), defaults },
    strictnessOf(exchange, options),
  )) as TokenRequest
  matchNamespace(requested, info, resource)
  wipeSystemFields(requested.metadata)
  const context = registryContext(exchange, options)
  recordOwnership({ ...context, resource }, undefined, requested)
  const attributes = {
    ...admissionAttributes(context, 'CREATE', requested, undefined),
    kind: kind.kind,
  }
  await engine.admission.mutate(attributes)
  const issued = await requestToken(context, tokens, requested, async () =>
    engine.admission.validate(attributes),
  )
  exchange.trace.enter('encoding')
  return respondObject({ ...responseContext(exchange), resource }, 201, canonicalize(type, issued))
}

function defaults(object: KubeObject): void {
  const spec = (object.spec ?? {}) as Partial<TokenRequest['spec']>
  spec.expirationSeconds ??= DEFAULT_SECONDS
  object.spec = spec
}
