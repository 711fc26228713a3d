/** `kubectl expose`: a service for an object that runs pods. */
import { isJsonObject, type JsonObject } from '../../engine/core/object'
import { Failures } from '../acting/failures'
import {
  DRY_RUN_FLAG,
  dryRunOf,
  fieldManagerFlag,
  RECURSIVE_FLAG,
  SAVE_CONFIG_FLAG,
  VALIDATE_FLAG,
} from '../acting/flags'
import { foundObjects } from '../acting/objects'
import type { Command, FlagValues } from '../command'
import { pairsOf } from '../describe/words'
import { CommandError } from '../errors'
import { OUTPUT_FLAGS } from '../output/printer'
import { select } from '../targets'
import { FILE_FLAGS } from './common-flags'
import { createTyped, newMetadata } from './create/generator'
import { inNamespace, overridden } from './create/overrides'

/** Kinds that a Service can expose. */
const EXPOSED = ['Service', 'Pod', 'ReplicationController', 'Deployment', 'ReplicaSet']

export const EXPOSE: Command = {
  name: 'expose',
  summary:
    'Take a replication controller, service, deployment or pod and expose it as a new Kubernetes service',
  usage:
    'expose (-f FILENAME | TYPE NAME) [--port=port] [--protocol=TCP|UDP|SCTP] [--target-port=number-or-name] [--name=name] [--external-ip=external-ip-of-service] [--type=type]',
  examples: [
    {
      line: 'kubectl expose deployment web --port=80 --target-port=8080',
      about:
        'Create a service for a deployment, which serves on port 80 and connects to the containers on port 8080',
    },
    {
      line: 'kubectl expose deployment web --port=80 --type=NodePort --name=web-nodes',
      about: 'Create a service that is reachable on a port of every node',
    },
  ],
  completes: 'objects',
  flags: [
    ...FILE_FLAGS,
    DRY_RUN_FLAG,
    fieldManagerFlag('kubectl-expose'),
    ...OUTPUT_FLAGS,
    SAVE_CONFIG_FLAG,
    RECURSIVE_FLAG,
    VALIDATE_FLAG,
    {
      name: 'selector',
      type: 'text',
      about:
        'A label selector to use for this service. If empty, infer the selector from the resource.',
    },
    {
      name: 'labels',
      short: 'l',
      type: 'text',
      about: 'Labels to apply to the service created by this call.',
    },
    {
      name: 'port',
      type: 'text',
      about:
        'The port that the service should serve on. Copied from the resource being exposed, if unspecified.',
    },
    {
      name: 'target-port',
      type: 'text',
      about:
        'Name or number for the port on the container that the service should direct traffic to.',
    },
    {
      name: 'protocol',
      type: 'text',
      values: ['TCP', 'UDP', 'SCTP'],
      about: "The network protocol for the service to be created. Default is 'TCP'.",
    },
    { name: 'name', type: 'text', about: 'The name for the newly created object.' },
    {
      name: 'type',
      type: 'text',
      values: ['ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName'],
      about:
        "Type for this service: ClusterIP, NodePort, LoadBalancer, or ExternalName. Default is 'ClusterIP'.",
    },
    {
      name: 'cluster-ip',
      type: 'text',
      about:
        "ClusterIP to be assigned to the service. Leave empty to auto-allocate, or set to 'None' to create a headless service.",
    },
    {
      name: 'external-ip',
      type: 'text',
      about:
        'Additional external IP address (not managed by Kubernetes) to accept for the service.',
    },
    {
      name: 'load-balancer-ip',
      type: 'text',
      about:
        'IP to assign to the LoadBalancer. If empty, an ephemeral IP will be created and used.',
    },
    {
      name: 'session-affinity',
      type: 'text',
      values: ['None', 'ClientIP'],
      about:
        "If non-empty, set the session affinity for the service to this; legal values: 'None', 'ClientIP'.",
    },
    { name: 'overrides', type: 'text', about: 'An inline JSON override for the generated object.' },
  ],
  async run(context, invocation) {
    const { args, flags } = invocation
    const dryRun = dryRunOf(flags, context)
    const failures = new Failures()
    for await (const { object, resource, name } of foundObjects(
      context,
      await select(context, { args, files: flags.list('filename') }),
      failures,
    )) {
      await failures.during(async () => {
        if (!EXPOSED.includes(resource.kind))
          throw new CommandError(`cannot expose a ${resource.kind}`)
        const service = overridden(exposing(object, name, flags), flags.text('overrides'))
        const placed = context.namespaceGiven ? inNamespace(service, context.namespace) : service
        await createTyped(context, invocation, 'services', placed, dryRun, 'exposed')
      })
    }
    failures.throwIfAny()
    return 0
  },
}

