/** `kubectl logs` */
import type { Pod } from 'kubernetes-types/core/v1'
import { LABELS_FLAG } from '../acting/flags'
import { containerNames, defaultContainer, listPods, podsOf } from '../acting/pods'
import { pathWith } from '../client'
import type { Command, Context, FlagValues, Invocation } from '../command'
import { pathOf } from '../discovery'
import { CommandError } from '../errors'

/** Lines per container if labels select several. */
const TAIL_OF_SEVERAL = 10

export const LOGS: Command = {
  name: 'logs',
  summary: 'Print the logs for a container in a pod',
  usage: 'logs [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]',
  examples: [
    { line: 'kubectl logs web-1', about: 'Return snapshot logs from pod web-1' },
    { line: 'kubectl logs -f deployment/web', about: 'Begin streaming the logs of a deployment' },
    {
      line: 'kubectl logs -l app=web --prefix --tail=5',
      about: 'Show the last five log lines of all pods with label app=web',
    },
  ],
  completes: 'pods',
  flags: [
    LABELS_FLAG,
    { name: 'all-containers', type: 'on', about: "Get all containers' logs in the pod(s)." },
    { name: 'all-pods', type: 'on', about: 'Get logs from all pod(s). Sets prefix to true.' },
    { name: 'container', short: 'c', type: 'text', about: 'Print the logs of this container.' },
    { name: 'follow', short: 'f', type: 'on', about: 'Specify if the logs should be streamed.' },
    {
      name: 'ignore-errors',
      type: 'on',
      about: 'If watching / following pod logs, allow for any errors that occur to be non-fatal.',
    },
    {
      name: 'insecure-skip-tls-verify-backend',
      type: 'on',
      about: 'Accepted for compatibility; it has no effect here.',
    },
    {
      name: 'limit-bytes',
      type: 'number',
      default: '0',
      about: 'Maximum bytes of logs to return. Defaults to no limit.',
    },
    {
      name: 'max-log-requests',
      type: 'number',
      default: '5',
      about: 'Specify maximum number of concurrent logs to follow when using by a selector.',
    },
    {
      name: 'pod-running-timeout',
      type: 'text',
      default: '20s',
      about: 'Accepted for compatibility; it has no effect here.',
    },
    {
      name: 'prefix',
      type: 'on',
      about: 'Prefix each log line with the log source (pod name and container name).',
    },
    {
      name: 'previous',
      short: 'p',
      type: 'on',
      about:
        'If true, print the logs for the previous instance of the container in a pod if it exists.',
    },
    {
      name: 'since',
      type: 'duration',
      default: '0s',
      about:
        'Only return logs newer than a relative duration like 5s, 2m, or 3h. Defaults to all logs.',
    },
    {
      name: 'since-time',
      type: 'text',
      about: 'Only return logs after a specific date (RFC3339). Defaults to all logs.',
    },
    {
      name: 'tail',
      type: 'number',
      default: '-1',
      about:
        'Lines of recent log file to display. Defaults to -1 with no selector, showing all log lines, otherwise 10.',
    },
    { name: 'timestamps', type: 'on', about: 'Include timestamps on each line in the log output.' },
  ],
  async run(context, invocation) {
    const sources = await sourcesOf(context, invocation)
    const { flags } = invocation
    const follows = flags.on('follow') && sources.length > 1
    if (follows && sources.length > flags.number('max-log-requests')) {
      throw new CommandError(
        `you are attempting to follow ${sources.length} log streams, but maximum allowed concurrency is ${flags.number('max-log-requests')}, use --max-log-requests to increase the limit`,
      )
    }
    const print = (source: Source): Promise<void> => printLog(context, source, invocation)
    if (follows) await Promise.all(sources.map(print))
    else for (const source of sources) await print(source)
    return 0
  },
}

interface Source {
  pod: Pod
  container: string
}

