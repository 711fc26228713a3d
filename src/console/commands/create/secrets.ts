import type { JsonObject } from '../../../engine/core/object'
import { base64OfBytes } from '../../../engine/schema/base64'
import type { Command } from '../../command'
import { CommandError } from '../../errors'
import { DATA_FLAGS, dataOf, hashedName } from './configuration'
import { type Generator, generated, type Making, newMetadata } from './generator'

const base64 = (text: string): string => base64OfBytes([...new TextEncoder().encode(text)])
const HASH_FLAG = {
  name: 'append-hash',
  type: 'on',
  about: 'Append a hash of the contents to the name.',
} as const

function secretOf(
  { name, invocation: { flags } }: Making,
  data: Record<string, string>,
  type: string,
): JsonObject {
  const encoded = Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, base64(value)]),
  )
  const hashed = flags.on('append-hash')
    ? hashedName(name, { data: encoded, kind: 'Secret', name, type })
    : name
  return {
    kind: 'Secret',
    apiVersion: 'v1',
    metadata: newMetadata(hashed),
    ...(Object.keys(data).length === 0 ? {} : { data: encoded }),
    ...(type === '' ? {} : { type }),
  }
}

const generic: Generator = {
  name: 'generic',
  called: 'secret',
  summary: 'Create a secret from an open file or literal value',
  usage:
    'generic NAME [--type=string] [--from-file=[key=]source] [--from-literal=key1=value1] [--dry-run=server|client|none]',
  example: 'create secret generic keys --from-literal=password=swordfish',
  resource: 'secrets',
  namespaced: true,
  flags: [...DATA_FLAGS, { name: 'type', type: 'text', about: 'The type of secret to create.' }],
  build: (made) => secretOf(made, dataOf(made, 'Secret'), made.invocation.flags.text('type')),
}

const tls: Generator = {
  name: 'tls',
  called: 'secret',
  summary: 'Create a TLS secret',
  usage: 'tls NAME --cert=path/to/cert/file --key=path/to/key/file [--dry-run=server|client|none]',
  example: 'create secret tls web --cert=web.crt --key=web.key',
  resource: 'secrets',
  namespaced: true,
  flags: [
    {
      name: 'cert',
      type: 'text',
      values: 'files',
      about: 'Open file with the PEM encoded public key certificate.',
    },
    {
      name: 'key',
      type: 'text',
      values: 'files',
      about: 'Open file with the private key associated with the given certificate.',
    },
    HASH_FLAG,
  ],
  build(made) {
    const { flags } = made.invocation
    if (flags.text('key') === '' || flags.text('cert') === '')
      throw new CommandError('key and cert must be specified')
    const [certificate, key] = ['cert', 'key'].map((flag) => {
      const name = flags.text(flag)
      const text = made.context.host.readFile(name)
      if (text === undefined)
        throw new CommandError(`Cannot read file ${name}, open ${name}: no such file or directory`)
      return text
    }) as [string, string]
    if (!certificate.includes('-----BEGIN '))
      throw new CommandError('tls: failed to find any PEM data in certificate input')
    if (!key.includes('-----BEGIN '))
      throw new CommandError('tls: failed to find any PEM data in key input')
    return secretOf(made, { 'tls.crt': certificate, 'tls.key': key }, 'kubernetes.io/tls')
  },
}

const registry: Generator = {
  name: 'docker-registry',
  called: 'secret',
  summary: 'Create a secret for use with a Docker registry',
  usage:
    'docker-registry NAME --docker-username=user --docker-password=password --docker-email=email [--docker-server=string] [--from-file=[key=]source] [--dry-run=server|client|none]',
  example: 'create secret docker-registry pull --docker-username=anna --docker-password=swordfish',
  resource: 'secrets',
  namespaced: true,
  flags: [
    {
      name: 'docker-username',
      type: 'text',
      about: 'Username for Docker registry authentication.',
    },
    {
      name: 'docker-password',
      type: 'text',
      about: 'Password for Docker registry authentication.',
    },
    { name: 'docker-email', type: 'text', about: 'Email for Docker registry.' },
    {
      name: 'docker-server',
      type: 'text',
      default: 'https://index.docker.io/v1/',
      about: 'Server location for Docker registry.',
    },
    HASH_FLAG,
  ],
  build(made) {
    const { flags } = made.invocation
    if (!flags.has('docker-username') || !flags.has('docker-password'))
      throw new CommandError(
        'either --from-file or the combination of --docker-username, --docker-password and --docker-server is required',
      )
    const [username, password, email] = ['docker-username', 'docker-password', 'docker-email'].map(
      (flag) => flags.text(flag),
    ) as [string, string, string]
    const credentials = {
      username,
      password,
      ...(email === '' ? {} : { email }),
      auth: base64(`${username}:${password}`),
    }
    const text = JSON.stringify({ auths: { [flags.text('docker-server')]: credentials } })
    return secretOf(made, { '.dockerconfigjson': text }, 'kubernetes.io/dockerconfigjson')
  },
}

export const SECRET: Command = {
  name: 'secret',
  summary: 'Create a secret using a specified subcommand',
  usage: 'create secret (docker-registry | generic | tls)',
  examples: [],
  flags: [],
  commands: [registry, generic, tls].map((generator) => generated(generator, 'create secret')),
}
