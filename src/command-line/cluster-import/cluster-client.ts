/** Reads a cluster over HTTP. It sends GET requests only. */
import { spawnSync } from 'node:child_process'
import { Agent as HttpAgent, request as httpRequest, type RequestOptions } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isJsonObject, type Json, type JsonObject } from '../../engine/core/object'
import { InputError } from '../command'
import type { ClusterAccess, ExecPlugin } from './kubeconfig'

/** A rejected request. */
export class ClusterError extends Error {
  override readonly name = 'ClusterError'
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message)
  }
}

export interface ClusterClient {
  /** @throws ClusterError for an error response; InputError if the server is not reached */
  get(path: string): Promise<JsonObject>
  close(): void
}

/** A server that sends nothing for so long is taken as lost; in milliseconds. */
const PATIENCE = 60_000
const MOST_CONNECTIONS = 8

export function clusterClient(access: ClusterAccess): ClusterClient {
  const { exec } = access
  const credentials = exec === undefined ? access : { ...access, ...credentialsFrom(exec) }
  const secure = credentials.server.startsWith('https:')
  const pool = { keepAlive: true, maxSockets: MOST_CONNECTIONS }
  const agent = secure ? new HttpsAgent({ ...pool, ...tlsOf(credentials) }) : new HttpAgent(pool)
  const options: RequestOptions = { agent, headers: headersOf(credentials), timeout: PATIENCE }
  const base = credentials.server.replace(/\/+$/, '')
  return {
    get: (path) => read(secure, new URL(base + path), options),
    close: () => agent.destroy(),
  }
}

function tlsOf(access: ClusterAccess): object {
  return {
    ...(access.certificateAuthority === undefined ? {} : { ca: access.certificateAuthority }),
    ...(access.clientCertificate === undefined ? {} : { cert: access.clientCertificate }),
    ...(access.clientKey === undefined ? {} : { key: access.clientKey }),
    ...(access.serverName === undefined ? {} : { servername: access.serverName }),
    ...(access.insecure ? { rejectUnauthorized: false } : {}),
  }
}

function headersOf({ token, basic, impersonate }: ClusterAccess): Record<string, string> {
  const login =
    basic && `Basic ${Buffer.from(`${basic.username}:${basic.password}`).toString('base64')}`
  const authorization = token === undefined ? login : `Bearer ${token}`
  return {
    accept: 'application/json',
    'user-agent': 'kubetab-import',
    ...(authorization === undefined ? {} : { authorization }),
    ...(impersonate === undefined ? {} : { 'impersonate-user': impersonate }),
  }
}

function read(secure: boolean, url: URL, options: RequestOptions): Promise<JsonObject> {
  return new Promise((resolve, reject) => {
    const lost = (error: Error) =>
      reject(new InputError(`cannot read ${url.origin}: ${error.message || String(error)}`))
    const request = (secure ? httpsRequest : httpRequest)(url, options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', lost)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        const code = response.statusCode ?? 0
        const content = jsonIn(text)
        if (code >= 200 && code < 300 && content !== undefined) resolve(content)
        else reject(new ClusterError(code, `GET ${url.pathname}: ${reasonOf(code, content, text)}`))
      })
    })
    request.on('timeout', () => request.destroy(new Error('the server does not respond')))
    request.on('error', lost)
    request.end()
  })
}

function jsonIn(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as Json
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function reasonOf(code: number, content: JsonObject | undefined, text: string): string {
  const { message } = content ?? {}
  return typeof message === 'string' ? message : `HTTP ${code} ${text.slice(0, 200).trim()}`.trim()
}

/** Runs a credential plugin (kubernetes.io, "client-go credential plugins"). */
function credentialsFrom({ command, args, env, apiVersion }: ExecPlugin): Partial<ClusterAccess> {
  const info = { apiVersion, kind: 'ExecCredential', spec: { interactive: false } }
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    env: { ...process.env, ...env, KUBERNETES_EXEC_INFO: JSON.stringify(info) },
    stdio: ['inherit', 'pipe', 'pipe'],
  })
  if (error) throw new InputError(`cannot run the credential plugin ${command}: ${error.message}`)
  if (status !== 0)
    throw new InputError(
      `the credential plugin ${command} failed with status ${status}: ${stderr.trim()}`,
    )
  const credential = jsonIn(stdout)?.status
  if (credential === undefined || !isJsonObject(credential))
    throw new InputError(`the credential plugin ${command} printed no ExecCredential with a status`)
  const { token, clientCertificateData, clientKeyData } = credential
  return {
    ...(typeof token === 'string' ? { token } : {}),
    ...(typeof clientCertificateData === 'string'
      ? { clientCertificate: clientCertificateData }
      : {}),
    ...(typeof clientKeyData === 'string' ? { clientKey: clientKeyData } : {}),
  }
}
