import { parseQuantity } from '../../../engine/schema/quantity'
import type { Command } from '../../command'
import { CommandError } from '../../errors'
import { MISSING_RESOURCE } from '../../targets'
import { CHANGE_FLAGS, changeObjects, matching, podSpecOf } from './template-change'

export const RESOURCES: Command = {
  name: 'resources',
  summary: 'Update resource requests/limits on objects with pod templates',
  usage: 'set resources (-f FILENAME | TYPE NAME) ([--limits=LIMITS & --requests=REQUESTS]',
  examples: [
    {
      line: 'kubectl set resources deployment web --limits=cpu=200m,memory=512Mi --requests=cpu=100m',
      about: 'Set the resource requests and limits of all containers of a deployment',
    },
  ],
  completes: 'objects',
  flags: [
    ...CHANGE_FLAGS,
    {
      name: 'containers',
      short: 'c',
      type: 'text',
      default: '*',
      about: 'The names of containers in the selected pod templates to change - may use wildcards.',
    },
    {
      name: 'limits',
      type: 'text',
      about:
        "The resource requirement limits for this container. For example, 'cpu=100m,memory=256Mi'; 0 removes a limit.",
    },
    {
      name: 'requests',
      type: 'text',
      about:
        "The resource requirement requests for this container. For example, 'cpu=100m,memory=256Mi'; 0 removes a request.",
    },
  ],
  async run(context, { args, flags }) {
    if (args.length === 0 && !flags.has('filename')) throw new CommandError(MISSING_RESOURCE)
    const amounts = {
      limits: amountsOf(flags.text('limits')),
      requests: amountsOf(flags.text('requests')),
    }
    if (Object.keys(amounts.limits).length + Object.keys(amounts.requests).length === 0) {
      throw new CommandError(
        'you must specify an update to requests or limits (in the form of --requests/--limits)',
      )
    }
    return changeObjects(context, args, flags, {
      done: 'resource requirements updated',
      failed: 'failed to patch resources update to pod template ',
      silentIfSame: true,
      change: (object, target) => {
        const found = matching(podSpecOf(object, target).containers, flags.text('containers'))
        if (found.length === 0)
          throw new CommandError(`unable to find container named ${flags.text('containers')}`)
        for (const container of found) {
          const resources = { ...container.resources }
          for (const member of ['limits', 'requests'] as const) {
            if (Object.keys(amounts[member]).length > 0)
              resources[member] = { ...resources[member], ...amounts[member] }
          }
          container.resources = resources
        }
        return true
      },
    })
  },
}

function amountsOf(text: string): Record<string, string> {
  const pairs = text === '' ? [] : text.split(',')
  return Object.fromEntries(
    pairs.map((pair): [string, string] => {
      const [resource, amount, ...rest] = pair.split('=')
      if (!resource || amount === undefined || rest.length > 0)
        throw new CommandError(`Invalid argument syntax ${pair}, expected <resource>=<value>`)
      try {
        parseQuantity(amount)
      } catch (error) {
        throw new CommandError(error instanceof Error ? error.message : String(error))
      }
      return [resource, amount]
    }),
  )
}
