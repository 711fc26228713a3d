/** `kubectl get`: objects as tables, or in the format of `-o`. */

import { append } from '../../engine/core/lists'
import { isJsonObject, type JsonObject } from '../../engine/core/object'
import { CHUNK_SIZE_FLAG } from '../acting/flags'
import { pathWith } from '../client'
import type { Command, Context, Flag, FlagValues, Invocation } from '../command'
import type { ServedResource } from '../discovery'
import { CommandError, ManyErrors, StatusError } from '../errors'
import { ALL_FORMATS, OUTPUT_FLAGS, printerOf, rejectTemplates } from '../output/printer'
import { sortedBy } from '../output/sort'
import { isTable, TABLE_ACCEPT, type TableLook, TablePrinter } from '../output/table'
import { listPages, objectsOfSelection, pathOfTarget, type Selection, select } from '../targets'
import { SELECTOR_FLAGS, selectorsOf } from './common-flags'
import { watch } from './get-watch'

const SUBRESOURCES = ['status', 'scale']

const FLAGS: readonly Flag[] = [
  ...SELECTOR_FLAGS,
  ...OUTPUT_FLAGS.map((flag) =>
    flag.name === 'output'
      ? {
          ...flag,
          values: [
            'json',
            'yaml',
            'name',
            'wide',
            'jsonpath=',
            'jsonpath-as-json=',
            'custom-columns=',
          ],
          about:
            'Output format. One of: (json, yaml, name, jsonpath, jsonpath-as-json, custom-columns, wide).',
        }
      : flag,
  ),
  CHUNK_SIZE_FLAG,
  {
    name: 'filename',
    short: 'f',
    type: 'list',
    values: 'files',
    about: 'Name of an open file, or - for stdin, that identifies the resources to get.',
  },
  {
    name: 'ignore-not-found',
    type: 'on',
    about: 'If the requested object does not exist the command will return exit code 0.',
  },
  {
    name: 'label-columns',
    short: 'L',
    type: 'list',
    about: 'Accepts a comma separated list of labels that are going to be presented as columns.',
  },
  { name: 'no-headers', type: 'on', about: "Don't print headers (default print headers)." },
  {
    name: 'output-watch-events',
    type: 'on',
    about: 'Output watch event objects when --watch or --watch-only is used.',
  },
  { name: 'raw', type: 'text', about: 'Raw URI to request from the server.' },
  {
    name: 'server-print',
    type: 'on',
    default: 'true',
    about: 'If true, have the server return the appropriate table output.',
  },
  {
    name: 'show-kind',
    type: 'on',
    about: 'If present, list the resource type for the requested object(s).',
  },
  { name: 'show-labels', type: 'on', about: 'When printing, show all labels as the last column.' },
  {
    name: 'sort-by',
    type: 'text',
    about:
      "If non-empty, sort list types using this field specification, a JSONPath expression (e.g. '{.metadata.name}').",
  },
  {
    name: 'subresource',
    type: 'text',
    values: SUBRESOURCES,
    about: 'If specified, gets the subresource of the requested object.',
  },
  {
    name: 'watch',
    short: 'w',
    type: 'on',
    about: 'After listing/getting the requested object, watch for changes.',
  },
  {
    name: 'watch-only',
    type: 'on',
    about: 'Watch for changes to the requested object(s), without listing/getting first.',
  },
  {
    name: 'kustomize',
    short: 'k',
    type: 'text',
    unavailable: 'kustomize needs directories',
  },
]

export const GET: Command = {
  name: 'get',
  summary: 'Display one or many resources',
  usage: 'get (TYPE[.VERSION][.GROUP] [NAME | -l label] | TYPE/NAME ...) [flags]',
  examples: [
    { line: 'kubectl get pods', about: 'List all pods' },
    {
      line: 'kubectl get pods -A -o wide',
      about: 'List all pods in all namespaces with more information',
    },
    { line: 'kubectl get deployment web -o yaml', about: 'Print a deployment as YAML' },
    {
      line: 'kubectl get pods -l app=web -w',
      about: 'List pods with label app=web and watch for changes',
    },
    {
      line: "kubectl get pods -o jsonpath='{.items[*].metadata.name}'",
      about: 'Print only the names of the pods',
    },
    { line: 'kubectl get --raw /readyz?verbose', about: 'Request any path of the server' },
  ],
  flags: FLAGS,
  completes: 'objects',
  async run(context, invocation) {
    const { args, flags } = invocation
    if (flags.text('raw') !== '') return raw(context, invocation)
    check(context, invocation)
    const selection = await select(context, {
      args,
      files: flags.list('filename'),
      ...selectorsOf(flags),
      allNamespaces: flags.on('all-namespaces'),
      typeAlone: true,
      subresource: flags.text('subresource'),
    })
    if (flags.on('watch') || flags.on('watch-only'))
      return watch(context, flags, selection, lookOf(flags))
    return isHuman(flags) ? tables(context, flags, selection) : objects(context, flags, selection)
  },
}

