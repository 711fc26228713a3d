/** `kubectl run`: one pod of an image. */
import type { JsonObject } from '../../engine/core/object'
import {
  DRY_RUN_FLAG,
  dryRunOf,
  fieldManagerFlag,
  SAVE_CONFIG_FLAG,
  VALIDATE_FLAG,
} from '../acting/flags'
import type { Command, Flag, FlagValues } from '../command'
import { CommandError } from '../errors'
import { OUTPUT_FLAGS } from '../output/printer'
import { createTyped, newMetadata } from './create/generator'
import { inNamespace, overridden } from './create/overrides'

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
    VALIDATE_FLAG,
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
