/** JSON whose resourceVersion is the revision that stored it. */
import type { Log } from '../../../engine/core/environment'
import type { KubeObject } from '../../../engine/core/object'
import type { StoredObject } from '../../../engine/storage/storage'
import { StoredVersion } from '../../../engine/storage/stored-version'
import type { Keys } from './keys'
import type { KeyValue } from './wire'

const utf8 = new TextDecoder()

/** @returns undefined for an invalid value, which is logged */
export function objectOf({ key, value, modRevision }: KeyValue, log: Log): KubeObject | undefined {
  try {
    const object = JSON.parse(utf8.decode(value)) as KubeObject
    object.metadata.resourceVersion = String(modRevision)
    return object
  } catch (error) {
    log.error(`${key} in etcd is not an object of this server and is ignored`, error)
    return undefined
  }
}

/** @returns undefined for an invalid value or a bookkeeping key */
export function storedOf(item: KeyValue, keys: Keys, log: Log): StoredObject | undefined {
  const object = objectOf(item, log)
  const key = keys.from(item.key)
  if (key === undefined || object === undefined) return undefined
  return new StoredVersion(key, object, item.modRevision, item.createRevision)
}
