/** `kubectl set` */
import type { Command } from '../../command'
import { CommandError } from '../../errors'
import { ENVIRONMENT } from './environment'
import { IMAGE } from './image'
import { RESOURCES } from './resources'
import { SELECTOR } from './selector'
import { SUBJECT } from './subject'
import { CHANGE_FLAGS, changeObjects, podSpecOf } from './template-change'

const SERVICE_ACCOUNT: Command = {
  name: 'serviceaccount',
  aliases: ['sa'],
  summary: 'Update the service account of a resource',
  usage: 'set serviceaccount (-f FILENAME | TYPE NAME) SERVICE_ACCOUNT',
  examples: [
    {
      line: 'kubectl set serviceaccount deployment web robot',
      about: 'Set the service account of a deployment',
    },
  ],
  completes: 'objects',
  flags: CHANGE_FLAGS,
  async run(context, { args, flags }) {
    const account = args.at(-1)
    if (account === undefined) throw new CommandError('serviceaccount is required')
    return changeObjects(context, args.slice(0, -1), flags, {
      done: 'serviceaccount updated',
      change: (object, target) => {
        podSpecOf(object, target).serviceAccountName = account
        return true
      },
    })
  },
}

export const SET: Command = {
  name: 'set',
  summary: 'Set specific features on objects',
  usage: 'set SUBCOMMAND',
  examples: [],
  flags: [],
  commands: [ENVIRONMENT, IMAGE, RESOURCES, SELECTOR, SERVICE_ACCOUNT, SUBJECT],
}
