/** kubernetes.io, "Webhook Mode". Paths are relative to the file. */
import type { Files } from '../core/environment'
import { isJsonObject, type Json, type JsonObject } from '../core/object'
import { bytesOfBase64 } from '../schema/base64'
import { readYaml } from '../schema/yaml/reader'

export interface Endpoint {
  /** Without a query. */
  url: string
  headers: Record<string, string>
  certificates?: string
  identity?: { certificate: string; key: string }
  serverName?: string
  insecure?: boolean
}

export class KubeconfigError extends Error {}

export type Credentials = Pick<Endpoint, 'headers' | 'identity'>

/** @param target `hooks.example.com:443` */
export type CredentialsFor = (target: string) => Credentials

/** @throws KubeconfigError, FileError */
export function endpointOf(path: string, files: Files): Endpoint {
  const document = read(path, files)
  const context = named(document.contexts, 'context', textOf(document['current-context']))
  const cluster = named(document.clusters, 'cluster', textOf(context?.cluster))
  if (cluster === undefined || textOf(cluster.server) === '')
    throw new KubeconfigError(
      'invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER environment variable',
    )
  const user = named(document.users, 'user', textOf(context?.user)) ?? {}
  const near = readerRelativeTo(path, files)
  const certificates = material(cluster, 'certificate-authority', near)
  return {
    url: textOf(cluster.server).split('?', 1)[0] as string,
    ...credentialsOf(user, near),
    ...(certificates === '' ? {} : { certificates }),
    ...(textOf(cluster['tls-server-name']) === ''
      ? {}
      : { serverName: textOf(cluster['tls-server-name']) }),
    ...(cluster['insecure-skip-tls-verify'] === true ? { insecure: true } : {}),
  }
}

/**
 * A user is named after a host with its port, or without port 443, or `*.` and the end of it, or
 * `*`; the default is the user of the current context. See k8s.io/apiserver, pkg/util/webhook,
 * `clientConfig`.
 * @throws KubeconfigError, FileError
 */
export function credentialsByHost(path: string, files: Files): CredentialsFor {
  const document = read(path, files)
  const near = readerRelativeTo(path, files)
  const users = new Map<string, Credentials>()
  for (const entry of Array.isArray(document.users) ? document.users : [])
    if (isJsonObject(entry) && !users.has(textOf(entry.name)))
      users.set(textOf(entry.name), credentialsOf(isJsonObject(entry.user) ? entry.user : {}, near))
  const context = named(document.contexts, 'context', textOf(document['current-context']))
  const last = users.get('*') ?? users.get(textOf(context?.user)) ?? { headers: {} }
  return (target) => {
    const host = target.replace(/:443$/, '')
    const names = host === target ? [target] : [target, host]
    for (const name of names.flatMap(patternsOf)) {
      const found = users.get(name)
      if (found !== undefined) return found
    }
    return last
  }
}

/** `a.b.c` -> `a.b.c`, `*.b.c`, `*.c`. */
function patternsOf(target: string): string[] {
  const parts = target.split('.')
  return parts.map((_, i) => (i === 0 ? target : `*.${parts.slice(i).join('.')}`))
}

/** Reads a file next to the kubeconfig. */
type Near = (name: string) => string

const readerRelativeTo =
  (path: string, files: Files): Near =>
  (name) =>
    files.read(name.startsWith('/') ? name : `${path.slice(0, path.lastIndexOf('/') + 1)}${name}`)

function material(from: JsonObject, member: string, near: Near): string {
  const data = textOf(from[`${member}-data`])
  if (data !== '') return new TextDecoder().decode(bytesOfBase64(data))
  return textOf(from[member]) === '' ? '' : near(textOf(from[member]))
}

function credentialsOf(user: JsonObject, near: Near): Credentials {
  const certificate = material(user, 'client-certificate', near)
  const key = material(user, 'client-key', near)
  const token =
    textOf(user.token) || (textOf(user.tokenFile) === '' ? '' : near(textOf(user.tokenFile)).trim())
  return {
    headers: authorization(token, textOf(user.username), textOf(user.password)),
    ...(certificate === '' || key === '' ? {} : { identity: { certificate, key } }),
  }
}

function read(path: string, files: Files): JsonObject {
  const { value } = readYaml(files.read(path))
  if (!isJsonObject(value))
    throw new KubeconfigError(`error loading config file "${path}": it is not a kubeconfig`)
  return value
}

/** In `[{name: a, cluster: {…}}]`. */
function named(list: Json | undefined, member: string, name: string): JsonObject | undefined {
  if (!Array.isArray(list)) return undefined
  const entry = list.find((one) => isJsonObject(one) && one.name === name)
  const inner = isJsonObject(entry) ? entry[member] : undefined
  return isJsonObject(inner) ? inner : undefined
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

function authorization(token: string, user: string, password: string): Record<string, string> {
  if (token !== '') return { authorization: `Bearer ${token}` }
  return user === '' ? {} : { authorization: `Basic ${btoa(`${user}:${password}`)}` }
}
