/** Commands that the console lacks, with the reason instead of "unknown command". */
import type { Command, Flag } from '../command'
import { CommandError } from '../errors'

const REASONS: [name: string, summary: string, why: string][] = [
  [
    'attach',
    'Attach to a running container (not available here)',
    'attach is not available here: simulated containers have no terminal. Use "kubectl logs" instead',
  ],
  [
    'port-forward',
    'Forward one or more local ports to a pod (not available here)',
    'port-forward is not available here: simulated pods do not listen on ports',
  ],
  [
    'cp',
    'Copy files and directories to and from containers (not available here)',
    'cp is not available here: simulated containers have no files',
  ],
  [
    'proxy',
    'Run a proxy to the Kubernetes API server (not needed here)',
    'proxy is not needed here: this page calls the API server directly, and a terminal connects through npm start',
  ],
  [
    'debug',
    'Create debugging sessions for troubleshooting workloads and nodes (not available here)',
    'debug is not available here: containers are simulated',
  ],
  [
    'kustomize',
    'Build a kustomization target from a directory (not available here)',
    'kustomize is not available here: it needs directories',
  ],
  [
    'plugin',
    'Provides utilities for interacting with plugins (not available here)',
    'plugins are not available here: there are no executables',
  ],
]

const flag = (name: string, type: Flag['type'], short?: string): Flag => ({
  name,
  type,
  ...(short === undefined ? {} : { short }),
  about: 'It has no effect here.',
})

/** Flags of these commands, so that the error is the reason, not an unknown flag. */
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

export const UNAVAILABLE: readonly Command[] = REASONS.map(([name, summary, why]) => ({
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
  summary:
    'Display resource (CPU/memory) usage (not available here: the server has no metrics API)',
  usage: `top ${name} [NAME]`,
  examples: [],
  flags: [
    {
      name: 'all-namespaces',
      short: 'A',
      type: 'on',
      about: 'If present, apply to the requested objects across all namespaces.',
    },
    { name: 'selector', short: 'l', type: 'text', about: 'Selector (label query) to filter on.' },
    {
      name: 'containers',
      type: 'on',
      about: 'If present, print usage of containers within a pod.',
    },
    {
      name: 'sort-by',
      type: 'text',
      about:
        "If non-empty, sort list using specified field. The field can be either 'cpu' or 'memory'.",
    },
    { name: 'no-headers', type: 'on', about: "Don't print headers (default print headers)." },
  ],
  run: () => Promise.reject(new CommandError(METRICS)),
})

/** Fails as kubectl does without a metrics server. */
export const TOP: Command = {
  name: 'top',
  summary:
    'Display resource (CPU/memory) usage (not available here: the server has no metrics API)',
  usage: 'top',
  examples: [],
  flags: [],
  commands: [noMetrics('node', ['nodes', 'no']), noMetrics('pod', ['pods', 'po'])],
}
