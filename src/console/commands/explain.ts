/** Prints documentation from the server's OpenAPI document. */
import { entryOf, isJsonObject, type JsonObject } from '../../engine/core/object'
import type { ApiClient } from '../client'
import type { Command, Context } from '../command'
import type { ServedResource } from '../discovery'
import { CommandError, PlainError } from '../errors'
import { SchemaText } from '../output/schema-text'

export const EXPLAIN: Command = {
  name: 'explain',
  summary: 'Get documentation for a resource',
  usage: 'explain TYPE[.FIELD...] [flags]',
  examples: [
    { line: 'kubectl explain pods', about: 'Get the documentation of the resource and its fields' },
    {
      line: 'kubectl explain deployment.spec.strategy',
      about: 'Get the documentation of a specific field of a resource',
    },
    {
      line: 'kubectl explain pod.spec.affinity --recursive',
      about: 'Get all the fields below a field',
    },
  ],
  flags: [
    {
      name: 'api-version',
      type: 'text',
      about: 'Use given api-version (group/version) of the resource.',
    },
    {
      name: 'output',
      type: 'text',
      default: 'plaintext',
      values: ['plaintext'],
      about: 'Format in which to render the schema. Only plaintext is available here.',
    },
    {
      name: 'recursive',
      type: 'on',
      about:
        'When true, print the name of all the fields recursively. Otherwise, print the available fields with their description.',
    },
  ],
  completes: 'fields',
  async run(context, { args, flags }) {
    const [word, ...more] = args
    if (word === undefined) {
      throw new CommandError(
        'You must specify the type of resource to explain. Use "kubectl api-resources" for a complete list of supported resources.\n',
      )
    }
    if (more.length > 0) throw new CommandError('We accept only this format: explain RESOURCE\n')
    if (flags.text('output') !== 'plaintext')
      throw new CommandError(`unrecognized format: ${flags.text('output')}`)
    const { resource, fields } = await typeAndFields(context, word)
    for (const other of await context.discovery.alsoCalled(word.split('.')[0] as string))
      context.err(
        `Warning: short name ${JSON.stringify(word.split('.')[0])} could also match lower priority resource ${other}\n`,
      )
    const [group, version] = groupVersion(flags.text('api-version'), resource)
    const document = await documentOf(context, group, version, resource)
    const kind = kindIn(document, group, version, resource)
    context.out(
      `${kind.group ? `GROUP:      ${kind.group}\n` : ''}KIND:       ${kind.kind}\nVERSION:    ${kind.version}\n\n`,
    )
    const schema = schemaOf(document, kind)
    const text = schema && new SchemaText(document, flags.on('recursive')).of(schema, fields)
    if (!text)
      throw new PlainError(`error: field ${JSON.stringify(fields.at(-1) ?? '')} does not exist`)
    context.out(`${text}\n`)
    return 0
  },
}

/** `deploy.spec.replicas`, or with the group `deployments.apps.spec`. */
export async function typeAndFields(
  { discovery }: Pick<Context, 'discovery'>,
  word: string,
): Promise<{ resource: ServedResource; fields: string[] }> {
  const [type = '', ...rest] = fieldPath(word)
  const first = await discovery.find(type).catch((error: unknown) => {
    throw error instanceof CommandError ? new PlainError(error.message) : error
  })
  const named = (await discovery.resources()).filter(
    ({ resource, preferred }) => preferred && resource === first.resource,
  )
  const withGroup = named.find(
    ({ resource, group }) => group !== '' && `${word}.`.startsWith(`${resource}.${group}.`),
  )
  if (withGroup !== undefined)
    return { resource: withGroup, fields: rest.slice(withGroup.group.split('.').length) }
  return { resource: first, fields: rest }
}

/**
 * `pod.metadata.labels['app']`: a JSONPath of member names only, as in kubectl.
 * @throws CommandError for other steps, such as `containers[0]`
 */
