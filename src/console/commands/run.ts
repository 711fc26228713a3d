/** `kubectl run`: one pod of an image; `kubectl expose`: a service for what runs. */
import { isJsonObject, type Json, type JsonObject } from '../../engine/core/object'
import { applyMergePatch } from '../../engine/patch/merge-patch'
import { Failures } from '../acting/failures'
import {
  DRY_RUN_FLAG,
  dryRunOf,
  fieldManagerFlag,
  RECURSIVE_FLAG,
  SAVE_CONFIG_FLAG,
} from '../acting/flags'
import { foundObjects } from '../acting/objects'
import type { Command, Flag, FlagValues } from '../command'
import { pairsOf } from '../describe/words'
import { CommandError } from '../errors'
import { OUTPUT_FLAGS } from '../output/printer'
import { select } from '../targets'
import { FILE_FLAGS } from './common-flags'
import { createTyped, newMetadata } from './create/generator'

const VALIDATE: Flag = {
  name: 'validate',
  type: 'text',
  default: 'strict',
  about:
    'Must be one of strict (or true), warn, ignore (or false): whether the server rejects unknown or duplicate fields, warns about them, or drops them.',
}
const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never']

const attached = (name: string, short?: string): Flag => ({
  name,
  ...(short === undefined ? {} : { short }),
  type: 'on',
  unavailable: `simulated containers cannot be attached to`,
})

export const RUN: Command = {
  name: 'run',
  summary: 'Run a particular image on the cluster',
  usage:
    'run NAME --image=image [--env="key=value"] [--port=port] [--dry-run=server|client] [--overrides=inline-json] [--command] -- [COMMAND] [args...]',
  examples: [
    { line: 'kubectl run web --image=nginx', about: 'Start a pod' },
    {
      line: 'kubectl run once --image=busybox --restart=Never -- date',
      about: 'Start a pod that runs a command and does not restart',
    },
    {
      line: 'kubectl run web --image=nginx --port=80 --expose',
      about: 'Start a pod and expose its port with a service',
    },
  ],
  flags: [
    DRY_RUN_FLAG,
    fieldManagerFlag('kubectl-run'),
    ...OUTPUT_FLAGS,
    SAVE_CONFIG_FLAG,
    VALIDATE,
    { name: 'image', type: 'text', about: 'The image for the container to run.' },
    {
      name: 'image-pull-policy',
      type: 'text',
      values: PULL_POLICIES,
      about:
        'The image pull policy for the container. If left empty, this value will not be specified by the client and defaulted by the server.',
    },
    {
      name: 'env',
      type: 'texts',
      about: 'Environment variables to set in the container. Can be repeated.',
    },
    { name: 'port', type: 'text', about: 'The port that this container exposes.' },
    {
      name: 'labels',
      short: 'l',
      type: 'text',
      about: 'Comma separated labels to apply to the pod. Will override previous values.',
    },
    {
      name: 'annotations',
      type: 'texts',
      about: 'Annotations to apply to the pod. Can be repeated.',
    },
    {
      name: 'restart',
      type: 'text',
      default: 'Always',
      values: ['Always', 'OnFailure', 'Never'],
      about: 'The restart policy for this Pod. Legal values [Always, OnFailure, Never].',
    },
    {
      name: 'command',
      type: 'on',
      about:
        "If true and extra arguments are present, use them as the 'command' field in the container, rather than the 'args' field which is the default.",
    },
    {
      name: 'expose',
      type: 'on',
      about: 'If true, create a ClusterIP service associated with the pod. Requires `--port`.',
    },
    { name: 'privileged', type: 'on', about: 'If true, run the container in privileged mode.' },
    { name: 'overrides', type: 'text', about: 'An inline JSON override for the generated object.' },
    {
      name: 'quiet',
      short: 'q',
      type: 'on',
      about: 'Accepted for compatibility; it has no effect here.',
    },
    attached('attach'),
    attached('stdin', 'i'),
    attached('tty', 't'),
    attached('rm'),
  ],
  async run(context, invocation) {
    const { args, beforeDashes, flags, path } = invocation
    if (!flags.has('image')) throw new CommandError('required flag(s) "image" not set')
    const help = `See '${path} -h' for help and examples`
    const [name, ...command] = args
    if (name === undefined || beforeDashes === 0)
      throw new CommandError(`NAME is required for run\n${help}`)
    const image = flags.text('image')
    if (!/^[A-Za-z0-9][\w.:/-]*(@[a-z0-9]+:[0-9a-f]+)?$/.test(image))
      throw new CommandError(
        `Invalid image name ${JSON.stringify(image)}: invalid reference format`,
      )
    const restart = flags.text('restart')
    if (!['Always', 'OnFailure', 'Never'].includes(restart))
      throw new CommandError(`invalid restart policy: ${restart}\n${help}`)
    const pull = flags.text('image-pull-policy')
    if (!['', ...PULL_POLICIES].includes(pull))
      throw new CommandError(`invalid image pull policy: ${pull}\n${help}`)
    if (flags.on('expose') && flags.text('port') === '')
      throw new CommandError(`--port must be set when exposing a service\n${help}`)
    const port = flags.text('port')
    if (!/^[+-]?\d*$/.test(port))
      throw new CommandError(`strconv.Atoi: parsing ${JSON.stringify(port)}: invalid syntax`)
    const dryRun = dryRunOf(flags, context)
    const pod = overridden(podOf(name, command, flags), flags.text('overrides'))
    const placed = context.namespaceGiven ? inNamespace(pod, context.namespace) : pod
    // Creates the pod first and prints it last.
    const lines: string[] = []
    await createTyped(
      { ...context, out: (text) => lines.push(text) },
      invocation,
      'pods',
      placed,
      dryRun,
    )
    if (flags.on('expose')) {
      const service = serviceFor(name, pod, Number(flags.text('port')))
      await createTyped(
        context,
        invocation,
        'services',
        context.namespaceGiven ? inNamespace(service, context.namespace) : service,
        dryRun,
      )
      if (flags.text('output') === 'yaml') context.out('---\n')
    }
    for (const text of lines) context.out(text)
    return 0
  },
}

