/** The writes behind an object's state, or the effects of its last write. */

import { controllerName } from '../../engine/causality/controller-name'
import type { CausalChain, ChainStep } from '../../engine/causality/documents'
import { entryOf, isJsonObject, type JsonObject } from '../../engine/core/object'
import { pathWith } from '../client'
import type { Command, Context } from '../command'
import { pathOf } from '../discovery'
import { CommandError } from '../errors'
import { Columns } from '../output/columns'
import { select, type Target } from '../targets'

/** Not a command of kubectl. */
export const WHY: Command = {
  name: 'why',
  summary:
    'Print the writes that led to the state of an object. Without an object, print what followed from the last write',
  usage: 'why [TYPE NAME | TYPE/NAME] [flags]',
  examples: [
    { line: 'why', about: 'Print what controllers did because of the last write' },
    { line: 'why pod/web-0', about: 'Print the writes that led to the state of pod web-0' },
  ],
  flags: [
    {
      name: 'output',
      short: 'o',
      type: 'text',
      values: ['json'],
      about: 'Output format. One of: (json).',
    },
  ],
  completes: 'objects',
  async run(context, { args, flags }) {
    const output = flags.text('output')
    if (!['', 'json'].includes(output)) throw new CommandError("--output must be 'json'")
    const { text, json } = await context.client.send({ path: await pathFor(context, args) })
    if (output === 'json') context.out(text.endsWith('\n') ? text : `${text}\n`)
    else print(context, json as unknown as CausalChain)
    return 0
  },
}

async function pathFor(context: Context, args: readonly string[]): Promise<string> {
  if (args.length === 0) return '/kubetab/v1/consequences'
  const { targets } = await select(context, { args })
  const [target, ...others] = targets
  if (target === undefined || others.length > 0)
    throw new CommandError('exactly one object is required')
  return pathWith('/kubetab/v1/causes', { resourceVersion: await versionOf(context, target) })
}

async function versionOf({ client }: Context, target: Target): Promise<string> {
  const { json } = await client.send({
    path: pathOf(target.resource, target.namespace, target.name),
  })
  const metadata = entryOf(json, 'metadata')
  const version = isJsonObject(metadata)
    ? entryOf(metadata as JsonObject, 'resourceVersion')
    : undefined
  if (typeof version !== 'string')
    throw new CommandError(`${target.name} has no resourceVersion, so its history is unknown`)
  return version
}

const CHANGES = { ADDED: 'created', MODIFIED: 'updated', DELETED: 'deleted' } as const

const HEADER = ['REVISION', 'CHANGE', 'OBJECT', 'BY', 'BECAUSE OF', 'FIELDS']

function print({ out, err }: Context, { steps, complete, truncated }: CausalChain): void {
  if (!complete) err('Earlier writes are compacted, so the chain may be incomplete.\n')
  if (steps.length === 0) {
    err('No writes found.\n')
    return
  }
  const byVersion = new Map(steps.map((step) => [step.resourceVersion, step]))
  const rows = steps.map((step) => {
    const cause = step.cause === undefined ? undefined : byVersion.get(step.cause)
    return [
      step.resourceVersion,
      CHANGES[step.type],
      nameOf(step),
      step.user === undefined ? 'a request' : controllerName(step.user),
      cause === undefined ? '<none>' : `${nameOf(cause)} (${cause.resourceVersion})`,
      step.fields.length === 0 ? '<none>' : step.fields.join(','),
    ]
  })
  out(new Columns().lines([HEADER, ...rows]))
  if (truncated) err('Further writes are not shown.\n')
}

const nameOf = ({ object: { kind, name } }: ChainStep): string => `${kind.toLowerCase()}/${name}`
