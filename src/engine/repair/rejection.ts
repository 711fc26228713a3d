import { isJsonObject, type JsonObject } from '../core/object'
import type { Status } from '../http/status'
import type { TypeNode } from '../schema/model'
import { readYaml } from '../schema/yaml/reader'
import type { Branch, Branches, BranchResponse } from './branch'
import type { Place, Rejection, SentRequest } from './repair'

/** @returns undefined without a trace or a Status */
export function rejectionOf(
  request: SentRequest,
  { body, trace }: BranchResponse,
  branch: Branch,
  branches: Branches,
): Rejection | undefined {
  const error = trace?.rejection
  const attributes = trace?.attributes
  if (trace === undefined || attributes === undefined || body?.kind !== 'Status') return undefined
  const { group, version, resource, subresource, namespace, name } = attributes
  const object = objectOf(request)
  return {
    request,
    object,
    status: body as unknown as Status,
    grounds: error?.grounds,
    errors: error?.invalid?.errors ?? [],
    policies: trace.policies,
    user: (trace.impersonated ?? trace.user)?.name ?? '',
    target: { group, resource, subresource, namespace, name },
    fieldNames: (place) => fieldNames(branches.typeOf(group, version, resource), place),
    read: async (path) => {
      const response = await branch.send({ method: 'GET', path })
      return response.status === 200 ? response.body : undefined
    },
    readAt: (resourceVersion) => readAt(branches, pathOf(request), resourceVersion),
  }
}

function fieldNames(type: TypeNode | undefined, place: Place): readonly string[] {
  let at = type
  for (const step of place) {
    if (at?.type === 'list') at = at.items
    else if (at?.type === 'map') at = at.values
    else at = at?.type === 'struct' ? at.byName.get(String(step))?.type : undefined
  }
  return at?.type === 'struct' ? at.fields.map(({ name }) => name) : []
}

export const pathOf = ({ path }: SentRequest): string => path.split('?')[0] ?? ''

/** JSON is YAML. @returns undefined if it is not an object */
export function objectOf({ body = '' }: SentRequest): JsonObject | undefined {
  try {
    const { value } = readYaml(body)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

async function readAt(
  branches: Branches,
  path: string,
  resourceVersion: string,
): Promise<JsonObject | undefined> {
  const slash = path.lastIndexOf('/')
  const query = [
    `fieldSelector=metadata.name%3D${path.slice(slash + 1)}`,
    `resourceVersion=${encodeURIComponent(resourceVersion)}`,
    'resourceVersionMatch=Exact',
  ].join('&')
  const list = await branches.read(`${path.slice(0, slash)}?${query}`)
  const [item] = Array.isArray(list?.items) ? list.items : []
  return isJsonObject(item) ? item : undefined
}
