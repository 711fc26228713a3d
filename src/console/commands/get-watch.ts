/** Prints current objects, then each change until Ctrl-C. */
import { isJsonObject, type JsonObject } from '../../engine/core/object'
import { pathWith } from '../client'
import type { Context, FlagValues } from '../command'
import { pathOf, type ServedResource } from '../discovery'
import { CommandError, StatusError } from '../errors'
import { ALL_FORMATS, printerOf } from '../output/printer'
import { isTable, TABLE_ACCEPT, type TableLook, TablePrinter } from '../output/table'
import { listPages, pathOfTarget, type Selection } from '../targets'

type Print = (object: JsonObject, event: string) => string

/** @throws CommandError for several types; StatusError */
export async function watch(
  context: Context,
  flags: FlagValues,
  selection: Selection,
  look: Omit<TableLook, 'withNamespace' | 'withKind'>,
): Promise<number> {
  const human = ['', 'wide'].includes(flags.text('output'))
  const accept = human ? TABLE_ACCEPT : undefined
  const { resource, path, first, version } = await start(context, flags, selection, accept)
  const withNamespace = flags.on('all-namespaces')
  const print = human
    ? tablePrint(context, flags, resource, {
        ...look,
        withNamespace,
        withKind: flags.on('show-kind'),
      })
    : objectPrint(flags)
  if (!flags.on('watch-only')) context.out(first.map((object) => print(object, 'ADDED')).join(''))
  // A watch of one object starts with it, already printed.
  let skip = version === '0'
  const call = {
    path: pathWith(path, { resourceVersion: version, watch: 'true' }),
    ...(accept === undefined ? {} : { accept }),
  }
  for await (const event of context.client.lines(call)) {
    const { type, object } = event
    if (!isJsonObject(object)) continue
    if (type === 'ERROR') throw new StatusError(object)
    if (!skip && type !== 'BOOKMARK') context.out(print(object, String(type)))
    skip = false
  }
  return 0
}

interface Beginning {
  resource: ServedResource
  /** Without watch parameters. */
  path: string
  first: JsonObject[]
  version: string
}

async function start(
  context: Context,
  flags: FlagValues,
  selection: Selection,
  accept: string | undefined,
): Promise<Beginning> {
  const [resource, anotherType] = selection.lists
  if (anotherType !== undefined)
    throw new CommandError('you may only specify a single resource type')
  if (resource === undefined) return startOfObject(context, selection, accept)
  const pages: JsonObject[] = []
  for await (const page of listPages(context, selection, resource, {
    accept,
    chunk: flags.number('chunk-size'),
  }))
    pages.push(page)
  const { selector, fieldSelector, namespace } = selection
  const path = pathWith(pathOf(resource, namespace), { labelSelector: selector, fieldSelector })
  return {
    resource,
    path,
    first: pages.flatMap((page) => (isTable(page) ? [page] : itemsOf(page))),
    version: versionOf(pages[0]),
  }
}

async function startOfObject(
  context: Context,
  { targets }: Selection,
  accept: string | undefined,
): Promise<Beginning> {
  const objects: JsonObject[] = []
  for (const target of targets) objects.push(await context.client.get(pathOfTarget(target), accept))
  const [target] = targets
  const [object] = objects
  if (target === undefined || object === undefined || objects.length > 1) {
    throw new CommandError(
      'watch is only supported on individual resources and resource collections - more than 1 resource was found',
    )
  }
  const path = pathWith(pathOf(target.resource, target.namespace), {
    fieldSelector: `metadata.name=${target.name}`,
  })
  return { resource: target.resource, path, first: [object], version: '0' }
}

function versionOf(list: JsonObject | undefined): string {
  return list !== undefined && isJsonObject(list.metadata)
    ? String(list.metadata.resourceVersion ?? '0')
    : '0'
}

function itemsOf(list: JsonObject): JsonObject[] {
  const kind = String(list.kind ?? '').replace(/List$/, '')
  const items = Array.isArray(list.items) ? list.items.filter(isJsonObject) : []
  return items.map((item) => ({ apiVersion: list.apiVersion ?? '', kind, ...item }))
}

function tablePrint(
  { clock }: Context,
  flags: FlagValues,
  resource: ServedResource,
  look: TableLook,
): Print {
  const printer = new TablePrinter(look, resource, () => clock.now())
  const withEvents = flags.on('output-watch-events')
  return (object, event) => printer.print(object, withEvents ? event : undefined)
}

function objectPrint(flags: FlagValues): Print {
  const printer = printerOf(flags, ALL_FORMATS)
  const withEvents = flags.on('output-watch-events') && flags.text('output') !== 'name'
  return (object, event) => printer.print(withEvents ? { type: event, object } : object)
}
