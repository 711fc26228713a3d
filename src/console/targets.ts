/** Resolves types, names, selectors and files to objects. */
import { isJsonObject, type JsonObject } from '../engine/core/object'
import { type Call, pathWith } from './client'
import type { Context } from './command'
import { pathOf, qualified, type ServedResource } from './discovery'
import { CommandError, StatusError } from './errors'
import { type ManifestObject, readManifests, undecodable } from './manifests'

/** The arguments that select objects. */
export interface Choice {
  args: readonly string[]
  /** `-f` */
  files?: readonly string[]
  /** undefined if unset. */
  selector?: string | undefined
  fieldSelector?: string | undefined
  /** `--all` */
  all?: boolean
  /** `-A` */
  allNamespaces?: boolean
  /** A type without names selects all of its objects. */
  typeAlone?: boolean
  subresource?: string | undefined
}

/** One object by name. */
export interface Target {
  resource: ServedResource
  /** undefined for a cluster-scoped object. */
  namespace: string | undefined
  name: string
  /** The file that contains it. */
  source?: string
  /** The object in the file. */
  object?: JsonObject
}

/** Named objects, or whole types; never both. */
export interface Selection {
  targets: Target[]
  lists: ServedResource[]
  /** The namespace of lists; undefined: all. */
  namespace: string | undefined
  selector: string
  fieldSelector: string
  /** Exactly one named object, printed without a list. */
  single: boolean
}

/** @throws CommandError for invalid arguments, with kubectl's message */
export async function select(context: Context, choice: Choice): Promise<Selection> {
  const { args, files = [], selector, fieldSelector, all = false, allNamespaces = false } = choice
  const base = {
    namespace: allNamespaces ? undefined : context.namespace,
    selector: selector ?? '',
    fieldSelector: fieldSelector ?? '',
  }
  if (files.length > 0) {
    if (args.length > 0)
      throw new CommandError(
        'when paths, URLs, or stdin is provided as input, you may not specify resource arguments as well',
      )
    const targets = await targetsOfFiles(context, files)
    return {
      ...base,
      targets,
      lists: [],
      single: files.length === 1 && files[0] !== '-' && targets.length === 1,
    }
  }
  const expanded = await withoutCategories(context, args)
  const named = namedPairs(expanded)
  const bySelector = all || Boolean(selector) || Boolean(fieldSelector)
  if (named !== undefined) {
    if (bySelector) {
      // After several types, names are pairs of type and name.
      const slashes =
        expanded.some((word) => word.includes('/')) || (expanded[0] as string).includes(',')
      throw new CommandError(
        slashes
          ? 'selectors and the all flag cannot be used when passing resource/name arguments'
          : 'name cannot be provided when a selector is specified',
      )
    }
    const targets = await targetsOfPairs(context, named, allNamespaces)
    return { ...base, targets, lists: [], single: targets.length === 1 }
  }
  if (expanded.length === 0) {
    throw new CommandError(
      bySelector ? 'at least one resource must be specified to use a selector' : MISSING_RESOURCE,
    )
  }
  const lists = await typesOf(context, expanded[0] as string)
  if (!bySelector && !choice.typeAlone)
    throw new CommandError('resource(s) were provided, but no name was specified')
  if (choice.subresource)
    throw new CommandError('subresource cannot be used when bulk resources are specified')
  return { ...base, targets: [], lists, single: false }
}

export const MISSING_RESOURCE = `You must provide one or more resources by argument or filename.
Example resource specifications include:
   '-f rsrc.yaml'
   '--filename=rsrc.json'
   '<resource> <name>'
   '<resource>'`

async function typesOf(context: Context, word: string): Promise<ServedResource[]> {
  const found: ServedResource[] = []
  for (const type of new Set(word.split(','))) {
    const resource = await typeOf(context, type)
    if (!found.includes(resource)) found.push(resource)
  }
  return found
}

