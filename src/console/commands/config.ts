/** `kubectl config`: in the page a context is an actor. */
import { toYaml } from '../../engine/encoding/yaml'
import type { Command, Context } from '../command'
import type { Contexts } from '../environment'
import { CommandError } from '../errors'
import { Columns } from '../output/columns'

const VIEW: Command = {
  name: 'view',
  summary: 'Display merged kubeconfig settings, without credentials',
  usage: 'config view',
  examples: [{ line: 'kubectl config view', about: 'Show the kubeconfig settings' }],
  flags: [
    {
      name: 'minify',
      type: 'on',
      about: 'Remove all information not used by current-context from the output.',
    },
  ],
  async run({ contexts, out }, { flags }) {
    const shown = contexts
      .list()
      .filter(({ name }) => !flags.on('minify') || name === contexts.current())
    out(
      toYaml({
        apiVersion: 'v1',
        clusters: [
          {
            cluster: { 'certificate-authority-data': 'DATA+OMITTED', server: contexts.server },
            name: contexts.cluster,
          },
        ],
        contexts: shown.map(({ name, user, namespace }) => ({
          context: { cluster: contexts.cluster, ...(namespace ? { namespace } : {}), user },
          name,
        })),
        'current-context': contexts.current(),
        kind: 'Config',
        preferences: {},
        users: [...new Set(shown.map(({ user }) => user))].map((user) => ({
          name: user,
          user: { token: 'REDACTED' },
        })),
      }),
    )
    return 0
  },
}

const CURRENT_CONTEXT: Command = {
  name: 'current-context',
  summary: 'Display the current-context',
  usage: 'config current-context',
  examples: [],
  flags: [],
  async run({ contexts, out }) {
    out(`${contexts.current()}\n`)
    return 0
  },
}

const GET_CONTEXTS: Command = {
  name: 'get-contexts',
  summary: 'Describe one or many contexts',
  usage: 'config get-contexts [NAME ...]',
  examples: [],
  flags: [
    { name: 'no-headers', type: 'on', about: "Don't print headers (default print headers)." },
    {
      name: 'output',
      short: 'o',
      type: 'text',
      values: ['name'],
      about: 'Output format. One of: (name).',
    },
  ],
  async run({ contexts, out }, { args, flags }) {
    const output = flags.text('output')
    if (!['', 'name'].includes(output))
      throw new CommandError(`output must be one of '' or 'name': ${output}`)
    const shown = contexts
      .list()
      .filter(({ name }) => args.length === 0 || args.includes(name))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    if (output === 'name') out(shown.map(({ name }) => `${name}\n`).join(''))
    else {
      const heading = flags.on('no-headers')
        ? []
        : [['CURRENT', 'NAME', 'CLUSTER', 'AUTHINFO', 'NAMESPACE']]
      const rows = shown.map(({ name, user, namespace = '' }) => [
        name === contexts.current() ? '*' : '',
        name,
        contexts.cluster,
        user,
        namespace,
      ])
      out(new Columns().lines([...heading, ...rows]))
    }
    const unknown = args.find((name) => contexts.list().every((one) => one.name !== name))
    if (unknown !== undefined) throw new CommandError(`context ${unknown} not found`)
    return 0
  },
}

/** `get-clusters` and `get-users`: only names. */
const names = (
  name: string,
  summary: string,
  namesIn: (contexts: Contexts) => readonly string[],
): Command => ({
  name,
  summary,
  usage: `config ${name}`,
  examples: [],
  flags: [],
  async run({ contexts, out }) {
    out(['NAME', ...new Set(namesIn(contexts))].map((line) => `${line}\n`).join(''))
    return 0
  },
})

const GET_CLUSTERS = names(
  'get-clusters',
  'Display clusters defined in the kubeconfig',
  ({ cluster }) => [cluster],
)
const GET_USERS = names('get-users', 'Display users defined in the kubeconfig', (contexts) =>
  contexts
    .list()
    .map(({ user }) => user)
    .toSorted(),
)

const USE_CONTEXT: Command = {
  name: 'use-context',
  aliases: ['use'],
  summary: 'Set the current-context',
  usage: 'config use-context NAME',
  examples: [
    {
      line: 'kubectl config use-context alice',
      about: 'Use the context for the user alice, in the page as well',
    },
  ],
  flags: [],
  completes: 'contexts',
  async run({ contexts, out }, { args, path }) {
    const [name, ...more] = args
    if (name === undefined || more.length > 0)
      throw new CommandError(
        `Unexpected args: [${args.join(' ')}]\nSee '${path} -h' for help and examples`,
      )
    if (contexts.list().every((one) => one.name !== name))
      throw new CommandError(`no context exists with the name: ${JSON.stringify(name)}`)
    contexts.use(name)
    out(`Switched to context "${name}".\n`)
    return 0
  },
}

const SET_CONTEXT: Command = {
  name: 'set-context',
  summary: 'Set a context entry in kubeconfig: its namespace',
  usage: 'config set-context [NAME | --current] --namespace=NAMESPACE',
  examples: [
    {
      line: 'kubectl config set-context --current --namespace=kube-system',
      about: 'Set the namespace of the current context',
    },
  ],
  flags: [{ name: 'current', type: 'on', about: 'Modify the current context.' }],
  completes: 'contexts',
  async run(context, { args, flags }) {
    const { contexts, out } = context
    const name = contextName(context, args, flags.on('current'))
    if (contexts.list().every((one) => one.name !== name)) {
      throw new CommandError('contexts are not made here: choose or add an actor in the page')
    }
    if (flags.has('namespace')) contexts.setNamespace(name, flags.text('namespace'))
    out(`Context "${name}" modified.\n`)
    return 0
  },
}

function contextName({ contexts }: Context, args: readonly string[], current: boolean): string {
  if (current && args.length > 0)
    throw new CommandError('you cannot specify both a context name and --current')
  const name = current ? contexts.current() : args[0]
  if (name === undefined || name === '')
    throw new CommandError('you must specify a non-empty context name or --current')
  return name
}

export const CONFIG: Command = {
  name: 'config',
  summary: 'Modify kubeconfig: the context and its namespace',
  usage: 'config SUBCOMMAND',
  examples: [
    { line: 'kubectl config get-contexts', about: 'List the contexts: the users of the page' },
    {
      line: 'kubectl config set-context --current --namespace=kube-system',
      about: 'Set the namespace of the current context',
    },
  ],
  flags: [],
  commands: [
    CURRENT_CONTEXT,
    GET_CLUSTERS,
    GET_CONTEXTS,
    GET_USERS,
    SET_CONTEXT,
    USE_CONTEXT,
    VIEW,
  ],
}
