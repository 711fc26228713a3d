/** `kubectl config`: as whom, and in which namespace, commands act. In the page a context is an actor. */
import { toYaml } from '../../engine/encoding/yaml'
import type { Command, Context } from '../command'
import type { Contexts } from '../environment'
import { CommandError } from '../errors'
import { Columns } from '../output/columns'

const VIEW: Command = {
  name: 'view',
  summary: 'Shows the configuration, without credentials.',
  usage: 'config view',
  examples: [{ line: 'kubectl config view', about: 'All of it' }],
  flags: [{ name: 'minify', type: 'on', about: 'Only what belongs to the current context.' }],
  async run({ contexts, out }, { flags }) {
    const shown = contexts.list().filter(({ name }) => !flags.on('minify') || name === contexts.current())
    out(
      toYaml({
        apiVersion: 'v1',
        clusters: [{ cluster: { 'certificate-authority-data': 'DATA+OMITTED', server: contexts.server }, name: contexts.cluster }],
        contexts: shown.map(({ name, user, namespace }) => ({
          context: { cluster: contexts.cluster, ...(namespace ? { namespace } : {}), user },
          name,
        })),
        'current-context': contexts.current(),
        kind: 'Config',
        preferences: {},
        users: [...new Set(shown.map(({ user }) => user))].map((user) => ({ name: user, user: { token: 'REDACTED' } })),
      }),
    )
    return 0
  },
}

const CURRENT_CONTEXT: Command = {
  name: 'current-context',
  summary: 'Tells as whom commands act.',
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
  summary: 'Lists as whom one can act.',
  usage: 'config get-contexts [NAME ...]',
  examples: [],
  flags: [
    { name: 'no-headers', type: 'on', about: 'Leave the headings out.' },
    { name: 'output', short: 'o', type: 'text', values: ['name'], about: 'name: names alone.' },
  ],
  async run({ contexts, out }, { args, flags }) {
    const output = flags.text('output')
    if (!['', 'name'].includes(output)) throw new CommandError(`output must be one of '' or 'name': ${output}`)
    const shown = contexts
      .list()
      .filter(({ name }) => args.length === 0 || args.includes(name))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    if (output === 'name') out(shown.map(({ name }) => `${name}\n`).join(''))
    else {
      const heading = flags.on('no-headers') ? [] : [['CURRENT', 'NAME', 'CLUSTER', 'AUTHINFO', 'NAMESPACE']]
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

/** `get-clusters` and `get-users`: names alone. */
const names = (name: string, summary: string, namesIn: (contexts: Contexts) => readonly string[]): Command => ({
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

const GET_CLUSTERS = names('get-clusters', 'Lists the clusters: there is one.', ({ cluster }) => [cluster])
const GET_USERS = names('get-users', 'Lists whom one can act as.', (contexts) =>
  contexts
    .list()
    .map(({ user }) => user)
    .toSorted(),
)

const USE_CONTEXT: Command = {
  name: 'use-context',
  aliases: ['use'],
  summary: 'Changes as whom commands act.',
  usage: 'config use-context NAME',
  examples: [{ line: 'kubectl config use-context alice', about: 'Acts as alice from now on, and so does the page' }],
  flags: [],
  completes: 'contexts',
  async run({ contexts, out }, { args, path }) {
    const [name, ...more] = args
    if (name === undefined || more.length > 0)
      throw new CommandError(`Unexpected args: [${args.join(' ')}]\nSee '${path} -h' for help and examples`)
    if (contexts.list().every((one) => one.name !== name))
      throw new CommandError(`no context exists with the name: ${JSON.stringify(name)}`)
    contexts.use(name)
    out(`Switched to context "${name}".\n`)
    return 0
  },
}

const SET_CONTEXT: Command = {
  name: 'set-context',
  summary: 'Changes the namespace in which commands act.',
  usage: 'config set-context [NAME | --current] --namespace=NAMESPACE',
  examples: [{ line: 'kubectl config set-context --current --namespace=kube-system', about: 'Acts there without -n' }],
  flags: [{ name: 'current', type: 'on', about: 'The current context.' }],
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
  if (current && args.length > 0) throw new CommandError('you cannot specify both a context name and --current')
  const name = current ? contexts.current() : args[0]
  if (name === undefined || name === '') throw new CommandError('you must specify a non-empty context name or --current')
  return name
}

export const CONFIG: Command = {
  name: 'config',
  summary: 'Shows and changes as whom and where commands act.',
  usage: 'config SUBCOMMAND',
  examples: [
    { line: 'kubectl config get-contexts', about: 'As whom one can act: the actors of the page' },
    { line: 'kubectl config set-context --current --namespace=kube-system', about: 'Another namespace from now on' },
  ],
  flags: [],
  commands: [CURRENT_CONTEXT, GET_CLUSTERS, GET_CONTEXTS, GET_USERS, SET_CONTEXT, USE_CONTEXT, VIEW],
}