interface Ported {
  port?: number
  containerPort?: number
  protocol?: string
}

/** @throws CommandError where no selector or no port is to be found */
function exposing(object: JsonObject, name: string, flags: FlagValues): JsonObject {
  const selector =
    flags.text('selector') === ''
      ? selectorOf(object)
      : Object.fromEntries(
          flags
            .text('selector')
            .split(',')
            .map((pair) => pair.split(/=(.*)/s).slice(0, 2)),
        )
  const labels =
    flags.text('labels') === ''
      ? labelsOf(object)
      : Object.fromEntries(
          flags
            .text('labels')
            .split(',')
            .map((pair) => pair.split(/=(.*)/s).slice(0, 2)),
        )
  const text = flags.text('port')
  const own = portsOf(object)
  const wanted =
    text === '' ? own.map((port) => String(port.containerPort ?? port.port)) : text.split(',')
  if (wanted.length === 0)
    throw new CommandError("couldn't find port via --port flag or introspection")
  const target = flags.text('target-port')
  const ports = wanted.map((port, index): JsonObject => {
    const protocol =
      flags.text('protocol') ||
      own.find((one) => String(one.containerPort ?? one.port) === port)?.protocol ||
      'TCP'
    return {
      ...(wanted.length > 1 ? { name: `port-${index + 1}` } : {}),
      protocol,
      port: Number(port),
      targetPort: target === '' ? Number(port) : /^\d+$/.test(target) ? Number(target) : target,
    }
  })
  const texts = { clusterIP: flags.text('cluster-ip'), type: flags.text('type') }
  const given = (values: Record<string, string>): JsonObject =>
    Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
  return {
    kind: 'Service',
    apiVersion: 'v1',
    metadata: newMetadata(flags.text('name') || name, labels === undefined ? {} : { labels }),
    spec: {
      ports,
      selector,
      ...given(texts),
      ...(flags.text('external-ip') === '' ? {} : { externalIPs: [flags.text('external-ip')] }),
      ...given({ sessionAffinity: flags.text('session-affinity') }),
      ...(flags.text('type') === 'LoadBalancer'
        ? given({ loadBalancerIP: flags.text('load-balancer-ip') })
        : {}),
    },
    status: { loadBalancer: {} },
  }
}

function labelsOf({ metadata }: JsonObject): JsonObject | undefined {
  const labels = isJsonObject(metadata) ? metadata.labels : undefined
  return isJsonObject(labels) && Object.keys(labels).length > 0 ? labels : undefined
}

function selectorOf(object: JsonObject): JsonObject {
  const spec = isJsonObject(object.spec) ? object.spec : {}
  if (object.kind === 'Pod') {
    const labels = labelsOf(object)
    if (labels === undefined)
      throw new CommandError(
        "couldn't retrieve selectors via --selector flag or introspection: the pod has no labels and cannot be exposed",
      )
    return labels
  }
  const selector = isJsonObject(spec.selector) ? spec.selector : undefined
  if (object.kind === 'Service' || object.kind === 'ReplicationController') {
    if (selector === undefined)
      throw new CommandError(
        "couldn't retrieve selectors via --selector flag or introspection: the service has no pod selector set",
      )
    return selector
  }
  if (selector?.matchExpressions !== undefined) {
    const shown = pairsOf(selector.matchLabels as Record<string, string> | undefined).join(',')
    throw new CommandError(
      `couldn't retrieve selectors via --selector flag or introspection: couldn't convert expressions - "${shown}" to map-based selector format`,
    )
  }
  return isJsonObject(selector?.matchLabels) ? selector.matchLabels : {}
}

function portsOf(object: JsonObject): Ported[] {
  const spec = isJsonObject(object.spec) ? object.spec : {}
  if (object.kind === 'Service') return (spec.ports ?? []) as Ported[]
  const template = isJsonObject(spec.template) ? spec.template : undefined
  const podSpec = object.kind === 'Pod' ? spec : isJsonObject(template?.spec) ? template.spec : {}
  return ((podSpec.containers ?? []) as { ports?: Ported[] }[]).flatMap(({ ports = [] }) => ports)
}