function inNamespace(object: JsonObject, namespace: string): JsonObject {
  const { name = null, ...metadata } = object.metadata as JsonObject
  return { ...object, metadata: { name, namespace, ...metadata } }
}

const keyValues = (
  texts: readonly string[],
  problem: (text: string) => string,
): [string, string][] =>
  texts.map((text) => {
    const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
    if (key === undefined || value === undefined) throw new CommandError(problem(text))
    return [key, value]
  })

function podOf(name: string, command: readonly string[], flags: FlagValues): JsonObject {
  const labels =
    flags.text('labels') === ''
      ? { run: name }
      : Object.fromEntries(
          keyValues(flags.text('labels').split(','), (text) => `unexpected label spec: ${text}`),
        )
  const annotations = Object.fromEntries(
    keyValues(flags.list('annotations'), (text) => `invalid annotation: ${text}`),
  )
  const env = keyValues(flags.list('env'), (text) => `invalid env: ${text}`).map(
    ([key, value]) => ({ name: key, value }),
  )
  const words =
    command.length === 0 ? {} : { [flags.on('command') ? 'command' : 'args']: [...command] }
  const policy = flags.text('image-pull-policy')
  return {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: newMetadata(name, { labels, ...(flags.has('annotations') ? { annotations } : {}) }),
    spec: {
      containers: [
        {
          name,
          image: flags.text('image'),
          ...words,
          ...(flags.text('port') === ''
            ? {}
            : { ports: [{ containerPort: Number(flags.text('port')) }] }),
          ...(env.length === 0 ? {} : { env }),
          resources: {},
          ...(policy === '' ? {} : { imagePullPolicy: policy }),
          ...(flags.on('privileged') ? { securityContext: { privileged: true } } : {}),
        },
      ],
      restartPolicy: flags.text('restart'),
      dnsPolicy: 'ClusterFirst',
    },
    status: {},
  }
}

function overridden(object: JsonObject, text: string): JsonObject {
  if (text === '') return object
  try {
    return applyMergePatch(object, JSON.parse(text) as Json) as JsonObject
  } catch {
    throw new CommandError(`couldn't parse --overrides: ${text}`)
  }
}

const serviceFor = (name: string, pod: JsonObject, port: number): JsonObject => ({
  kind: 'Service',
  apiVersion: 'v1',
  metadata: newMetadata(name),
  spec: {
    ports: [{ protocol: 'TCP', port, targetPort: port }],
    selector: (pod.metadata as JsonObject).labels ?? {},
  },
  status: { loadBalancer: {} },
})

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
    VALIDATE,
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
