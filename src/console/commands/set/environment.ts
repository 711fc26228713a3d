import { entryOf } from '../../../engine/core/object'
import { bytesOfBase64 } from '../../../engine/schema/base64'
import { Failures } from '../../acting/failures'
import type { FoundObject } from '../../acting/objects'
import type { Command, Context, FlagValues } from '../../command'
import { pathOf } from '../../discovery'
import { CommandError } from '../../errors'
import {
  allContainers,
  CHANGE_FLAGS,
  type Container,
  changed,
  changeObjects,
  type EnvironmentVariable,
  matching,
  podSpecOf,
} from './template-change'

export const ENVIRONMENT: Command = {
  name: 'env',
  summary: 'Update environment variables on a pod template',
  usage: 'set env RESOURCE/NAME KEY_1=VAL_1 ... KEY_N=VAL_N',
  examples: [
    {
      line: 'kubectl set env deployment/web COLOR=blue',
      about: 'Update a deployment with a new environment variable',
    },
    {
      line: 'kubectl set env deployment/web COLOR-',
      about: 'Remove the environment variable from its containers',
    },
    {
      line: 'kubectl set env deployment/web --list',
      about: 'List the environment variables defined on a deployment',
    },
    {
      line: 'kubectl set env deployment/web --from=configmap/settings',
      about: 'Import environment variables from a config map',
    },
  ],
  completes: 'objects',
  flags: [
    ...CHANGE_FLAGS,
    {
      name: 'containers',
      short: 'c',
      type: 'text',
      default: '*',
      about: 'The names of containers in the selected pod templates to change - may use wildcards.',
    },
    {
      name: 'env',
      short: 'e',
      type: 'texts',
      about:
        'Specify a key-value pair for an environment variable to set into each container. Can be repeated.',
    },
    {
      name: 'from',
      type: 'text',
      about: 'The name of a resource from which to inject environment variables.',
    },
    {
      name: 'keys',
      type: 'list',
      about: 'Comma-separated list of keys to import from specified resource.',
    },
    { name: 'prefix', type: 'text', about: 'Prefix to append to variable names.' },
    {
      name: 'list',
      type: 'on',
      about: 'If true, display the environment and any changes in the standard format.',
    },
    {
      name: 'resolve',
      type: 'on',
      about: 'If true, show secret or configmap references when listing variables.',
    },
    {
      name: 'overwrite',
      type: 'on',
      default: 'true',
      about:
        'If true, allow environment to be overwritten, otherwise reject updates that overwrite existing environment.',
    },
  ],
  async run(context, { args, flags }) {
    const isChange = (word: string, index: number): boolean =>
      word.includes('=') || (word.endsWith('-') && index > 0)
    const at = args.findIndex(isChange)
    const words = at === -1 ? args : args.slice(0, at)
    const texts = [...(at === -1 ? [] : args.slice(at)), ...flags.list('env')]
    if (words.length === 0 && !flags.has('filename'))
      throw new CommandError(
        'one or more resources must be specified as <resource> <name> or <resource>/<name>',
      )
    if (flags.on('list')) return listVariables(context, words, flags)
    const removed = texts.filter((text) => !text.includes('=')).map((text) => text.slice(0, -1))
    const added = [
      ...texts.filter((text) => text.includes('=')).map(variableOf),
      ...(await variablesFrom(context, flags)),
    ]
    return changeObjects(context, words, flags, {
      done: 'env updated',
      silentIfSame: true,
      change: (object, target) => {
        const found = matching(allContainers(podSpecOf(object, target)), flags.text('containers'))
        if (found.length === 0) {
          context.err(
            `Warning: ${target.resource.kind}/${target.name} does not have any containers matching ${JSON.stringify(flags.text('containers'))}\n`,
          )
          return false
        }
        for (const container of found)
          setVariables(container, added, removed, flags.on('overwrite'), target)
        return true
      },
    })
  },
}

const NAME_PATTERN = '[-._a-zA-Z][-._a-zA-Z0-9]*'

