/** Flags that every command takes. */
import type { Flag } from './command'

export const GLOBAL_FLAGS: readonly Flag[] = [
  { name: 'namespace', short: 'n', type: 'text', values: 'namespaces', about: 'The namespace to act in.' },
  { name: 'as', type: 'text', about: 'Act as this user, if the right to impersonate is there.' },
  { name: 'as-group', type: 'texts', about: 'Act as a member of this group; may be given several times.' },
  { name: 'as-uid', type: 'text', about: 'Act under this UID.' },
  { name: 'context', type: 'text', values: 'contexts', about: 'Act as this context, which in the page is an actor.' },
  { name: 'v', short: 'v', type: 'number', default: '0', about: 'Show the requests: 6 a line each, 7 and 8 with headers and bodies.' },
  { name: 'request-timeout', type: 'text', default: '0', about: 'How long one request may take; 0: as long as it takes.' },
  { name: 'warnings-as-errors', type: 'on', about: 'Fail if the server warns.' },
  { name: 'help', short: 'h', type: 'on', about: 'Show the help of the command.' },
  refused('kubeconfig', undefined, 'there is no kubeconfig here: contexts are the actors of the page'),
  refused('server', 's', 'there is one server here, the one in this tab: -s cannot name another'),
  refused('token', undefined, 'credentials are chosen with the actor: --token is not taken here'),
  refused('user', undefined, 'credentials are chosen with the actor: choose one with --context'),
  ...['certificate-authority', 'client-certificate', 'client-key', 'tls-server-name', 'username', 'password'].map((name) =>
    refused(name, undefined, `credentials are chosen with the actor: --${name} is not taken here`),
  ),
  ...['insecure-skip-tls-verify', 'match-server-version', 'disable-compression'].map(
    (name): Flag => ({
      name,
      type: 'on',
      about: 'Taken and without meaning here.',
    }),
  ),
  { name: 'cache-dir', type: 'text', about: 'Taken and without meaning here.' },
  refused('cluster', undefined, 'there is one cluster here, the one of this workspace'),
]

function refused(name: string, short: string | undefined, why: string): Flag {
  return { name, ...(short === undefined ? {} : { short }), type: 'text', about: `Not taken: ${why}.`, refused: why }
}
