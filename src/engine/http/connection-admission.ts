/** Runs before the object is read. */
import { type JsonObject, type KubeObject, setMember } from '../core/object'
import { admissionAttributes } from '../registry/request-context'
import type { Subresource } from '../registry/resource'
import type { ReleaseTables } from '../release-tables/tables'
import { typeOfEveryRelease } from '../schema/every-release'
import type { TypeNode } from '../schema/model'
import { type Exchange, READ_ONLY, registryContext } from './exchange'
import { flag } from './options'
import type { Query } from './query'
import type { RequestInfo } from './request-info'
import { badRequest } from './status'

/** @throws ApiError 400 for a dry run, or the error of a plugin */
export async function admitConnection(exchange: Exchange, { kind }: Subresource): Promise<void> {
  const { engine, info } = exchange
  if (info.query.has('dryRun')) throw badRequest('dryRun is not supported')
  const options = connectionOptions(info.query, kind, pathBehind(info), engine.tables)
  const context = registryContext(exchange, READ_ONLY)
  const attributes = {
    ...admissionAttributes(context, 'CONNECT', options, undefined),
    kind: kind.kind,
    options: () => undefined,
  }
  await engine.admission.mutate(attributes)
  await engine.admission.validate(attributes)
}

function connectionOptions(
  query: Query,
  { group, version, kind }: Subresource['kind'],
  path: string,
  tables: ReleaseTables,
): KubeObject {
  const members: JsonObject = {}
  for (const { name, type } of typeOfEveryRelease({ group, version, kind }, tables)?.fields ?? []) {
    if (name === 'path') members.path = path || (query.get('path') ?? '')
    else if (query.has(name)) setMember(members, name, fieldOf(query, name, type))
  }
  return {
    ...members,
    kind,
    apiVersion: group === '' ? version : `${group}/${version}`,
    metadata: {},
  }
}

/** The path behind the subresource, with all its slashes. */
export function pathBehind({ parts, path: whole }: RequestInfo): string {
  const path = parts.slice(3).join('/')
  const begun = path === '' || path.startsWith('/') ? path : `/${path}`
  return whole.endsWith('/') && !begun.endsWith('/') ? `${begun}/` : begun
}

function fieldOf(query: Query, name: string, type: TypeNode): JsonObject[string] {
  if (type.type === 'list')
    return type.items.type === 'scalar' && type.items.format === 'int32'
      ? numbersIn(query.all(name))
      : query.all(name)
  if (type.type !== 'scalar') return null
  if (type.format === 'boolean') return flag(query, name) ?? false
  return type.format === 'int32' || type.format === 'int64'
    ? Number(query.get(name))
    : (query.get(name) ?? '')
}

const numbersIn = (values: readonly string[]): number[] =>
  values.flatMap((value) => value.split(',')).map(Number)