function variableOf(text: string): EnvironmentVariable {
  const [, name = '', value = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? []
  if (!new RegExp(`^${NAME_PATTERN}$`).test(name)) {
    throw new CommandError(
      `${JSON.stringify(name)} is not a valid key name: a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit (e.g. 'my.env-name',  or 'MY_ENV.NAME',  or 'MyEnvName1', regex used for validation is '${NAME_PATTERN}')`,
    )
  }
  return { name, value }
}

function setVariables(
  container: Container,
  added: EnvironmentVariable[],
  removed: string[],
  overwrite: boolean,
  { resource, name }: FoundObject,
): void {
  const env = [...(container.env ?? [])]
  for (const variable of added) {
    const at = env.findIndex((one) => one.name === variable.name)
    if (at !== -1 && !overwrite && env[at]?.value !== variable.value) {
      throw new CommandError(
        `${resource.resource}/${name} '${variable.name}' already has a value (${env[at]?.value ?? ''}), and --overwrite is false`,
      )
    }
    if (at === -1) env.push(variable)
    else env[at] = variable
  }
  const kept = env.filter((variable) => !removed.includes(variable.name))
  if (kept.length > 0) container.env = kept
  else delete container.env
}

/** Keys of a ConfigMap or Secret as variable names: upper case, `_` for invalid characters. */
async function variablesFrom(context: Context, flags: FlagValues): Promise<EnvironmentVariable[]> {
  const from = flags.text('from')
  if (from === '') return []
  const [type = '', name = ''] = from.split('/')
  const resource = await context.discovery.find(type)
  if (resource.kind !== 'ConfigMap' && resource.kind !== 'Secret')
    throw new CommandError(`unsupported resource specified in --from`)
  const { data } = (await context.client.get(pathOf(resource, context.namespace, name))) as {
    data?: Record<string, string>
  }
  const wanted = flags.list('keys')
  return Object.keys(data ?? {})
    .sort()
    .filter((key) => wanted.length === 0 || wanted.includes(key))
    .map((key) => {
      const variable = key.replaceAll(/[^a-zA-Z0-9_]/g, '_').toUpperCase()
      if (variable !== key) context.err(`Warning: key ${key} transferred to ${variable}\n`)
      const reference = { key, name }
      const member = resource.kind === 'ConfigMap' ? 'configMapKeyRef' : 'secretKeyRef'
      return { name: `${flags.text('prefix')}${variable}`, valueFrom: { [member]: reference } }
    })
}

async function listVariables(
  context: Context,
  words: readonly string[],
  flags: FlagValues,
): Promise<number> {
  const failures = new Failures()
  for await (const target of changed(context, words, flags, failures)) {
    await failures.during(async () => {
      for (const container of matching(
        allContainers(podSpecOf(target.object, target)),
        flags.text('containers'),
      )) {
        context.out(`# ${target.resource.kind} ${target.name}, container ${container.name}\n`)
        for (const variable of container.env ?? [])
          context.out(await listed(context, variable, target.namespace, flags.on('resolve')))
      }
    })
  }
  failures.throwIfAny()
  return 0
}

async function listed(
  context: Context,
  { name, value = '', valueFrom }: EnvironmentVariable,
  namespace: string | undefined,
  resolve: boolean,
): Promise<string> {
  if (valueFrom === undefined) return `${name}=${value}\n`
  const { configMapKeyRef, secretKeyRef, fieldRef, resourceFieldRef } = valueFrom
  const reference = configMapKeyRef ?? secretKeyRef
  if (reference === undefined) {
    if (fieldRef) return `# ${name} from field path ${fieldRef.fieldPath}\n`
    return `# ${name} from resource field ref ${resourceFieldRef?.resource ?? ''}\n`
  }
  if (!resolve)
    return `# ${name} from ${configMapKeyRef ? 'configmap' : 'secret'} ${reference.name}, key ${reference.key}\n`
  const resource = await context.discovery.find(configMapKeyRef ? 'configmaps' : 'secrets')
  const { data } = (await context.client.get(pathOf(resource, namespace, reference.name))) as {
    data?: Record<string, string>
  }
  const found = (data && entryOf(data, reference.key)) ?? ''
  return `${name}=${configMapKeyRef ? found : new TextDecoder().decode(bytesOfBase64(found))}\n`
}
