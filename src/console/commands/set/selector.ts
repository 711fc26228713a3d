import { isJsonObject } from '../../../engine/object'
import type { Command } from '../../command'
import { CommandError } from '../../errors'
import { CHANGE_FLAGS, changeObjects } from './template-change'

/** `kubectl set selector service web app=web`: which pods a service stands before. */
export const SELECTOR: Command = {
  name: 'selector',
  summary: 'Sets the selector of a service.',
  usage: 'set selector (-f FILENAME | TYPE NAME) EXPRESSIONS [--resource-version=version]',
  examples: [{ line: 'kubectl set selector service web app=web', about: 'Other pods behind it' }],
  completes: 'objects',
  flags: [...CHANGE_FLAGS, { name: 'resource-version', type: 'text', about: 'Only if the object is of this version.' }],
  async run(context, { args, flags }) {
    if (args.length === 0) throw new CommandError('one selector is required')
    const expressions = args.at(-1) ?? ''
    if (!expressions.includes('='))
      throw new CommandError('one or more resources must be specified as <resource> <name> or <resource>/<name>')
    const selector = Object.fromEntries(expressions.split(',').map((pair) => pair.split(/==?(.*)/s).slice(0, 2)))
    return changeObjects(context, args.slice(0, -1), flags, {
      done: 'selector updated',
      change: (object, { resource }) => {
        if (resource.kind !== 'Service') throw new CommandError('setting a selector is only supported for Services')
        object.spec = { ...(isJsonObject(object.spec) ? object.spec : {}), selector }
        return true
      },
    })
  },
}
