import type { JsonObject } from '../../../engine/core/object'
import type { Command } from '../../command'
import { CommandError } from '../../errors'
import { MISSING_RESOURCE } from '../../targets'
import { CHANGE_FLAGS, changeObjects } from './template-change'

const BINDINGS = ['RoleBinding', 'ClusterRoleBinding']
const RBAC = 'rbac.authorization.k8s.io'

export const SUBJECT: Command = {
  name: 'subject',
  summary: 'Update the user, group, or service account in a role binding or cluster role binding',
  usage:
    'set subject (-f FILENAME | TYPE NAME) [--user=username] [--group=groupname] [--serviceaccount=namespace:serviceaccountname]',
  examples: [
    {
      line: 'kubectl set subject rolebinding readers --user=anna',
      about: 'Add a user to a role binding',
    },
  ],
  completes: 'objects',
  flags: [
    ...CHANGE_FLAGS,
    { name: 'user', type: 'texts', about: 'Usernames to bind to the role. Can be repeated.' },
    { name: 'group', type: 'texts', about: 'Groups to bind to the role. Can be repeated.' },
    {
      name: 'serviceaccount',
      type: 'texts',
      about:
        'Service accounts to bind to the role, in the format <namespace>:<name>. Can be repeated.',
    },
  ],
  async run(context, { args, flags }) {
    if (args.length === 0 && !flags.has('filename')) throw new CommandError(MISSING_RESOURCE)
    const of = (kind: string, flag: string): JsonObject[] =>
      flags.list(flag).map((name) => ({ apiGroup: RBAC, kind, name }))
    const accounts = flags.list('serviceaccount').map((text): JsonObject => {
      const [namespace, name, ...rest] = text.split(':')
      if (!namespace || !name || rest.length > 0)
        throw new CommandError('serviceaccount must be <namespace>:<name>')
      return { kind: 'ServiceAccount', name, namespace }
    })
    const added = [...of('User', 'user'), ...of('Group', 'group'), ...accounts]
    if (added.length === 0)
      throw new CommandError('you must specify at least one value of user, group or serviceaccount')
    return changeObjects(context, args, flags, {
      done: 'subjects updated',
      silentIfSame: true,
      change: (object, { resource, name }) => {
        if (!BINDINGS.includes(resource.kind))
          throw new CommandError(
            `${resource.resource}/${name} setting subjects is only supported for RoleBinding/ClusterRoleBinding`,
          )
        const subjects = Array.isArray(object.subjects)
          ? [...(object.subjects as JsonObject[])]
          : []
        const key = ({ kind, name, namespace }: JsonObject): string =>
          JSON.stringify([kind, name, namespace ?? ''])
        for (const subject of added)
          if (!subjects.some((one) => key(one) === key(subject))) subjects.push(subject)
        object.subjects = subjects
        return true
      },
    })
  },
}
