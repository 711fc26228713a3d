/** `kubectl auth can-i` */

import type { PolicyRule } from 'kubernetes-types/rbac/v1'
import { isJsonObject, type JsonObject } from '../../../engine/core/object'
import { EVERYWHERE_FLAG } from '../../acting/flags'
import type { Command, Context, FlagValues } from '../../command'
import { ruleRows } from '../../describe/rights'
import type { ServedResource } from '../../discovery'
import { CommandError, Exit } from '../../errors'
import { Columns } from '../../output/columns'

const VERBS = [
  'get',
  'list',
  'watch',
  'create',
  'update',
  'patch',
  'delete',
  'deletecollection',
  'use',
  'bind',
  'impersonate',
  '*',
  'approve',
  'sign',
  'escalate',
  'attest',
]
const PATH_VERBS = ['get', 'put', 'post', 'head', 'options', 'delete', 'patch', '*']
const ACCESS = 'authorization.k8s.io/v1'

export const CAN_I: Command = {
  name: 'can-i',
  summary: 'Check whether an action is allowed',
  usage: 'auth can-i VERB [TYPE | TYPE/NAME | NONRESOURCEURL]',
  examples: [
    {
      line: 'kubectl auth can-i create deployments',
      about: 'Check whether I can create deployments in the current namespace',
    },
    {
      line: 'kubectl auth can-i get pods --as=anna',
      about: 'Check whether the user anna can get pods',
    },
    {
      line: 'kubectl auth can-i --list',
      about: 'List all allowed actions in the current namespace',
    },
  ],
  flags: [
    EVERYWHERE_FLAG,
    { name: 'list', type: 'on', about: 'If true, prints all allowed actions.' },
    { name: 'no-headers', type: 'on', about: 'If true, prints allowed actions without headers.' },
    {
      name: 'quiet',
      short: 'q',
      type: 'on',
      about: 'If true, suppress output and just return the exit code.',
    },
    {
      name: 'subresource',
      type: 'text',
      about: 'SubResource such as pod/log or deployment/scale.',
    },
  ],
  async run(context, { args, flags }) {
    if (flags.on('list')) {
      if (args.length > 0) throw new CommandError('list option must be specified with no arguments')
      if (flags.on('quiet') || flags.on('all-namespaces') || flags.text('subresource') !== '')
        throw new CommandError(
          "list option can't be specified with neither quiet, all-namespaces nor subresource options",
        )
      await listRights(context, flags)
      return 0
    }
    const [verb, what, ...rest] = args
    if (verb === undefined || what === undefined || rest.length > 0) {
      throw new CommandError(
        "you must specify two arguments: verb resource or verb resource/resourceName.\nSee 'kubectl auth can-i -h' for help and examples.",
      )
    }
    const allowed = await checkAccess(context, verb, what, flags)
    if (!allowed) throw new Exit(1)
    return 0
  },
}

/** Prints yes or no, and the server's reason for no. */
async function checkAccess(
  context: Context,
  verb: string,
  what: string,
  flags: FlagValues,
): Promise<boolean> {
  const quiet = flags.on('quiet')
  const attributes = await attributesOf(context, verb, what, flags)
  const body = {
    kind: 'SelfSubjectAccessReview',
    apiVersion: ACCESS,
    metadata: { creationTimestamp: null },
    spec: attributes,
  }
  const { json } = await context.client.send({
    method: 'POST',
    path: `/apis/${ACCESS}/selfsubjectaccessreviews`,
    body,
  })
  const {
    allowed = false,
    reason = '',
    evaluationError = '',
  } = (isJsonObject(json.status) ? json.status : {}) as {
    allowed?: boolean
    reason?: string
    evaluationError?: string
  }
  if (!quiet) {
    const why = `${reason === '' ? '' : ` - ${reason}`}${evaluationError === '' ? '' : ` - ${evaluationError}`}`
    context.out(allowed ? 'yes\n' : `no${why}\n`)
  }
  return allowed
}

async function attributesOf(
  context: Context,
  verb: string,
  what: string,
  flags: FlagValues,
): Promise<JsonObject> {
  const warn = (text: string): void => context.err(`Warning: ${text}\n\n`)
  if (what.startsWith('/')) {
    if (flags.text('subresource') !== '')
      throw new CommandError('--subresource can not be used with NonResourceURL')
    if (!PATH_VERBS.includes(verb)) warn(`verb '${verb}' is not a known verb`)
    return { nonResourceAttributes: { path: what, verb } }
  }
  const [type = '', name = ''] = what.split('/')
  if (!VERBS.includes(verb)) warn(`verb '${verb}' is not a known verb`)
  const resource = type === '*' ? undefined : await found(context, type)
  const everywhere = flags.on('all-namespaces')
  if (type !== '*' && resource === undefined) {
    const [plain = '', ...group] = type.split('.')
    const where = group.length === 0 ? '' : ` in group '${group.join('.')}'`
    if (!NAMES_ALONE.includes(type))
      warn(`the server doesn't have a resource type '${plain}'${where}`)
  } else if (resource !== undefined && !resource.namespaced && !everywhere)
    warn(`resource '${type}' is not namespace scoped${inGroup(resource)}`)
  return {
    resourceAttributes: {
      ...(everywhere ? {} : { namespace: context.namespace }),
      verb,
      ...(resource ? { group: resource.group } : type === '*' ? { group: '*' } : {}),
      resource: resource?.resource ?? type,
      ...(flags.text('subresource') === '' ? {} : { subresource: flags.text('subresource') }),
      ...(name === '' ? {} : { name }),
    },
  }
}

/** Resources of impersonation rules, which no server serves. */
const NAMES_ALONE = ['users', 'groups']

const inGroup = ({ group }: ServedResource): string => (group === '' ? '' : ` in group '${group}'`)

async function found({ discovery }: Context, type: string): Promise<ServedResource | undefined> {
  try {
    return await discovery.find(type)
  } catch (error) {
    if (error instanceof CommandError) return undefined
    throw error
  }
}

interface Rights {
  resourceRules?: PolicyRule[]
  nonResourceRules?: PolicyRule[]
  incomplete?: boolean
  evaluationError?: string
}

async function listRights(context: Context, flags: FlagValues): Promise<void> {
  const body = {
    kind: 'SelfSubjectRulesReview',
    apiVersion: ACCESS,
    metadata: { creationTimestamp: null },
    spec: { namespace: context.namespace },
  }
  const { json } = await context.client.send({
    method: 'POST',
    path: `/apis/${ACCESS}/selfsubjectrulesreviews`,
    body,
  })
  const {
    resourceRules = [],
    nonResourceRules = [],
    incomplete,
    evaluationError,
  } = json.status as unknown as Rights
  if (incomplete) context.err(`warning: the list may be incomplete: ${evaluationError ?? ''}\n`)
  const rows = ruleRows([...resourceRules, ...nonResourceRules])
  const headings = ['Resources', 'Non-Resource URLs', 'Resource Names', 'Verbs']
  context.out(new Columns().lines(flags.on('no-headers') ? rows : [headings, ...rows]))
}
