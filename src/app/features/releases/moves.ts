import {
  compareReleases,
  type Release,
  type ServedKind,
  servedVersions,
} from '../../../engine/releases'
import type { LoggedRequest } from '../../state/logged-request'

export interface Endpoint {
  apiVersion: string
  kind: string
  resource: string
}

export interface Move {
  appear: Endpoint[]
  vanish: Endpoint[]
}

const nameOf = ({ apiVersion, resource }: Endpoint): string => `${apiVersion}/${resource}`

/** The tables of both releases must be loaded (`loadTables`). */
export function endpointsOfMove(from: Release, to: Release): Move {
  const [before, after] = [servedVersions(from), servedVersions(to)]
  return { appear: lacking(after, before), vanish: lacking(before, after) }
}

function lacking(kinds: readonly ServedKind[], others: readonly ServedKind[]): Endpoint[] {
  const known = new Set(others.map(nameOf))
  return kinds
    .filter((kind) => !known.has(nameOf(kind)))
    .map(({ apiVersion, kind, resource }) => ({ apiVersion, kind, resource }))
    .sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1))
}

/** `/apis/batch/v1beta1/namespaces/a/cronjobs/b?x=1` -> `batch/v1beta1`, `cronjobs` */
const RESOURCE_PATH =
  /^\/(?:api\/(v1)|apis\/([^/?]+\/[^/?]+))(?:\/watch)?(?:\/namespaces\/[^/?]+)?\/([^/?]+)/

export interface LostRequest {
  request: LoggedRequest
  endpoint: Endpoint
  /** The release is older than the endpoint. */
  tooEarly: boolean
}

/** Ignores custom resources, which do not depend on the release. */
export function requestsLost(
  log: readonly LoggedRequest[],
  from: Release,
  to: Release,
): LostRequest[] {
  const lost = new Map(
    endpointsOfMove(from, to).vanish.map((endpoint) => [nameOf(endpoint), endpoint]),
  )
  return log.flatMap((request) => {
    const [, core, named, resource] = RESOURCE_PATH.exec(request.path) ?? []
    const endpoint = lost.get(`${core ?? named}/${resource}`)
    return endpoint ? [{ request, endpoint, tooEarly: compareReleases(to, from) < 0 }] : []
  })
}
