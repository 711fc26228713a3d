/** `kubectl exec`: asked of the server, which says why a page cannot have it. */
import { containerNames, defaultContainer, podsOf } from '../acting/pods'
import { pathWith } from '../client'
import type { Command } from '../command'
import { pathOf } from '../discovery'
import { CommandError } from '../errors'
import { FILE_FLAGS } from './common-flags'

export const EXEC: Command = {
  name: 'exec',
  summary: 'Runs a command in a container, where the server lets one.',
  usage: 'exec (POD | TYPE/NAME) [-c CONTAINER] [flags] -- COMMAND [args...]',
  examples: [{ line: 'kubectl exec web-1 -- date', about: 'A command in a pod' }],
  completes: 'pods',
  flags: [
    ...FILE_FLAGS,
    { name: 'container', short: 'c', type: 'text', about: 'In this container.' },
    { name: 'stdin', short: 'i', type: 'on', about: 'Taken: what is piped in goes nowhere.' },
    { name: 'tty', short: 't', type: 'on', about: 'Taken and without meaning here.' },
    { name: 'quiet', short: 'q', type: 'on', about: 'Taken and without meaning here.' },
    { name: 'pod-running-timeout', type: 'text', default: '1m0s', about: 'Taken and without meaning here.' },
  ],
  async run(context, { args, beforeDashes, flags, path }) {
    const help = `See '${path} -h' for help and examples`
    if (args.length === 0) throw new CommandError(`pod, type/name or --filename must be specified`)
    if (beforeDashes === undefined && args.length > 1) {
      throw new CommandError(`exec [POD] [COMMAND] is not supported anymore. Use exec [POD] -- [COMMAND] instead\n${help}`)
    }
    const [word = '', ...command] = args
    if (command.length === 0) throw new CommandError('you must specify at least one command for the container')
    const [pod] = await podsOf(context, word, '')
    if (pod === undefined) throw new CommandError('timed out waiting for the condition')
    if (pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed') {
      throw new CommandError(`cannot exec into a container in a completed pod; current phase is ${pod.status.phase}`)
    }
    const wanted = flags.text('container')
    const { initContainers, containers, ephemeralContainers } = containerNames(pod)
    const container =
      wanted !== '' && [...initContainers, ...containers, ...ephemeralContainers].includes(wanted)
        ? wanted
        : wanted || defaultContainer(context, pod)
    const resource = await context.discovery.find('pods')
    const query = [
      pathWith('', { container, stdout: 'true', stderr: 'true' }),
      ...command.map((part) => `command=${encodeURIComponent(part)}`),
    ].join('&')
    await context.client.send({ method: 'POST', path: `${pathOf(resource, context.namespace, pod.metadata?.name, 'exec')}${query}` })
    return 0
  },
}
