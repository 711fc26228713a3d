import { isJsonObject } from '../../../engine/core/object'
import {
  type LabelSelector,
  parseLabelSelector,
  type Requirement,
} from '../../../engine/selectors/labels'
import type { Command } from '../../command'
import { CommandError } from '../../errors'
import { CHANGE_FLAGS, changeObjects } from './template-change'

export const SELECTOR: Command = {
  name: 'selector',
  summary: 'Set the selector on a resource',
  usage: 'set selector (-f FILENAME | TYPE NAME) EXPRESSIONS [--resource-version=version]',
  examples: [
    { line: 'kubectl set selector service web app=web', about: 'Set the selector of a service' },
  ],
  completes: 'objects',
  flags: [
    ...CHANGE_FLAGS,
    {
      name: 'resource-version',
      type: 'text',
      about:
        'If non-empty, the selectors update will only succeed if this is the current resource-version for the object.',
    },
  ],
  async run(context, { args, flags }) {
    if (args.length === 0) throw new CommandError('one selector is required')
    const requirements = read(args.at(-1) ?? '')
    const selector = Object.fromEntries(
      requirements
        .filter(({ operator }) => EQUAL.includes(operator))
        .map(({ key, values: [value = ''] }) => [key, value]),
    )
    const others = requirements.filter(({ operator }) => !EQUAL.includes(operator))
    return changeObjects(context, args.slice(0, -1), flags, {
      done: 'selector updated',
      change: (object, { resource }) => {
        if (resource.kind !== 'Service')
          throw new CommandError('setting a selector is only supported for Services')
        if (others.length > 0)
          throw new CommandError(
            `match expression [${others.map(shown).join(' ')}] not supported on this object`,
          )
        object.spec = { ...(isJsonObject(object.spec) ? object.spec : {}), selector }
        return true
      },
    })
  },
}

/** Selectors of Services support only equality. */
const EQUAL = ['=', '==']

const GO_OPERATOR: Partial<Record<Requirement['operator'], string>> = {
  in: 'In',
  '!=': 'NotIn',
  notin: 'NotIn',
  exists: 'Exists',
  '!': 'DoesNotExist',
}

const shown = ({ key, operator, values }: Requirement): string =>
  `{${key} ${GO_OPERATOR[operator] ?? operator} [${values.join(' ')}]}`

/** @throws CommandError */
function read(text: string): LabelSelector {
  try {
    return parseLabelSelector(text)
  } catch (error) {
    throw new CommandError(
      `couldn't parse the selector string ${JSON.stringify(text)}: ${error instanceof Error ? error.message : error}`,
    )
  }
}
