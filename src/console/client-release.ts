/** kubectl has the minor release of the server. */
import { isJsonObject, type JsonObject } from '../engine/core/object'
import { changesOf } from '../engine/release-tables/changes'

export function clientVersionOf(server: JsonObject): JsonObject {
  const { major = '', minor = '', gitVersion = '' } = server
  return { major, minor, gitVersion, platform: 'console/kubetab' }
}

/** `{ major: '1', minor: '35+' }`: `1.35` */
const releaseOf = ({ major, minor }: JsonObject): string =>
  `${String(major)}.${Number.parseInt(String(minor), 10)}`

/** Later clients omit unset times (k8s.io/apimachinery, pkg/apis/meta/v1/types.go). */
export function printedBy(server: JsonObject, object: JsonObject): JsonObject {
  return changesOf(releaseOf(server)).has('NullCreationTimestampOmitted')
    ? withoutUnsetTimes(object)
    : object
}

function withoutUnsetTimes(object: JsonObject): JsonObject {
  const members = Object.entries(object).filter(
    ([name, value]) => name !== 'creationTimestamp' || value !== null,
  )
  return Object.fromEntries(
    members.map(([name, value]) => [name, isJsonObject(value) ? withoutUnsetTimes(value) : value]),
  )
}