/** @throws CommandError for conflicting flags */
function check({ err }: Context, { args, flags, path }: Invocation): void {
  const watching = flags.on('watch')
    ? '--watch'
    : flags.on('watch-only')
      ? '--watch-only'
      : undefined
  if (watching !== undefined && flags.text('sort-by') !== '') {
    err(
      `warning: ${watching} requested, --sort-by will be ignored${watching === '--watch' ? ' for watch events received' : ''}\n`,
    )
  }
  if (watching === undefined && args.length === 0 && flags.list('filename').length === 0) {
    err(
      'You must specify the type of resource to get. Use "kubectl api-resources" for a complete list of supported resources.\n\n',
    )
    throw new CommandError(
      `Required resource not specified.\nUse "kubectl explain <resource>" for a detailed description of that resource (e.g. kubectl explain pods).\nSee '${path} -h' for help and examples`,
    )
  }
  if (flags.on('show-labels') && !isHuman(flags)) {
    throw new CommandError(
      `--show-labels option cannot be used with ${flags.text('output')} printer`,
    )
  }
  if (flags.on('output-watch-events') && watching === undefined) {
    throw new CommandError(
      '--output-watch-events option can only be used with --watch or --watch-only',
    )
  }
  const subresource = flags.text('subresource')
  if (subresource !== '' && !SUBRESOURCES.includes(subresource)) {
    throw new CommandError(
      `invalid subresource value: ${JSON.stringify(subresource)}. Must be one of [${SUBRESOURCES.join(' ')}]`,
    )
  }
  rejectTemplates(flags)
}

const isHuman = (flags: FlagValues): boolean => ['', 'wide'].includes(flags.text('output'))

function lookOf(flags: FlagValues): Omit<TableLook, 'withNamespace' | 'withKind'> {
  return {
    wide: flags.text('output') === 'wide',
    noHeaders: flags.on('no-headers'),
    labels: flags.list('label-columns'),
    showLabels: flags.on('show-labels'),
  }
}

async function raw({ client, out }: Context, { args, flags }: Invocation): Promise<number> {
  if (args.length > 0) throw new CommandError('arguments may not be passed when --raw is specified')
  if (flags.on('watch') || flags.on('watch-only') || flags.text('selector') !== '') {
    throw new CommandError(
      '--raw may not be specified with other flags that filter the server request or alter the output',
    )
  }
  if (flags.text('output') !== '')
    throw new CommandError('--raw and --output are mutually exclusive')
  const path = flags.text('raw')
  if (!path.startsWith('/')) {
    throw new CommandError(
      `--raw must be a valid URL path: parse ${JSON.stringify(path)}: invalid URI for request`,
    )
  }
  for await (const chunk of client.stream({ path })) out(chunk)
  return 0
}

interface TypedResponse {
  resource: ServedResource
  response: JsonObject
}

/** Reports failures at the end, after printing the rest. */
async function readAll(
  context: Context,
  flags: FlagValues,
  selection: Selection,
  accept: string | undefined,
): Promise<{ found: TypedResponse[]; errors: Error[] }> {
  const found: TypedResponse[] = []
  const errors: Error[] = []
  const attempt = async (what: () => Promise<void>) => {
    try {
      await what()
    } catch (error) {
      if (!(error instanceof StatusError)) throw error
      if (!(flags.on('ignore-not-found') && error.code === 404)) errors.push(error)
    }
  }
  const includeObject = accept !== undefined && flags.text('sort-by') !== '' ? 'Object' : undefined
  for (const target of selection.targets) {
    await attempt(async () => {
      const path = pathWith(pathOfTarget(target, flags.text('subresource')), { includeObject })
      found.push({ resource: target.resource, response: await context.client.get(path, accept) })
    })
  }
  const chunk = flags.text('sort-by') === '' ? flags.number('chunk-size') : 0
  for (const resource of selection.lists) {
    await attempt(async () => {
      for await (const response of listPages(context, selection, resource, {
        accept,
        chunk,
        query: { includeObject },
      }))
        found.push({ resource, response })
    })
  }
  return { found, errors }
}

