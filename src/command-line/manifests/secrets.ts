/** Secrets without their values, for text that leaves the cluster. */
import { isJsonObject, type Json, type KubeObject } from '../../engine/core/object'

/** base64 of `omitted`, so that the Secret stays valid. */
const OMITTED = 'b21pdHRlZA=='
/** `kubectl apply` keeps the whole manifest, values included. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'

export function isSecret({ apiVersion, kind }: KubeObject): boolean {
  return apiVersion === 'v1' && kind === 'Secret'
}

/** @param substitute for each value, given its key and the value */
export function withoutValues(
  secret: KubeObject,
  substitute: (key: string, value: Json) => string = () => OMITTED,
): KubeObject {
  const { data, stringData, ...rest } = secret
  const { annotations, ...metadata } = secret.metadata
  const kept = Object.entries(annotations ?? {}).filter(([name]) => name !== LAST_APPLIED)
  return {
    ...rest,
    metadata: { ...metadata, ...(kept.length > 0 && { annotations: Object.fromEntries(kept) }) },
    ...(data !== undefined && { data: replaced(data as Json, substitute) }),
    ...(stringData !== undefined && { stringData: replaced(stringData as Json, substitute) }),
  }
}

function replaced(values: Json, substitute: (key: string, value: Json) => string): Json {
  return isJsonObject(values)
    ? Object.fromEntries(
        Object.entries(values).map(([key, value]) => [key, substitute(key, value)]),
      )
    : {}
}
