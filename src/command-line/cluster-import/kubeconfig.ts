/** Reads a kubeconfig file: the server of a context, and how to authenticate there. */
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import { isJsonObject, type Json, type JsonObject } from '../../engine/core/object'
import { readYaml } from '../../engine/schema/yaml/reader'
import { InputError } from '../command'

export interface ExecPlugin {
  command: string
  args: string[]
  env: Record<string, string>
  apiVersion: string
}

export interface ClusterAccess {
  context: string
  server: string
  /** PEM. */
  certificateAuthority?: string
  insecure: boolean
  serverName?: string
  token?: string
  basic?: { username: string; password: string }
  /** PEM. */
  clientCertificate?: string
  clientKey?: string
  exec?: ExecPlugin
  impersonate?: string
}

/** Files of the `KUBECONFIG` variable, or `~/.kube/config`, as kubectl finds them. */
export function kubeconfigFiles(variable = process.env.KUBECONFIG): string[] {
  const named = (variable ?? '').split(delimiter).filter((path) => path !== '')
  return named.length > 0 ? named : [join(homedir(), '.kube', 'config')]
}

/**
 * @param files merged as kubectl does: the first that has a name wins
 * @param context the current context if absent
 * @throws InputError naming what is missing, and where
 */
export function accessOf(files: readonly string[], context?: string): ClusterAccess {
  const configs = files.map((file) => ({ file, content: readConfig(file) }))
  const name =
    context ?? configs.map(({ content }) => textIn(content, 'current-context')).find(Boolean)
  if (name === undefined)
    throw new InputError(`no current context in ${files.join(', ')}: pass --context NAME`)
  const chosen = entryOf(configs, 'contexts', name)
  if (chosen === undefined)
    throw new InputError(
      `no context "${name}" in ${files.join(', ')}; there are: ${namesOf(configs, 'contexts').join(', ') || 'none'}`,
    )
  const { content: bound } = chosen
  const cluster = entryOf(configs, 'clusters', textIn(bound, 'cluster') ?? '')
  if (cluster === undefined)
    throw new InputError(`no cluster "${textIn(bound, 'cluster') ?? ''}" for the context "${name}"`)
  const user = entryOf(configs, 'users', textIn(bound, 'user') ?? '')
  return { context: name, ...serverOf(cluster), ...(user ? credentialsOf(user) : {}) }
}

interface Entry {
  /** Relative paths begin here. */
  file: string
  content: JsonObject
}

function readConfig(file: string): JsonObject {
  let value: Json
  try {
    value = readYaml(readFileSync(file, 'utf8')).value
  } catch (error) {
    throw new InputError(`cannot read the kubeconfig ${file}: ${(error as Error).message}`)
  }
  if (!isJsonObject(value)) throw new InputError(`${file} is not a kubeconfig`)
  return value
}

type List = 'contexts' | 'clusters' | 'users'
const MEMBERS = { contexts: 'context', clusters: 'cluster', users: 'user' } as const

function entryOf(configs: readonly Entry[], list: List, name: string): Entry | undefined {
  for (const { file, content } of configs)
    for (const entry of itemsIn(content, list)) {
      const found = entry[MEMBERS[list]]
      if (entry.name === name && isJsonObject(found)) return { file, content: found }
    }
  return undefined
}

function namesOf(configs: readonly Entry[], list: List): string[] {
  return configs.flatMap(({ content }) =>
    itemsIn(content, list).flatMap(({ name }) => (typeof name === 'string' ? [name] : [])),
  )
}

function itemsIn(content: JsonObject, list: List): JsonObject[] {
  const items = content[list]
  return Array.isArray(items) ? items.filter(isJsonObject) : []
}

function textIn(content: JsonObject, member: string): string | undefined {
  const value = content[member]
  return typeof value === 'string' && value !== '' ? value : undefined
}

function serverOf(
  cluster: Entry,
): Pick<ClusterAccess, 'server' | 'insecure'> & Partial<ClusterAccess> {
  const server = textIn(cluster.content, 'server')
  if (server === undefined) throw new InputError(`${cluster.file}: the cluster has no server`)
  if (textIn(cluster.content, 'proxy-url') !== undefined)
    throw new InputError(`${cluster.file}: proxy-url is not supported`)
  const certificateAuthority = contentOf(cluster, 'certificate-authority')
  const serverName = textIn(cluster.content, 'tls-server-name')
  return {
    server,
    insecure: cluster.content['insecure-skip-tls-verify'] === true,
    ...(certificateAuthority === undefined ? {} : { certificateAuthority }),
    ...(serverName === undefined ? {} : { serverName }),
  }
}

function credentialsOf(user: Entry): Partial<ClusterAccess> {
  const { content } = user
  if (isJsonObject(content['auth-provider']))
    throw new InputError(`${user.file}: auth-provider is not supported; Kubernetes 1.26 removed it`)
  const token = textIn(content, 'token') ?? fileIn(user, 'tokenFile')?.trim()
  const clientCertificate = contentOf(user, 'client-certificate')
  const clientKey = contentOf(user, 'client-key')
  const [username, password] = [textIn(content, 'username'), textIn(content, 'password')]
  const exec = isJsonObject(content.exec) ? execOf(content.exec, user.file) : undefined
  const impersonate = textIn(content, 'as')
  return {
    ...(token === undefined ? {} : { token }),
    ...(clientCertificate === undefined ? {} : { clientCertificate }),
    ...(clientKey === undefined ? {} : { clientKey }),
    ...(username === undefined ? {} : { basic: { username, password: password ?? '' } }),
    ...(exec === undefined ? {} : { exec }),
    ...(impersonate === undefined ? {} : { impersonate }),
  }
}

/** `NAME-data` in base64, or the file `NAME`. */
function contentOf(entry: Entry, name: string): string | undefined {
  const data = textIn(entry.content, `${name}-data`)
  return data === undefined ? fileIn(entry, name) : Buffer.from(data, 'base64').toString('utf8')
}

function fileIn({ file, content }: Entry, member: string): string | undefined {
  const path = textIn(content, member)
  if (path === undefined) return undefined
  const absolute = isAbsolute(path) ? path : join(dirname(file), path)
  try {
    return readFileSync(absolute, 'utf8')
  } catch (error) {
    throw new InputError(`${file}: cannot read ${member}: ${(error as Error).message}`)
  }
}

function execOf(exec: JsonObject, file: string): ExecPlugin {
  const command = textIn(exec, 'command')
  if (command === undefined) throw new InputError(`${file}: exec has no command`)
  const variables = (Array.isArray(exec.env) ? exec.env : []).filter(isJsonObject)
  return {
    // A path is relative to the kubeconfig; a bare name is looked up in PATH.
    command: command.includes('/') && !isAbsolute(command) ? join(dirname(file), command) : command,
    args: (Array.isArray(exec.args) ? exec.args : []).filter((one) => typeof one === 'string'),
    env: Object.fromEntries(
      variables.map(({ name, value }) => [String(name), typeof value === 'string' ? value : '']),
    ),
    apiVersion: textIn(exec, 'apiVersion') ?? 'client.authentication.k8s.io/v1',
  }
}