async function tables(context: Context, flags: FlagValues, selection: Selection): Promise<number> {
  const { found, errors } = await readAll(
    context,
    flags,
    selection,
    flags.on('server-print') ? TABLE_ACCEPT : undefined,
  )
  const everywhere = flags.on('all-namespaces')
  const withKind = flags.on('show-kind') || new Set(found.map(({ resource }) => resource)).size > 1
  const field = flags.text('sort-by')
  const ordered =
    field !== '' && found.length > 1 ? sortedBy(found, field, ({ response }) => response) : found
  let written = ''
  for (const { resource, responses: pages } of runs(ordered)) {
    const look = { ...lookOf(flags), withKind, withNamespace: everywhere && resource.namespaced }
    const printed = new TablePrinter(look, resource, () => context.clock.now()).printAll(
      pages.flatMap((page) => sortedRows(page, field)),
    )
    if (printed === '') continue
    if (written !== '' && !look.noHeaders) context.out('\n')
    context.out(printed)
    written = printed
  }
  if (written === '' && errors.length === 0 && !flags.on('ignore-not-found')) {
    const namespaced = !everywhere && found.every(({ resource }) => resource.namespaced)
    context.err(
      namespaced
        ? `No resources found in ${context.namespace} namespace.\n`
        : 'No resources found\n',
    )
  }
  if (errors.length > 0) throw new ManyErrors(errors)
  return 0
}

/** Groups consecutive responses of one type. */
function runs(
  found: readonly TypedResponse[],
): { resource: ServedResource; responses: JsonObject[] }[] {
  const groups: { resource: ServedResource; responses: JsonObject[] }[] = []
  for (const { resource, response } of found) {
    const last = groups.at(-1)
    if (last?.resource === resource) last.responses.push(response)
    else groups.push({ resource, responses: [response] })
  }
  return groups
}

/** As in kubectl, a table that cannot be sorted is not printed. */
function sortedRows(response: JsonObject, field: string): JsonObject[] {
  if (
    field === '' ||
    !isTable(response) ||
    !Array.isArray(response.rows) ||
    response.rows.length < 2
  )
    return [response]
  try {
    return [
      {
        ...response,
        rows: sortedBy(response.rows.filter(isJsonObject), field, ({ object }) => object ?? null),
      },
    ]
  } catch (error) {
    if (error instanceof CommandError) return []
    throw error
  }
}

/** Several objects become a List. */
async function objects(context: Context, flags: FlagValues, selection: Selection): Promise<number> {
  const errors: Error[] = []
  const found: JsonObject[] = []
  if (selection.targets.length > 0) {
    const read = await readAll(context, flags, selection, undefined)
    append(
      found,
      read.found.map(({ response }) => response),
    )
    append(errors, read.errors)
  } else {
    for (const resource of selection.lists) {
      try {
        for await (const { object } of objectsOfSelection(
          context,
          { ...selection, lists: [resource] },
          flags.number('chunk-size'),
        ))
          found.push(object)
      } catch (error) {
        if (!(error instanceof StatusError)) throw error
        errors.push(error)
      }
    }
  }
  const [first] = found
  if (selection.single && errors.length > 0) throw new ManyErrors(errors)
  if (found.length === 0 && flags.on('ignore-not-found') && selection.targets.length > 0) return 0
  // As in kubectl, missing objects are reported before an invalid -o.
  const printer = printerOf(flags, ALL_FORMATS)
  if (selection.single && first !== undefined && found.length === 1)
    context.out(printer.print(first))
  else
    context.out(
      printer.print(
        listOf(
          flags.text('sort-by') === ''
            ? found
            : sortedBy(found, flags.text('sort-by'), (item) => item),
        ),
      ),
    )
  if (errors.length > 0) throw new ManyErrors(errors)
  return 0
}

const listOf = (items: JsonObject[]): JsonObject => ({
  apiVersion: 'v1',
  items,
  kind: 'List',
  metadata: { resourceVersion: '' },
})
