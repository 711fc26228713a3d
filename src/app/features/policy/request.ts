import {
  isJsonObject,
  type Json,
  type JsonObject,
  parseApiVersion,
} from '../../../engine/core/object'

export interface Asker {
  name: string
  groups: readonly string[]
}

/** @param plural of the object's kind; empty if it is not served */
export function requestFor(
  object: Json | undefined,
  oldObject: Json | undefined,
  plural: string,
  asker: Asker,
): JsonObject {
  const subject = isJsonObject(object) ? object : isJsonObject(oldObject) ? oldObject : {}
  const metadata = isJsonObject(subject.metadata) ? subject.metadata : {}
  const { group, version } = parseApiVersion(textOf(subject.apiVersion))
  const kind = { group, version, kind: textOf(subject.kind) }
  const resource = { group, version, resource: plural }
  return {
    kind,
    resource,
    requestKind: kind,
    requestResource: resource,
    name: textOf(metadata.name),
    namespace: textOf(metadata.namespace),
    operation: !isJsonObject(object) ? 'DELETE' : isJsonObject(oldObject) ? 'UPDATE' : 'CREATE',
    userInfo: { username: asker.name, groups: [...asker.groups] },
    dryRun: false,
    options: null,
  }
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
