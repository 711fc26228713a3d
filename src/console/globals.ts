/** Flags of every command. */
import type { Flag } from './command'

export const GLOBAL_FLAGS: readonly Flag[] = [
  {
    name: 'namespace',
    short: 'n',
    type: 'text',
    values: 'namespaces',
    about: 'If present, the namespace scope for this CLI request.',
  },
  {
    name: 'as',
    type: 'text',
    about:
      'Username to impersonate for the operation. User could be a regular user or a service account in a namespace.',
  },
  {
    name: 'as-group',
    type: 'texts',
    about:
      'Group to impersonate for the operation, this flag can be repeated to specify multiple groups.',
  },
  { name: 'as-uid', type: 'text', about: 'UID to impersonate for the operation.' },
  {
    name: 'context',
    type: 'text',
    values: 'contexts',
    about: 'The name of the kubeconfig context to use: in the page, a user.',
  },
  {
    name: 'v',
    short: 'v',
    type: 'number',
    default: '0',
    about:
      'Number for the log level verbosity: 6 prints the requests, 7 their headers, 8 their bodies.',
  },
  {
    name: 'request-timeout',
    type: 'text',
    default: '0',
    about:
      "The length of time to wait before giving up on a single server request. A value of zero means don't timeout requests.",
  },
  {
    name: 'warnings-as-errors',
    type: 'on',
    about: 'Treat warnings received from the server as errors and exit with a non-zero exit code.',
  },
  { name: 'help', short: 'h', type: 'on', about: 'Show the help of the command.' },
  unavailable('kubeconfig', undefined, 'the users of the page are the contexts'),
  unavailable('server', 's', 'the console always connects to the server in this tab'),
  unavailable('token', undefined, 'credentials come with the context'),
  unavailable('user', undefined, 'credentials come with the context: use --context'),
  ...[
    'certificate-authority',
    'client-certificate',
    'client-key',
    'tls-server-name',
    'username',
    'password',
  ].map((name) => unavailable(name, undefined, 'credentials come with the context')),
  ...['insecure-skip-tls-verify', 'match-server-version', 'disable-compression'].map(
    (name): Flag => ({
      name,
      type: 'on',
      about: 'Accepted for compatibility; it has no effect here.',
    }),
  ),
  { name: 'cache-dir', type: 'text', about: 'Accepted for compatibility; it has no effect here.' },
  unavailable('cluster', undefined, 'a workspace has one cluster'),
]

function unavailable(name: string, short: string | undefined, why: string): Flag {
  return { name, ...(short === undefined ? {} : { short }), type: 'text', unavailable: why }
}
