/** Services of the four types. */
import type { JsonObject } from '../../../engine/core/object'
import type { Command, Flag } from '../../command'
import { CommandError } from '../../errors'
import { type Generator, generated, type Making, newMetadata } from './generator'

const TCP_FLAG: Flag = {
  name: 'tcp',
  type: 'list',
  about: "Port pairs can be specified as '<port>:<targetPort>'. Can be repeated.",
}

/** `80`, `80:8080`; also the port names. @throws CommandError */
function portsOf({ invocation: { flags } }: Making, nodePort = 0): JsonObject[] {
  return flags.list('tcp').map((text) => {
    const [port = '', target = port] = text.split(':')
    if (!/^\d+$/.test(port))
      throw new CommandError(`strconv.ParseUint: parsing ${JSON.stringify(port)}: invalid syntax`)
    checkTarget(target)
    return {
      name: text.replaceAll(':', '-'),
      protocol: 'TCP',
      port: Number(port),
      targetPort: /^\d+$/.test(target) ? Number(target) : target,
      ...(nodePort > 0 ? { nodePort } : {}),
    }
  })
}

/** @param target a port number or name @throws CommandError */
function checkTarget(target: string): void {
  if (/^\d+$/.test(target)) {
    if (Number(target) > 65535) throw new CommandError('must be between 1 and 65535, inclusive')
  } else if (!/^[a-z0-9-]*$/i.test(target))
    throw new CommandError('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)')
}

function serviceOf(
  made: Making,
  type: string,
  { externalName, ...spec }: JsonObject,
  nodePort = 0,
): JsonObject {
  const ports = portsOf(made, nodePort)
  const labels = { app: made.name }
  return {
    kind: 'Service',
    apiVersion: 'v1',
    metadata: newMetadata(made.name, { labels }),
    spec: {
      ...(ports.length === 0 ? {} : { ports }),
      selector: labels,
      ...spec,
      type,
      ...(externalName === undefined ? {} : { externalName }),
    },
    status: { loadBalancer: {} },
  }
}

const common = { resource: 'services', namespaced: true } as const

const clusterIp: Generator = {
  ...common,
  name: 'clusterip',
  called: 'ClusterIP service:',
  summary: 'Create a ClusterIP service',
  usage: 'clusterip NAME [--tcp=<port>:<targetPort>] [--dry-run=server|client|none]',
  example: 'create service clusterip web --tcp=80:8080',
  flags: [
    TCP_FLAG,
    {
      name: 'clusterip',
      type: 'text',
      about:
        "Assign your own ClusterIP or set to 'None' for a 'headless' service (no loadbalancing).",
    },
  ],
  build(made) {
    const address = made.invocation.flags.text('clusterip')
    if (made.invocation.flags.list('tcp').length === 0 && address !== 'None')
      throw new CommandError('at least one tcp port specifier must be provided')
    return serviceOf(made, 'ClusterIP', address === '' ? {} : { clusterIP: address })
  },
}

const nodePort: Generator = {
  ...common,
  name: 'nodeport',
  called: 'NodePort service:',
  summary: 'Create a NodePort service',
  usage: 'nodeport NAME [--tcp=port:targetPort] [--dry-run=server|client|none]',
  example: 'create service nodeport web --tcp=80:8080 --node-port=30080',
  flags: [
    TCP_FLAG,
    {
      name: 'node-port',
      type: 'number',
      default: '0',
      about: 'Port used to expose the service on each node in a cluster; 0 selects a free port.',
    },
  ],
  build(made) {
    if (made.invocation.flags.list('tcp').length === 0)
      throw new CommandError('at least one tcp port specifier must be provided')
    return serviceOf(made, 'NodePort', {}, made.invocation.flags.number('node-port'))
  },
}

const loadBalancer: Generator = {
  ...common,
  name: 'loadbalancer',
  called: 'LoadBalancer service:',
  summary: 'Create a LoadBalancer service',
  usage: 'loadbalancer NAME [--tcp=port:targetPort] [--dry-run=server|client|none]',
  example: 'create service loadbalancer web --tcp=80:8080',
  flags: [TCP_FLAG],
  build(made) {
    if (made.invocation.flags.list('tcp').length === 0)
      throw new CommandError('at least one tcp port specifier must be provided')
    return serviceOf(made, 'LoadBalancer', {})
  },
}

const externalName: Generator = {
  ...common,
  name: 'externalname',
  called: 'ExternalName service:',
  summary: 'Create an ExternalName service',
  usage: 'externalname NAME --external-name external.name [--dry-run=server|client|none]',
  example: 'create service externalname db --external-name db.example.com',
  required: ['external-name'],
  flags: [TCP_FLAG, { name: 'external-name', type: 'text', about: 'External name of service.' }],
  build(made) {
    return serviceOf(made, 'ExternalName', {
      externalName: made.invocation.flags.text('external-name'),
    })
  },
}

export const SERVICE: Command = {
  name: 'service',
  aliases: ['svc'],
  summary: 'Create a service using a specified subcommand',
  usage: 'create service',
  examples: [],
  flags: [],
  commands: [clusterIp, externalName, loadBalancer, nodePort].map((generator) =>
    generated(generator, 'create service'),
  ),
}
