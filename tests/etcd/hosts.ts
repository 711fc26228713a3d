/** Hosts as separate processes over one etcd, and a client for them. */
import { bundleNodeHost } from '../../scripts/bundle-host'
import { type Started, start } from '../support/processes'

const AUTHORIZED = { authorization: 'Bearer admin-token' }

export interface Host {
  name: string
  url: string
  started: Started
}

let bundled: Promise<string> | undefined

/** @param flags in addition to those that name etcd and a free port */
export async function startHost(name: string, etcd: string, ...flags: string[]): Promise<Host> {
  bundled ??= bundleNodeHost()
  const started = await start([
    await bundled,
    '--port=0',
    '--warm-up=off',
    `--etcd-servers=${etcd}`,
    ...flags,
  ])
  return { name, started, url: /http:\S+/.exec(started.line)?.[0] ?? '' }
}

export function startHosts(count: number, etcd: string, ...flags: string[]): Promise<Host[]> {
  return Promise.all(
    Array.from({ length: count }, (_, i) => startHost(`host-${i}`, etcd, ...flags)),
  )
}

/** Resolves when the process has exited. */
export function end(
  { started: { process } }: Host,
  signal: 'SIGTERM' | 'SIGKILL' = 'SIGKILL',
): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    process.once('exit', () => resolve())
    process.kill(signal)
  })
}

export interface TestResponse {
  status: number
  body: Record<string, unknown> & {
    metadata: Record<string, string>
    spec?: Record<string, unknown>
    items?: never[]
  }
}

/** Sends a request. @throws TypeError if the host stops before it responds */
export async function sendRequest(
  { url }: Host,
  method: string,
  path: string,
  body?: object,
): Promise<TestResponse> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { ...AUTHORIZED, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: response.status, body: (await response.json()) as TestResponse['body'] }
}

/** Yields the lines of a watch until it ends or the caller stops. */
export async function* watch(
  { url }: Host,
  path: string,
  signal: AbortSignal,
): AsyncGenerator<{ type: string; object: TestResponse['body'] }> {
  const response = await fetch(`${url}${path}`, { headers: AUTHORIZED, signal })
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    rest += decoder.decode(chunk, { stream: true })
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines)
      if (line !== '') yield JSON.parse(line) as { type: string; object: TestResponse['body'] }
  }
}
