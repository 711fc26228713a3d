/** Commands that this console does not have, and why: saying so is better than not knowing them. */
import type { Command, Flag } from '../command'
import { CommandError } from '../errors'

const REASONS: [name: string, summary: string, why: string][] = [
  [
    'attach',
    'Not here: nobody can be attached to a container.',
    'attach needs a stream in both directions, which this console does not have: read "kubectl logs" instead',
  ],
  [
    'port-forward',
    'Not here: pods open no ports.',
    'port-forward needs a port on a real machine: the pods here are simulated and open none',
  ],
  ['cp', 'Not here: containers have no files.', 'cp needs files: the containers here are simulated and have none'],
  [
    'proxy',
    'Not here: the API is open to this page already.',
    'proxy is not needed here: this page asks the API server itself, and a terminal reaches it by the bridge',
  ],
  ['debug', 'Not here: nothing runs that could be looked into.', 'debug needs a container that really runs: the ones here are simulated'],
  ['kustomize', 'Not here: kustomize needs folders of files.', 'kustomize is not available here: it needs folders of files'],
  ['plugin', 'Not here: there are no programs to find.', 'plugins are not available here: there are no programs to run'],
]

const flag = (name: string, type: Flag['type'], short?: string): Flag => ({
  name,
  type,
  ...(short === undefined ? {} : { short }),
  about: 'Without meaning here.',
})

/** The flags that people give them most, so that what they hear is the reason and not that a flag is unknown. */
const FLAGS: readonly Flag[] = [
  flag('container', 'text', 'c'),
  flag('stdin', 'on', 'i'),
  flag('tty', 'on', 't'),
  flag('address', 'list'),
  flag('port', 'text', 'p'),
  flag('image', 'text'),
  flag('target', 'text'),
  flag('copy-to', 'text'),
  flag('profile', 'text'),
]

export const REFUSED: readonly Command[] = REASONS.map(([name, summary, why]) => ({
  name,
  summary,
  usage: name,
  examples: [],
  flags: FLAGS,
  run: () => Promise.reject(new CommandError(why)),
}))

const METRICS = 'Metrics API not available'

const noMetrics = (name: string, aliases: readonly string[]): Command => ({
  name,
  aliases,
  summary: 'Not here: the server has no metrics API.',
  usage: `top ${name} [NAME]`,
  examples: [],
  flags: [
    { name: 'all-namespaces', short: 'A', type: 'on', about: 'In all namespaces.' },
    { name: 'selector', short: 'l', type: 'text', about: 'Only of objects with these labels.' },
    { name: 'containers', type: 'on', about: 'Container by container.' },
    { name: 'sort-by', type: 'text', about: 'cpu or memory.' },
    { name: 'no-headers', type: 'on', about: 'Leave the headings out.' },
  ],
  run: () => Promise.reject(new CommandError(METRICS)),
})

/** As the real tool answers without a metrics server. */
export const TOP: Command = {
  name: 'top',
  summary: 'Not here: the server has no metrics API.',
  usage: 'top',
  examples: [],
  flags: [],
  commands: [noMetrics('node', ['nodes', 'no']), noMetrics('pod', ['pods', 'po'])],
}
