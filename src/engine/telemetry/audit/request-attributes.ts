/** The authorization attributes of an audited request. */
import { isJsonObject, type Json } from '../../core/object'
import type { RequestAttributes } from '../trace'
import type { AuditEvent } from './event'

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

/** Creates are authorized without a name. Recorded from kube-apiserver 1.31. */
export function attributesOf({ verb, requestURI, objectRef }: AuditEvent): RequestAttributes {
  const ref = isJsonObject(objectRef) ? objectRef : undefined
  const [path = ''] = requestURI.split('?')
  const named = verb === 'create' && text(ref?.subresource) === '' ? '' : text(ref?.name)
  return {
    verb,
    isResource: ref !== undefined,
    path,
    group: text(ref?.apiGroup),
    version: text(ref?.apiVersion),
    resource: text(ref?.resource),
    subresource: text(ref?.subresource),
    namespace: text(ref?.namespace),
    name: named,
  }
}
