/** From an audit event back to what was asked: the events of a series of requests tell which rights it took. */
import { isJsonObject, type Json } from '../../object'
import type { Asked } from '../trace'
import type { AuditEvent } from './event'

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

/** A create is authorized without the name that the event learns from the body (recorded). */
export function askedOf({ verb, requestURI, objectRef }: AuditEvent): Asked {
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