/** Warns of an ambiguous short name. @throws CommandError for an unknown type */
async function typeOf({ discovery, err }: Context, word: string): Promise<ServedResource> {
  const resource = await discovery.find(word)
  for (const other of await discovery.alsoCalled(word))
    err(
      `Warning: short name ${JSON.stringify(word)} could also match lower priority resource ${other}\n`,
    )
  return resource
}

/** `all` selects the types of that category. */
async function withoutCategories(
  { discovery }: Context,
  args: readonly string[],
): Promise<string[]> {
  const [first, ...rest] = args
  if (first === undefined || first.includes('/')) return [...args]
  const words = await Promise.all(
    first.split(',').map(async (word) => {
      const members = await discovery.ofCategory(word)
      return members.length === 0 ? word : members.map(qualified).join(',')
    }),
  )
  return [words.join(','), ...rest]
}

type Pair = [type: string, name: string]

/** `pod a b` and `pod/a service/b`; undefined for types without names. */
function namedPairs(args: readonly string[]): Pair[] | undefined {
  const slashes = args.filter((word) => word.includes('/')).length
  if (slashes > 0 && slashes < args.length) {
    throw new CommandError(
      "there is no need to specify a resource type as a separate argument when passing arguments in resource/name form (e.g. 'kubectl get resource/<resource_name>' instead of 'kubectl get resource resource/<resource_name>'",
    )
  }
  if (slashes > 0) return args.map(slashPair)
  if (args.length < 2) return undefined
  const [types = '', ...names] = args
  return [...new Set(types.split(','))].flatMap((type) => names.map((name): Pair => [type, name]))
}

function slashPair(word: string): Pair {
  const parts = word.split('/')
  if (parts.length !== 2)
    throw new CommandError('arguments in resource/name form may not have more than one slash')
  const [type = '', name = ''] = parts
  if (type === '' || name === '' || type.includes(',')) {
    throw new CommandError('arguments in resource/name form must have a single resource and name')
  }
  return [type, name]
}

async function targetsOfPairs(
  context: Context,
  pairs: readonly Pair[],
  allNamespaces: boolean,
): Promise<Target[]> {
  const targets: Target[] = []
  for (const [type, name] of pairs) {
    const resource = await typeOf(context, type)
    if (resource.namespaced && allNamespaces)
      throw new CommandError('a resource cannot be retrieved by name across all namespaces')
    targets.push({ resource, namespace: resource.namespaced ? context.namespace : undefined, name })
  }
  return targets
}

async function targetsOfFiles(context: Context, files: readonly string[]): Promise<Target[]> {
  const manifests = await readManifests(context, files)
  const targets: Target[] = []
  for (const manifest of manifests) targets.push(await targetOf(context, manifest))
  return targets
}

/**
 * The namespace defaults to the request's.
 * @throws CommandError for kinds that are not served, and for a namespace other than `-n`
 */
export async function targetOf(
  context: Context,
  manifest: ManifestObject,
): Promise<Target & { object: JsonObject; source: string }> {
  const problem = undecodable(manifest)
  if (problem !== undefined) throw problem
  const { source, object } = manifest
  const apiVersion = String(object.apiVersion)
  const kind = String(object.kind)
  const metadata = isJsonObject(object.metadata) ? object.metadata : {}
  const name = typeof metadata.name === 'string' ? metadata.name : ''
  const own = typeof metadata.namespace === 'string' ? metadata.namespace : ''
  const resource = await context.discovery.ofKind(apiVersion, kind)
  if (resource === undefined) {
    throw new CommandError(
      `resource mapping not found for name: ${JSON.stringify(name)} namespace: ${JSON.stringify(own)} from ${JSON.stringify(source)}: no matches for kind ${JSON.stringify(kind)} in version ${JSON.stringify(apiVersion)}\nensure CRDs are installed first`,
    )
  }
  if (!resource.namespaced) return { resource, namespace: undefined, name, source, object }
  if (own !== '' && context.namespaceGiven && own !== context.namespace) {
    throw new CommandError(
      `the namespace from the provided object ${JSON.stringify(own)} does not match the namespace ${JSON.stringify(context.namespace)}. You must pass '--namespace=${own}' to perform this operation.`,
    )
  }
  const namespace = own === '' ? context.namespace : own
  const placed = own === '' ? { ...object, metadata: { ...metadata, namespace } } : object
  return { resource, namespace, name, source, object: placed }
}

