/**
 * Results of probes in a simulation. Commands run in the interpreter. HTTP and TCP probes succeed
 * if a program of the pod listens. Messages are those of the kubelet. Unknown results count as
 * successes (docs/simulation.md).
 */
import { goQuote } from '../schema/go-text'
import { FILE_SERVERS, filesBelow } from './network/served-files'
import type { FileSystem } from './script/files'
import { changesOf, type Listener, listenersOf, type Served } from './servers'
import type { ExecResult } from './shell'

/** The result of a probe. The kubelet reports errors but ignores them as results. */
export interface Verdict {
  result: 'success' | 'failure' | 'error'
  /** The reason for the event. */
  output: string
}

export interface ProbeSpec {
  exec?: { command?: string[] }
  httpGet?: { host?: string; path?: string; port: number | string; scheme?: string }
  tcpSocket?: { host?: string; port: number | string }
  grpc?: { port: number; service?: string }
  timeoutSeconds?: number
}

export interface Probed extends Served {
  ports?: { name?: string; containerPort: number }[]
}

export interface ProbeSurroundings {
  container: Probed
  /** All running containers that share its address. */
  containers: readonly Served[]
  podIP: string
  /** Seconds since the container started. */
  seconds: number
  files?(): FileSystem
  /** Runs a command in the container. */
  run(command: readonly string[]): ExecResult
}

const PASSES: Verdict = { result: 'success', output: '' }
const failure = (output: string): Verdict => ({ result: 'failure', output })

export function verdictOf(probe: ProbeSpec, around: ProbeSurroundings): Verdict {
  const { exec, httpGet, tcpSocket, grpc, timeoutSeconds = 1 } = probe
  if (exec) return commandVerdict(exec.command ?? [], timeoutSeconds, around)
  const wanted = httpGet ?? tcpSocket
  if (grpc) return healthVerdict(grpc, timeoutSeconds, around)
  // Other hosts are not simulated.
  if (wanted === undefined || wanted.host) return PASSES
  const port = portOf(wanted.port, around.container)
  if (port === undefined)
    return {
      result: 'error',
      output: `strconv.Atoi: parsing ${goQuote(String(wanted.port))}: invalid syntax`,
    }
  const listener = listenerAt(port, around)
  const address = `${around.podIP}:${port}`
  if (httpGet) return pageVerdict(httpGet, address, listener, around)
  return listener ? PASSES : failure(connectionRefused(address))
}

/** @returns undefined if no program of the pod listens there */
function listenerAt(
  port: number,
  { containers }: ProbeSurroundings,
): Listener | 'unknown' | undefined {
  const known = containers.map(listenersOf)
  const listener = known
    .flatMap((listeners) => listeners ?? [])
    .find((one) => one.port === port && one.protocol === undefined)
  return listener ?? (known.includes(undefined) ? 'unknown' : undefined)
}

/** The health protocol of gRPC. Programs without a known health pass. */
function healthVerdict(
  { port, service = '' }: NonNullable<ProbeSpec['grpc']>,
  timeout: number,
  around: ProbeSurroundings,
): Verdict {
  const listener = listenerAt(port, around)
  const address = `${around.podIP}:${port}`
  if (listener === undefined)
    return failure(
      `timeout: failed to connect service ${goQuote(address)} within ${timeout}s: context deadline exceeded`,
    )
  const health = listener === 'unknown' ? undefined : listener.healthOf?.(service, around.seconds)
  if (health === 'NOT_FOUND')
    return failure(
      'error: health rpc probe failed: rpc error: code = NotFound desc = unknown service',
    )
  return health === 'NOT_SERVING'
    ? failure(`service unhealthy (responded with ${goQuote(health)})`)
    : PASSES
}

const connectionRefused = (address: string): string =>
  `dial tcp ${address}: connect: connection refused`

/** Seconds after the container start at which a probe result can change. */
export const responsesChangeAt = (containers: readonly Served[]): readonly number[] =>
  containers.flatMap(changesOf)

function commandVerdict(
  command: readonly string[],
  timeout: number,
  { run }: ProbeSurroundings,
): Verdict {
  const { output, error, code, unknown, seconds = 0 } = run(command)
  if (unknown) return PASSES
  if (seconds > timeout) return failure(`command ${goQuote(command.join(' '))} timed out`)
  return code === 0 ? PASSES : failure(output + error)
}

/** The status of a page; undefined if it is unknown. */
function statusOf(
  path: string,
  listener: Listener,
  { seconds, container, files }: Pick<ProbeSurroundings, 'seconds' | 'container' | 'files'>,
): number | undefined {
  const served = FILE_SERVERS.get(listener.program ?? '')
  const isOwn = listenersOf(container)?.some(({ port }) => port === listener.port)
  if (!served || !files || !isOwn) return listener.statusOf?.(path, seconds)
  const response = filesBelow(served)(new URL(path, 'http://host'), { files })
  return response?.status ?? listener.statusOf?.(path, seconds)
}

function pageVerdict(
  { scheme = 'HTTP', path: given = '/' }: NonNullable<ProbeSpec['httpGet']>,
  address: string,
  listener: Listener | 'unknown' | undefined,
  { seconds, container, files }: ProbeSurroundings,
): Verdict {
  if (listener === 'unknown') return PASSES
  const path = given.startsWith('/') ? given : `/${given}`
  const notHad = (why: string) =>
    failure(`Get "${scheme.toLowerCase()}://${address}${path}": ${why}`)
  if (listener === undefined) return notHad(connectionRefused(address))
  const status = statusOf(path.split(/[?#]/, 1)[0] as string, listener, {
    seconds,
    container,
    files,
  })
  if (status === undefined) return PASSES
  if (scheme === 'HTTPS' && !listener.encrypted)
    return notHad('http: server gave HTTP response to HTTPS client')
  return status >= 200 && status < 400
    ? PASSES
    : failure(`HTTP probe failed with statuscode: ${status}`)
}

export function portOf(
  port: number | string,
  { ports = [] }: Pick<Probed, 'ports'>,
): number | undefined {
  if (typeof port === 'number') return port
  const named = ports.find(({ name }) => name === port)?.containerPort
  return named ?? (/^[+-]?\d+$/.test(port) ? Number(port) : undefined)
}
