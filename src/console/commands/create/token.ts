/** `kubectl create token` */
import { entryOf, isJsonObject } from '../../../engine/core/object'
import { Results } from '../../acting/results'
import type { Command } from '../../command'
import { pathOf } from '../../discovery'
import { CommandError, StatusError } from '../../errors'
import { OUTPUT_FLAGS } from '../../output/printer'

const BOUND_KINDS: Record<string, string> = { Pod: 'v1', Secret: 'v1', Node: 'v1' }

export const TOKEN: Command = {
  name: 'token',
  summary: 'Request a service account token',
  usage: 'create token SERVICE_ACCOUNT_NAME',
  examples: [
    {
      line: 'kubectl create token robot --duration=10m',
      about: 'Request a token with a lifetime of ten minutes',
    },
  ],
  flags: [
    {
      name: 'audience',
      type: 'texts',
      about:
        'Audience of the requested token. Can be repeated to request a token for multiple audiences.',
    },
    { name: 'duration', type: 'duration', about: 'Requested lifetime of the issued token.' },
    {
      name: 'bound-object-kind',
      type: 'text',
      values: Object.keys(BOUND_KINDS),
      about: 'Kind of an object to bind the token to. Supported kinds are Pod, Secret, and Node.',
    },
    { name: 'bound-object-name', type: 'text', about: 'Name of an object to bind the token to.' },
    { name: 'bound-object-uid', type: 'text', about: 'UID of an object to bind the token to.' },
    ...OUTPUT_FLAGS,
  ],
  async run(context, { args, flags, path }) {
    const [name, ...others] = args
    if (name === undefined || others.length > 0)
      throw new CommandError(
        `exactly one NAME is required, got ${args.length}\nSee '${path} -h' for help and examples`,
      )
    const kind = flags.text('bound-object-kind')
    const boundName = flags.text('bound-object-name')
    if (kind === '' && boundName !== '')
      throw new CommandError(
        '--bound-object-name can only be set if --bound-object-kind is provided',
      )
    if (kind === '' && flags.has('bound-object-uid'))
      throw new CommandError(
        '--bound-object-uid can only be set if --bound-object-kind is provided',
      )
    if (kind !== '' && entryOf(BOUND_KINDS, kind) === undefined)
      throw new CommandError(
        `supported --bound-object-kind values are ${Object.keys(BOUND_KINDS).sort().join(', ')}`,
      )
    if (kind !== '' && boundName === '')
      throw new CommandError('--bound-object-name must be set if --bound-object-kind is provided')
    const seconds = Math.trunc(flags.duration('duration') / 1000)
    if (flags.has('duration') && flags.duration('duration') < 0)
      throw new CommandError('--duration must be greater than or equal to 0')
    const spec = {
      audiences: flags.list('audience'),
      ...(seconds > 0 ? { expirationSeconds: seconds } : {}),
      ...(kind === ''
        ? {}
        : {
            boundObjectRef: {
              kind,
              apiVersion: entryOf(BOUND_KINDS, kind),
              name: boundName,
              uid: flags.text('bound-object-uid'),
            },
          }),
    }
    const accounts = await context.discovery.find('serviceaccounts')
    const { json } = await context.client
      .send({
        method: 'POST',
        path: pathOf(accounts, context.namespace, name, 'token'),
        body: {
          kind: 'TokenRequest',
          apiVersion: 'authentication.k8s.io/v1',
          metadata: { creationTimestamp: null },
          spec,
        },
      })
      .catch((error: unknown) => {
        throw error instanceof StatusError
          ? new CommandError(`failed to create token: ${error.message}`)
          : error
      })
    if (flags.text('output') !== '') new Results(context, flags, 'none', true).print(json, '')
    else context.out(`${isJsonObject(json.status) ? json.status.token : ''}\n`)
    return 0
  },
}
