import type { JsonObject } from '../../core/object'
import type { TypeNode } from '../../schema/model'
import { type ApiOperation, TEXT } from './operations'
import { descriptionSuffix, type Parameter } from './parameters'
import { closure, type Dialect, namedSchema, type Prose } from './schemas'

export type Paths = Map<string, Map<string, ApiOperation>>

export interface Words extends Prose {
  ofParameter(name: string): string | undefined
}

/** Parameters that all operations share move to the path, as in kube-apiserver. */
export function renderPaths(paths: Paths, dialect: Dialect, words: Words): JsonObject {
  const rendered = [...paths]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, operations]) => [path, renderPath(operations, dialect, words)] as const)
  return Object.fromEntries(rendered)
}

function renderPath(
  operations: Map<string, ApiOperation>,
  dialect: Dialect,
  words: Words,
): JsonObject {
  const lists = [...operations.values()].map((operation) =>
    operation.parameters.map((parameter) =>
      renderParameter(parameter, operation.action, dialect, words),
    ),
  )
  const [first = [], ...others] = lists
  const shared = first
    .filter((parameter) =>
      others.every((list) => list.some((other) => sameParameter(other, parameter))),
    )
    .sort(byName)
  const rendered = [...operations].map(([method, operation], i) => {
    const parameters = (lists[i] ?? []).filter(
      (parameter) => !shared.some((other) => sameParameter(other, parameter)),
    )
    return [method, renderOperation(operation, parameters, dialect)] as const
  })
  return { ...Object.fromEntries(rendered), ...(shared.length > 0 ? { parameters: shared } : {}) }
}

const byName = (a: JsonObject, b: JsonObject): number => (String(a.name) < String(b.name) ? -1 : 1)

const sameParameter = (a: JsonObject, b: JsonObject): boolean =>
  JSON.stringify(a) === JSON.stringify(b)

function renderParameter(
  parameter: Parameter,
  action: string | undefined,
  dialect: Dialect,
  words: Words,
): JsonObject {
  const { name, in: place, type } = parameter
  const known =
    parameter.description ??
    (parameter.of ? words.ofField(parameter.of, name) : words.ofParameter(name))
  const description = known ? known + descriptionSuffix(name, action) : undefined
  const head: JsonObject = {
    name,
    in: place,
    ...(description ? { description } : {}),
    ...(place === 'path' ? { required: true } : {}),
  }
  return dialect === 'v2'
    ? { ...head, type, uniqueItems: true }
    : { ...head, schema: { type, uniqueItems: true } }
}

function renderOperation(
  operation: ApiOperation,
  parameters: JsonObject[],
  dialect: Dialect,
): JsonObject {
  const { tags, description, operationId, action, groupVersionKind } = operation
  return {
    tags,
    description,
    operationId,
    ...(dialect === 'v2' ? exchangeV2(operation, parameters) : exchangeV3(operation, parameters)),
    ...(action ? { 'x-kubernetes-action': action } : {}),
    ...(groupVersionKind
      ? { 'x-kubernetes-group-version-kind': kindIn(groupVersionKind, dialect) }
      : {}),
  }
}

/** Version 2 sorts the members. Recorded from kube-apiserver 1.31. */
const kindIn = (
  { group, version, kind }: NonNullable<ApiOperation['groupVersionKind']>,
  dialect: Dialect,
): JsonObject => (dialect === 'v2' ? { group, kind, version } : { group, version, kind })

function exchangeV3(
  { body, produces, responses }: ApiOperation,
  parameters: JsonObject[],
): JsonObject {
  const content = (mediaTypes: string[], schema: string) =>
    Object.fromEntries(
      [...mediaTypes].sort().map((mediaType) => [mediaType, { schema: referenceTo(schema, 'v3') }]),
    )
  const entries = responses.map(
    ({ status, description, schema }) =>
      [status, { description, ...(schema ? { content: content(produces, schema) } : {}) }] as const,
  )
  return {
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body
      ? {
          requestBody: {
            content: content(body.mediaTypes, body.schema),
            ...(body.required ? { required: true } : {}),
          },
        }
      : {}),
    responses: Object.fromEntries(entries),
  }
}

function exchangeV2(
  { body, consumes = ['*/*'], produces, responses }: ApiOperation,
  parameters: JsonObject[],
): JsonObject {
  const ofBody: JsonObject[] = body
    ? [
        {
          name: 'body',
          in: 'body',
          ...(body.required ? { required: true } : {}),
          schema: referenceTo(body.schema, 'v2'),
        },
      ]
    : []
  const entries = responses.map(
    ({ status, description, schema }) =>
      [status, { description, ...(schema ? { schema: referenceTo(schema, 'v2') } : {}) }] as const,
  )
  const all = [...ofBody, ...parameters]
  const taken = body?.mediaTypes ?? consumes
  return {
    ...(taken.length > 0 ? { consumes: taken } : {}),
    produces,
    schemes: ['https'],
    ...(all.length > 0 ? { parameters: all } : {}),
    responses: Object.fromEntries(entries),
  }
}

function referenceTo(schema: string, dialect: Dialect): JsonObject {
  if (schema === TEXT) return { type: 'string' }
  return { $ref: `${dialect === 'v2' ? '#/definitions/' : '#/components/schemas/'}${schema}` }
}

export function schemasIn(paths: Paths): Set<string> {
  const names = new Set<string>()
  for (const operations of paths.values()) {
    for (const { body, responses } of operations.values()) {
      if (body) names.add(body.schema)
      for (const { schema } of responses) if (schema && schema !== TEXT) names.add(schema)
    }
  }
  return names
}

export function renderSchemas(
  roots: Iterable<TypeNode>,
  dialect: Dialect,
  words: Words,
): JsonObject {
  return Object.fromEntries(
    [...closure(roots)].map(([name, type]) => [name, namedSchema(type, dialect, words)]),
  )
}