function fieldPath(word: string): string[] {
  const foreign = /[,{}*]/.exec(word)?.[0]
  if (foreign !== undefined && !word.includes('[')) {
    const code = foreign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
    throw new CommandError(`unrecognized character in action: U+${code} '${foreign}'`)
  }
  return [...word.replace(/\.$/, '').matchAll(/\[([^\]]*)(\]?)|[^.[]+|\.(?=\.)|^\./g)].map(
    ([part, inside, closed]) => {
      if (inside === undefined && !part.startsWith('.') && !/[\s"'$]/.test(part)) return part
      if (closed === '') throw new CommandError('unterminated array')
      const [, name] = /^'([^']*)'$/.exec(inside ?? '') ?? []
      if (name !== undefined) return name
      if (inside === undefined || /^-?[\d:,]+$|^\*$/.test(inside))
        throw new CommandError('invalid jsonpath syntax, first node must be field node')
      throw new CommandError(`invalid array index ${inside}`)
    },
  )
}

function groupVersion(
  apiVersion: string,
  resource: ServedResource,
): [group: string, version: string] {
  if (apiVersion === '') return [resource.group, resource.version]
  const parts = apiVersion.split('/')
  if (parts.length > 2) throw new CommandError(`unexpected GroupVersion string: ${apiVersion}`)
  return parts.length === 1 ? ['', apiVersion] : [parts[0] as string, parts[1] as string]
}

/** @throws CommandError if the version has no OpenAPI document */
async function documentOf(
  { client }: Pick<Context, 'client'>,
  group: string,
  version: string,
  { resource }: ServedResource,
): Promise<JsonObject> {
  const { paths } = await client.get('/openapi/v3')
  const entry = isJsonObject(paths)
    ? entryOf(paths, group === '' ? `api/${version}` : `apis/${group}/${version}`)
    : undefined
  const url = isJsonObject(entry) ? entry.serverRelativeURL : undefined
  if (typeof url !== 'string')
    throw new CommandError(`couldn't find resource for "${group}/${version}, Resource=${resource}"`)
  return client.get(url)
}

interface Kind {
  group: string
  version: string
  kind: string
}

/** The kind of the resource's operations. */
function kindIn(
  document: JsonObject,
  group: string,
  version: string,
  { resource }: ServedResource,
): Kind {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
  const paths = isJsonObject(document.paths) ? document.paths : {}
  for (const path of [
    resource,
    `${resource}/{name}`,
    `namespaces/{namespace}/${resource}`,
    `namespaces/{namespace}/${resource}/{name}`,
  ]) {
    const operations = paths[`${root}/${path}`]
    if (!isJsonObject(operations)) continue
    for (const method of ['get', 'post', 'put', 'patch', 'delete']) {
      const operation = operations[method]
      const kind = isJsonObject(operation)
        ? operation['x-kubernetes-group-version-kind']
        : undefined
      if (isJsonObject(kind))
        return { group: String(kind.group), version: String(kind.version), kind: String(kind.kind) }
    }
  }
  throw new PlainError(
    `error: GVR (${group}/${version}, Resource=${resource}) not found in OpenAPI schema`,
  )
}

function schemaOf(document: JsonObject, kind: Kind): JsonObject | undefined {
  const schemas =
    isJsonObject(document.components) && isJsonObject(document.components.schemas)
      ? document.components.schemas
      : {}
  const names = Object.keys(schemas).sort()
  return names
    .map((name) => schemas[name])
    .find((schema): schema is JsonObject => isJsonObject(schema) && isOfKind(schema, kind))
}

function isOfKind(schema: JsonObject, { group, version, kind }: Kind): boolean {
  const kinds = schema['x-kubernetes-group-version-kind']
  return (
    Array.isArray(kinds) &&
    kinds.some(
      (one) =>
        isJsonObject(one) && one.group === group && one.version === version && one.kind === kind,
    )
  )
}

export async function fieldNames(
  client: ApiClient,
  resource: ServedResource,
  path: readonly string[],
): Promise<string[]> {
  const { group, version } = resource
  const document = await documentOf({ client }, group, version, resource)
  const schema = schemaOf(document, kindIn(document, group, version, resource))
  return schema === undefined ? [] : new SchemaText(document, false).names(schema, path)
}
