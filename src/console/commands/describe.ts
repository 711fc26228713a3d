/** `kubectl describe` */

import { append } from '../../engine/core/lists'
import { isJsonObject, type JsonObject } from '../../engine/core/object'
import { matchesLabels, parseLabelSelector } from '../../engine/selectors/labels'
import { Failures } from '../acting/failures'
import { CHUNK_SIZE_FLAG, EVERYWHERE_FLAG } from '../acting/flags'
import type { Command, Context, Invocation } from '../command'
import { describe } from '../describe/index'
import { qualified, type ServedResource } from '../discovery'
import { CommandError, StatusError } from '../errors'
import {
  listPages,
  pathOfTarget,
  type Selection,
  select,
  type Target,
  targetOfItem,
} from '../targets'

export const DESCRIBE: Command = {
  name: 'describe',
  summary: 'Show details of a specific resource or group of resources',
  usage: 'describe (-f FILENAME | TYPE [NAME_PREFIX | -l label] | TYPE/NAME) [flags]',
  examples: [
    { line: 'kubectl describe pod web-1', about: 'Describe a pod' },
    {
      line: 'kubectl describe deployments -l app=web',
      about: 'Describe deployments with label app=web',
    },
    { line: 'kubectl describe po web', about: 'Describe all pods whose names start with web' },
  ],
  completes: 'objects',
  flags: [
    EVERYWHERE_FLAG,
    CHUNK_SIZE_FLAG,
    {
      name: 'filename',
      short: 'f',
      type: 'list',
      values: 'files',
      about: 'Name of an open file, or - for stdin, that contains the resources to describe.',
    },
    { name: 'selector', short: 'l', type: 'text', about: 'Selector (label query) to filter on.' },
    {
      name: 'show-events',
      type: 'on',
      default: 'true',
      about: 'If true, display events related to the described object.',
    },
  ],
  async run(context, invocation) {
    const { args, flags } = invocation
    if (args.length === 0 && !flags.has('filename')) throw new CommandError(NO_TYPE)
    const selection = await select(context, {
      args,
      files: flags.list('filename'),
      selector: flags.has('selector') ? flags.text('selector') : undefined,
      allNamespaces: flags.on('all-namespaces'),
      typeAlone: true,
    })
    await describeAll(context, selection, invocation)
    return 0
  },
}

const NO_TYPE = `You must specify the type of resource to describe. Use "kubectl api-resources" for a complete list of supported resources.`

/** @throws ManyErrors after describing as many objects as possible */
async function describeAll(
  context: Context,
  selection: Selection,
  { args, flags }: Invocation,
): Promise<void> {
  const failures = new Failures()
  let printed = 0
  const textOf = (object: JsonObject): Promise<string> =>
    describe(context, object, flags.on('show-events'))
  const print = async (object: JsonObject): Promise<void> => {
    const text = await textOf(object)
    context.out(printed++ === 0 ? text : `\n\n${text}`)
  }
  const chunk = flags.number('chunk-size')
  for (const target of selection.targets) {
    if (!matchesSelector(target, selection.selector)) continue
    await failures.during(async () => {
      const object = await context.client.get(pathOfTarget(target)).catch(missing(context, args))
      if (object !== undefined) return print(object)
      // Without this name, describe those with the prefix.
      for (const found of await startingWith(context, target, chunk)) {
        printed++
        context.out(`${await textOf(found)}\n`)
      }
    })
  }
  for (const resource of selection.lists) {
    await failures.during(async () => {
      for await (const page of listPages(context, selection, resource, { chunk }))
        for (const item of objects(page)) await print(targetOfItem(resource, page, item).object)
    })
  }
  failures.throwIfAny()
  if (printed === 0)
    context.err(
      selection.namespace === undefined
        ? 'No resources found\n'
        : `No resources found in ${selection.namespace} namespace.\n`,
    )
}

const objects = ({ items }: JsonObject): JsonObject[] =>
  Array.isArray(items) ? items.filter(isJsonObject) : []

/** Objects of files must match the selector too. */
function matchesSelector({ object }: Target, selector: string): boolean {
  const { labels } = isJsonObject(object?.metadata) ? object.metadata : {}
  return (
    object === undefined ||
    matchesLabels(
      parseLabelSelector(selector),
      isJsonObject(labels) ? (labels as Record<string, string>) : {},
    )
  )
}

/** With one type and one name, a missing name may be a prefix. */
const missing =
  ({ discovery }: Context, [types = '', ...names]: readonly string[]) =>
  async (error: unknown): Promise<undefined> => {
    const beginning =
      names.length === 1 && !/[/,]/.test(types) && (await discovery.ofCategory(types)).length === 0
    if (!beginning || !(error instanceof StatusError) || error.code !== 404) throw error
  }

async function startingWith(
  context: Context,
  { resource, namespace, name }: Target,
  chunk: number,
): Promise<JsonObject[]> {
  const found: JsonObject[] = []
  for await (const page of listPages(
    context,
    { namespace, selector: '', fieldSelector: '' },
    resource,
    { chunk },
  )) {
    append(
      found,
      itemsOf(resource, page).filter(
        ({ metadata }) => isJsonObject(metadata) && String(metadata.name).startsWith(name),
      ),
    )
  }
  if (found.length > 0) return found
  throw new StatusError({
    code: 404,
    reason: 'NotFound',
    message: `${qualified(resource)} ${JSON.stringify(name)} not found`,
  })
}

const itemsOf = (resource: ServedResource, page: JsonObject): JsonObject[] =>
  objects(page).map((item) => targetOfItem(resource, page, item).object)