async function sourcesOf(context: Context, { args, flags, path }: Invocation): Promise<Source[]> {
  const help = `See '${path} -h' for help and examples`
  const selector = flags.text('selector')
  const [word, inline] = args
  if (word === undefined && selector === '') {
    throw new CommandError(
      `expected 'logs [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]'.\nPOD or TYPE/NAME is a required argument for the logs command\n${help}`,
    )
  }
  if (word !== undefined && selector !== '')
    throw new CommandError(`only a selector (-l) or a POD name is allowed\n${help}`)
  if (args.length > 2)
    throw new CommandError(
      `expected 'logs [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]'.\nPOD or TYPE/NAME is a required argument for the logs command\n${help}`,
    )
  if (inline !== undefined && flags.has('container'))
    throw new CommandError('only one of -c or an inline [CONTAINER] arg is allowed')
  checkNumbers(flags)
  const wanted = inline ?? flags.text('container')
  if (wanted !== '' && flags.on('all-containers'))
    throw new CommandError(
      `--all-containers=true should not be specified with container name ${wanted}`,
    )
  if (word === undefined) {
    const pods = await listPods(context, selector)
    if (pods.length === 0) context.err(`No resources found in ${context.namespace} namespace.\n`)
    return pods.flatMap((pod) => containersOf(context, pod, wanted, flags))
  }
  const pods = await podsOf(context, word, 'logs')
  if (flags.on('all-pods')) return pods.flatMap((pod) => containersOf(context, pod, wanted, flags))
  const [pod] = pods
  if (pod === undefined) throw new CommandError('timed out waiting for the condition')
  if (pods.length > 1) context.err(`Found ${pods.length} pods, using pod/${pod.metadata?.name}\n`)
  return containersOf(context, pod, wanted, flags)
}

function checkNumbers(flags: FlagValues): void {
  if (flags.has('since') && flags.text('since-time') !== '')
    throw new CommandError('at most one of `sinceTime` or `sinceSeconds` may be specified')
  if (flags.number('tail') < -1)
    throw new CommandError('--tail must be greater than or equal to -1')
  if (flags.has('limit-bytes') && flags.number('limit-bytes') < 1)
    throw new CommandError('--limit-bytes must be greater than 0')
}

function containersOf(context: Context, pod: Pod, wanted: string, flags: FlagValues): Source[] {
  const { initContainers, containers, ephemeralContainers } = containerNames(pod)
  if (flags.on('all-containers'))
    return [...initContainers, ...containers, ...ephemeralContainers].map((container) => ({
      pod,
      container,
    }))
  if (wanted === '') return [{ pod, container: defaultContainer(context, pod) }]
  if (![...initContainers, ...containers, ...ephemeralContainers].includes(wanted)) {
    throw new CommandError(`container ${wanted} is not valid for pod ${pod.metadata?.name}`)
  }
  return [{ pod, container: wanted }]
}

async function printLog(
  context: Context,
  { pod, container }: Source,
  { flags }: Invocation,
): Promise<void> {
  const resource = await context.discovery.find('pods')
  const several = flags.text('selector') !== ''
  const tail = flags.has('tail') ? flags.number('tail') : several ? TAIL_OF_SEVERAL : -1
  const on = (flag: string): string | undefined => (flags.on(flag) ? 'true' : undefined)
  const seconds = Math.ceil(flags.duration('since') / 1000)
  const path = pathWith(
    pathOf(resource, pod.metadata?.namespace ?? context.namespace, pod.metadata?.name, 'log'),
    {
      container,
      follow: on('follow'),
      previous: on('previous'),
      timestamps: on('timestamps'),
      sinceSeconds: seconds > 0 ? String(seconds) : undefined,
      sinceTime: flags.text('since-time') || undefined,
      tailLines: tail >= 0 ? String(tail) : undefined,
      limitBytes: flags.number('limit-bytes') > 0 ? flags.text('limit-bytes') : undefined,
    },
  )
  const prefix =
    flags.on('prefix') || flags.on('all-pods') ? `[pod/${pod.metadata?.name}/${container}] ` : ''
  let rest = ''
  for await (const chunk of context.client.stream({ path, accept: 'application/json, */*' })) {
    if (prefix === '') {
      context.out(chunk)
      continue
    }
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) context.out(`${prefix}${line}\n`)
  }
  if (rest !== '') context.out(`${prefix}${rest}\n`)
}
