/** Commands that print information about the server. */

import { isJsonObject } from '../../engine/core/object'
import { goJson } from '../../engine/encoding/json-path-template'
import { toYaml } from '../../engine/encoding/yaml'
import { pathWith } from '../client'
import { clientVersionOf } from '../client-release'
import type { Command } from '../command'
import { apiVersionOf } from '../discovery'
import { CommandError } from '../errors'

export const API_VERSIONS: Command = {
  name: 'api-versions',
  summary: 'Print the supported API versions on the server, in the form of "group/version"',
  usage: 'api-versions',
  examples: [{ line: 'kubectl api-versions', about: 'Print the supported API versions' }],
  flags: [],
  async run({ discovery, out }, { args, path }) {
    if (args.length > 0)
      throw new CommandError(
        `unexpected arguments: [${args.join(' ')}]\nSee '${path} -h' for help and examples`,
      )
    discovery.reset()
    const versions = (await discovery.groups()).flatMap(({ name, versions }) =>
      versions.map((version) => apiVersionOf({ group: name, version })),
    )
    out(
      versions
        .sort()
        .map((version) => `${version}\n`)
        .join(''),
    )
    return 0
  },
}

export const VERSION: Command = {
  name: 'version',
  summary: 'Print the client and server version information',
  usage: 'version [flags]',
  examples: [
    {
      line: 'kubectl version',
      about: 'Print the client and server versions for the current context',
    },
    { line: 'kubectl version -o json', about: 'Print them as JSON' },
  ],
  flags: [
    {
      name: 'client',
      type: 'on',
      about: 'If true, shows client version only (no server required).',
    },
    {
      name: 'output',
      short: 'o',
      type: 'text',
      values: ['yaml', 'json'],
      about: 'Output format. One of: (yaml, json).',
    },
  ],
  async run({ client, discovery, out }, { args, flags, path }) {
    if (args.length > 0)
      throw new CommandError(
        `extra arguments: [${args.join(' ')}]\nSee '${path} -h' for help and examples`,
      )
    const output = flags.text('output')
    if (!['', 'yaml', 'json'].includes(output))
      throw new CommandError("--output must be 'yaml' or 'json'")
    const server = flags.on('client') ? undefined : await client.get('/version')
    const clientVersion = clientVersionOf(server ?? (await discovery.version()))
    const all = {
      clientVersion,
      ...(server === undefined ? {} : { serverVersion: server }),
    }
    if (output === 'yaml') out(toYaml(all))
    else if (output === 'json') out(`${goJson(all, 2)}\n`)
    else
      out(
        `Client Version: ${clientVersion.gitVersion}\n${server === undefined ? '' : `Server Version: ${server.gitVersion}\n`}`,
      )
    return 0
  },
}

const GREEN = '\u001b[0;32m'
const YELLOW = '\u001b[0;33m'
const PLAIN = '\u001b[0m'

export const CLUSTER_INFO: Command = {
  name: 'cluster-info',
  summary: 'Display cluster information',
  usage: 'cluster-info',
  examples: [
    {
      line: 'kubectl cluster-info',
      about: 'Print the address of the control plane and cluster services',
    },
  ],
  flags: [],
  async run({ client, contexts, namespace, namespaceGiven, out }) {
    const place = namespaceGiven ? namespace : 'kube-system'
    const list = await client.get(
      pathWith(`/api/v1/namespaces/${place}/services`, {
        labelSelector: 'kubernetes.io/cluster-service=true',
      }),
    )
    const printAddress = (what: string, address: string) =>
      out(`${GREEN}${what}${PLAIN} is running at ${YELLOW}${address}${PLAIN}\n`)
    printAddress('Kubernetes control plane', contexts.server)
    for (const service of Array.isArray(list.items) ? list.items.filter(isJsonObject) : []) {
      const metadata = isJsonObject(service.metadata) ? service.metadata : {}
      const labels = isJsonObject(metadata.labels) ? metadata.labels : {}
      const port =
        isJsonObject(service.spec) && Array.isArray(service.spec.ports)
          ? service.spec.ports.find(isJsonObject)
          : undefined
      const scheme = port?.name === 'https' || port?.port === 443 ? 'https:' : ''
      const name =
        port === undefined ? metadata.name : `${scheme}${metadata.name}:${port.name ?? ''}`
      printAddress(
        String(labels['kubernetes.io/name'] || metadata.name),
        `${contexts.server}/api/v1/namespaces/${place}/services/${name}/proxy`,
      )
    }
    out("\nTo further debug and diagnose cluster problems, use 'kubectl cluster-info dump'.\n")
    return 0
  },
}
