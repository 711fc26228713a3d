/**
 * Shared by gets, lists and watches. Copying bytes is many times faster than joining texts, and
 * hosts need not encode them.
 */
import type { KubeObject } from '../core/object'
import type { Resource } from '../registry/resource'
import { escapeHtml } from '../schema/canonical'
import type { StoredObject } from '../storage/storage'
import { putEncoded, shouldCache } from './encoded-cache'

const encoder = new TextEncoder()
const COMMA = 0x2c
const OPENING_BRACE = 0x7b

export function servedObject(found: KubeObject | StoredObject, resource: Resource): KubeObject {
  const object = 'encoded' in found ? (found as StoredObject).object : found
  return resource.fromHub ? resource.fromHub(object) : object
}

/** With a newline. */
export function responseJson(stored: StoredObject, resource: Resource): Uint8Array | string {
  const known = cachedIn(stored, resource)
  if (known) return known
  return shouldCache(stored) ? storedJson(stored, resource) : jsonOf(stored, resource)
}

/** With a newline. @param mayReplace see encoded-cache.ts */
export function storedJson(
  stored: StoredObject,
  resource: Resource,
  mayReplace = true,
): Uint8Array {
  const known = cachedIn(stored, resource)
  if (known) return known
  const bytes = encoder.encode(jsonOf(stored, resource))
  putEncoded(stored, formOf(resource), bytes, mayReplace)
  return bytes
}

/** Not cached: the object may never be read. */
export function writtenJson(stored: StoredObject, resource: Resource): Uint8Array | string {
  return cachedIn(stored, resource) ?? jsonOf(stored, resource)
}

const formOf = (resource: Resource): string => resource.form ?? resource.apiVersion

const cachedIn = (stored: StoredObject, resource: Resource): Uint8Array | undefined =>
  stored.encoded?.get(formOf(resource))

function jsonOf(stored: StoredObject, resource: Resource): string {
  const text =
    (resource.fromHub ? undefined : stored.text) ?? JSON.stringify(servedObject(stored, resource))
  return `${escapeHtml(text)}\n`
}

/** Clients that list at the same time share its bytes. */
let lastList: { head: string; items: StoredObject[]; bytes: Uint8Array } | undefined

/** Items omit kind and apiVersion. @param head `{"kind":"PodList",…,"items":[` */
export function storedListJson(
  head: string,
  items: StoredObject[],
  resource: Resource,
): Uint8Array {
  if (
    lastList?.head !== head ||
    lastList.items.length !== items.length ||
    lastList.items.some((item, i) => item !== items[i])
  ) {
    lastList = { head, items, bytes: listBytes(head, items, resource) }
  }
  return lastList.bytes
}

function listBytes(head: string, items: StoredObject[], resource: Resource): Uint8Array {
  const start = encoder.encode(head)
  const end = encoder.encode(']}\n')
  // `{"kind":"Pod","apiVersion":"v1",` becomes `{`.
  const skipped = `{"kind":"${resource.kind}","apiVersion":"${resource.apiVersion}",`.length
  const parts = items.map((item) => {
    const bytes = storedJson(item, resource, false)
    return bytes.subarray(skipped, bytes.length - 1)
  })
  const length = parts.reduce(
    (total, part) => total + part.length,
    start.length + end.length + Math.max(0, 2 * parts.length - 1),
  )
  const list = new Uint8Array(length)
  list.set(start)
  let at = start.length
  for (const [index, part] of parts.entries()) {
    if (index > 0) list[at++] = COMMA
    list[at++] = OPENING_BRACE
    list.set(part, at)
    at += part.length
  }
  list.set(end, at)
  return list
}

/** All watchers of a change share its bytes. */
let lastEvent:
  | { type: string; stored: StoredObject; resource: Resource; bytes: Uint8Array }
  | undefined

export function storedEventJson(
  type: string,
  stored: StoredObject,
  resource: Resource,
): Uint8Array {
  if (lastEvent?.stored !== stored || lastEvent.type !== type || lastEvent.resource !== resource) {
    const start = encoder.encode(`{"type":"${type}","object":`)
    const object = storedJson(stored, resource)
    const end = encoder.encode('}\n')
    const bytes = new Uint8Array(start.length + object.length - 1 + end.length)
    bytes.set(start)
    bytes.set(object.subarray(0, object.length - 1), start.length)
    bytes.set(end, start.length + object.length - 1)
    lastEvent = { type, stored, resource, bytes }
  }
  return lastEvent.bytes
}
