/** Runs a command in a simulated container. Standard input is sent whole, before any output. */
import { containerNames, defaultContainer, podsOf } from '../acting/pods'
import { pathWith } from '../client'
import type { Command, Context, FlagValues } from '../command'
import { pathOf } from '../discovery'
import { CommandError, PlainError } from '../errors'
import { wholeText } from '../pipe'
import { FILE_FLAGS } from './common-flags'

export const EXEC: Command = {
  name: 'exec',
  summary: 'Execute a command in a container (simulated)',
  usage: 'exec (POD | TYPE/NAME) [-c CONTAINER] [flags] -- COMMAND [args...]',
  examples: [
    {
      line: 'kubectl exec web-1 -- date',
      about:
        "Get output from running the 'date' command from pod web-1, using the first container by default",
    },
    {
      line: 'echo hostname | kubectl exec -i web-1 -- sh',
      about: 'Pass a command to a shell in the pod through stdin',
    },
  ],
  completes: 'pods',
  flags: [
    ...FILE_FLAGS,
    {
      name: 'container',
      short: 'c',
      type: 'text',
      about:
        'Container name. If omitted, use the kubectl.kubernetes.io/default-container annotation for selecting the container or the first container in the pod.',
    },
    { name: 'stdin', short: 'i', type: 'on', about: 'Pass stdin to the container.' },
    {
      name: 'tty',
      short: 't',
      type: 'on',
      about: 'Accepted for compatibility; simulated containers have no terminal.',
    },
    {
      name: 'quiet',
      short: 'q',
      type: 'on',
      about: 'Accepted for compatibility; it has no effect here.',
    },
    {
      name: 'pod-running-timeout',
      type: 'text',
      default: '1m0s',
      about: 'Accepted for compatibility; it has no effect here.',
    },
  ],
  async run(context, { args, beforeDashes, flags, path }) {
    const help = `See '${path} -h' for help and examples`
    if (args.length === 0) throw new CommandError(`pod, type/name or --filename must be specified`)
    if (beforeDashes === undefined && args.length > 1) {
      throw new CommandError(
        `exec [POD] [COMMAND] is not supported anymore. Use exec [POD] -- [COMMAND] instead\n${help}`,
      )
    }
    const [word = '', ...command] = args
    if (command.length === 0)
      throw new CommandError('you must specify at least one command for the container')
    const [pod] = await podsOf(context, word, '')
    if (pod === undefined) throw new CommandError('timed out waiting for the condition')
    if (pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed') {
      throw new CommandError(
        `cannot exec into a container in a completed pod; current phase is ${pod.status.phase}`,
      )
    }
    const wanted = flags.text('container')
    const { initContainers, containers, ephemeralContainers } = containerNames(pod)
    const container =
      wanted !== '' && [...initContainers, ...containers, ...ephemeralContainers].includes(wanted)
        ? wanted
        : wanted || defaultContainer(context, pod)
    const resource = await context.discovery.find('pods')
    const input = await inputOf(context, flags, command)
    const query = [
      pathWith('', {
        container,
        stdin: input === undefined ? undefined : 'true',
        stdout: 'true',
        stderr: 'true',
      }),
      ...command.map((part) => `command=${encodeURIComponent(part)}`),
    ].join('&')
    const target = `${pathOf(resource, context.namespace, pod.metadata?.name, 'exec')}${query}`
    const messages = context.client.channels({
      method: 'POST',
      path: target,
      accept: '*/*',
      ...(input === undefined ? {} : { body: input, contentType: 'text/plain' }),
    })
    let code = 0
    for await (const [channel, text] of messages) {
      if (channel === CHANNEL.output) context.out(text)
      else if (channel === CHANNEL.error) context.err(text)
      else if (channel === CHANNEL.status) code = exitCode(text)
    }
    if (code !== 0) throw new PlainError(`command terminated with exit code ${code}`, code)
    return 0
  },
}

const CHANNEL = { output: 1, error: 2, status: 3 } as const

/** The Status has the exit code as a cause. */
function exitCode(text: string): number {
  const status = JSON.parse(text) as {
    status?: string
    details?: { causes?: { reason?: string; message?: string }[] }
  }
  if (status.status === 'Success') return 0
  const cause = status.details?.causes?.find(({ reason }) => reason === 'ExitCode')
  return Number(cause?.message ?? 1)
}

const SHELL = /^(?:\/(?:usr\/)?bin\/)?(?:ba|da|a|z)?sh$/

/** @throws CommandError for a shell that would read from the terminal */
async function inputOf(
  { input, err }: Context,
  flags: FlagValues,
  command: readonly string[],
): Promise<string | undefined> {
  if (!flags.on('stdin')) return undefined
  if (input !== undefined) {
    if (flags.on('tty'))
      err('Unable to use a TTY - input is not a terminal or the right kind of file\n')
    return wholeText(input)
  }
  const [program = '', ...rest] = command
  if (SHELL.test(program) && !rest.includes('-c'))
    throw new CommandError(
      'a shell that reads what is typed needs a connection in both directions, which a page has not: give one command, or pipe the lines in',
    )
  return ''
}
