/**
 * A kubeconfig file with which the server calls a webhook: cluster and user of the current context
 * (kubernetes.io, "Webhook Mode"). Relative paths are resolved against the directory of the file.
 */
import type { Files } from '../core/environment'
import { isJsonObject, type Json, type JsonObject } from '../core/object'
import { bytesOfBase64 } from '../schema/base64'
import { readYaml } from '../schema/yaml/reader'

/** Where to post, and as whom. */
export interface Endpoint {
  /** `https://host:port/path`, without a query. */
  url: string
  headers: Record<string, string>
  certificates?: string
  identity?: { certificate: string; key: string }
  serverName?: string
  insecure?: boolean
}

/** The file is unusable for the reason in the message. */
export class KubeconfigError extends Error {}

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
  const resolvePath = (name: string): string =>
    files.read(name.startsWith('/') ? name : `${path.slice(0, path.lastIndexOf('/') + 1)}${name}`)
  const material = (from: JsonObject, member: string): string => {
    const data = textOf(from[`${member}-data`])
    if (data !== '') return new TextDecoder().decode(bytesOfBase64(data))
    return textOf(from[member]) === '' ? '' : resolvePath(textOf(from[member]))
  }
  const certificates = material(cluster, 'certificate-authority')
  const certificate = material(user, 'client-certificate')
  const key = material(user, 'client-key')
  const token =
    textOf(user.token) ||
    (textOf(user.tokenFile) === '' ? '' : resolvePath(textOf(user.tokenFile)).trim())
  return {
    url: textOf(cluster.server).split('?', 1)[0] as string,
    headers: authorization(token, textOf(user.username), textOf(user.password)),
    ...(certificates === '' ? {} : { certificates }),
    ...(certificate === '' || key === '' ? {} : { identity: { certificate, key } }),
    ...(textOf(cluster['tls-server-name']) === ''
      ? {}
      : { serverName: textOf(cluster['tls-server-name']) }),
    ...(cluster['insecure-skip-tls-verify'] === true ? { insecure: true } : {}),
  }
}

function read(path: string, files: Files): JsonObject {
  const { value } = readYaml(files.read(path))
  if (!isJsonObject(value))
    throw new KubeconfigError(`error loading config file "${path}": it is not a kubeconfig`)
  return value
}

/** `[{name: a, cluster: {…}}]`: the entry of that name. */
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