/** @throws CommandError without a name: the path would be the collection's */
export function pathOfTarget({ resource, namespace, name }: Target, subresource?: string): string {
  if (name === '') throw new CommandError('resource name may not be empty')
  return pathOf(resource, namespace, name, subresource)
}

export interface ListOptions {
  accept?: string | undefined
  /** 0 reads the whole list. */
  chunk?: number
  /** Further query parameters. */
  query?: Record<string, string | undefined>
}

/** @throws StatusError whose message names the request, as in kubectl */
export async function* listPages(
  { client }: Pick<Context, 'client'>,
  {
    namespace,
    selector,
    fieldSelector,
  }: Pick<Selection, 'namespace' | 'selector' | 'fieldSelector'>,
  resource: ServedResource,
  { accept, chunk = 500, query = {} }: ListOptions = {},
): AsyncGenerator<JsonObject> {
  let token: string | undefined
  do {
    const limit = chunk > 0 ? String(chunk) : undefined
    const path = pathWith(pathOf(resource, namespace), {
      labelSelector: selector,
      fieldSelector,
      ...query,
      limit,
      continue: token,
    })
    const call: Call = { path, ...(accept === undefined ? {} : { accept }) }
    const page = await client.send(call).then(
      ({ json }) => json,
      (error: unknown) =>
        Promise.reject(
          error instanceof StatusError
            ? notListed(error, resource, selector, fieldSelector)
            : error,
        ),
    )
    yield page
    token =
      isJsonObject(page.metadata) && typeof page.metadata.continue === 'string'
        ? page.metadata.continue
        : ''
  } while (token !== '')
}

function notListed(
  error: StatusError,
  { group, version, resource }: ServedResource,
  selector: string,
  fieldSelector: string,
): StatusError {
  if (error.reason !== 'BadRequest' && error.reason !== 'NotFound') return error
  const what = JSON.stringify(`${group}/${version}, Resource=${resource}`)
  const searched = selector !== '' || fieldSelector !== ''
  const message = searched
    ? `Unable to find ${what} that match label selector ${JSON.stringify(selector)}, field selector ${JSON.stringify(fieldSelector)}: ${error.message}`
    : `Unable to list ${what}: ${error.message}`
  return new StatusError({ ...error.status, message })
}

/** Selected objects one by one. @throws a lookup's error in its place */
export async function* objectsOfSelection(
  context: Context,
  selection: Selection,
  chunk = 500,
): AsyncGenerator<Target & { object: JsonObject }> {
  for (const target of selection.targets)
    yield { ...target, object: await context.client.get(pathOfTarget(target)) }
  for (const resource of selection.lists) {
    for await (const page of listPages(context, selection, resource, { chunk })) {
      const { items } = page
      for (const item of Array.isArray(items) ? items.filter(isJsonObject) : [])
        yield targetOfItem(resource, page, item)
    }
  }
}

/** Items of typed lists have no kind. */
export function targetOfItem(
  resource: ServedResource,
  list: JsonObject,
  item: JsonObject,
): Target & { object: JsonObject } {
  const kind = typeof list.kind === 'string' ? list.kind.replace(/List$/, '') : resource.kind
  const object: JsonObject = { apiVersion: list.apiVersion ?? '', kind, ...item }
  const metadata = isJsonObject(object.metadata) ? object.metadata : {}
  const namespace = typeof metadata.namespace === 'string' ? metadata.namespace : undefined
  return { resource, namespace, name: String(metadata.name ?? ''), object }
}
