import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { AuthorizationOptions } from '../../engine/authorization/configuration/options'
import {
  type Clock,
  type Files,
  type Log,
  type Random,
  type Signatures,
  seededRandom,
} from '../../engine/core/environment'
import type { Outbound } from '../../engine/core/outbound'
import { loadTables } from '../../engine/release-tables/load-tables'
import { type ApiServer, createApiServer, OptionError } from '../../engine/server/server'
import { createMemoryStorage } from '../../engine/storage/memory'
import type { Storage } from '../../engine/storage/storage'
import { auditLine } from '../../engine/telemetry/audit/event'
import { PolicyError, parseAuditPolicy } from '../../engine/telemetry/audit/policy'
import type { Audit } from '../../engine/telemetry/observer'
import type { ProcessReadings } from '../../engine/telemetry/process-metrics'
import { advertisedOf } from './advertised'
import { auditFile } from './audit-file'
import { authenticationOf } from './authentication'
import { trustsOwnAuthority } from './client-certificates'
import { clockOf } from './clock'
import { featureGatesIn } from './feature-gates'
import { systemFiles } from './files'
import { FlagError, type Flags } from './flags'
import { signingAuthority } from './keys'
import { outboundOver } from './outbound'
import { type SharedStorage, sharedStorage } from './shared-storage'
import { nodeSignatures } from './signatures'

export interface Environment {
  clock: Clock
  /** Timers of requests; the clock if absent. */
  timers?: Pick<Clock, 'after'>
  random: Random
  log: Log
  /** The system's own if absent. */
  signatures?: Signatures
  /** The system's own if absent. */
  files?: Files
  /** The network if absent. */
  outbound?: Outbound
  /** Stores the objects; the storage of the flags if absent. */
  storage?: Storage
  /** Host and port by which clients reach the server. */
  serverAddress?: string
  /** Milliseconds since any start, finer than the clock. */
  stopwatch?(): number
  /** The error of a failing health check; undefined if it passes. */
  health?(check: string): string | undefined
  /** Runs a function after the current work is done. */
  defer?(run: () => void): void
  /** Resource usage of the process. */
  process?(): ProcessReadings
}

const pack = promisify(gzip)
/** Favors speed over size, as kube-apiserver does. */
const compress = (bytes: Uint8Array): Promise<Uint8Array> =>
  pack(bytes, { level: constants.Z_BEST_SPEED })

/** `key=value`, or a key alone. */
function pairsOf(texts: string[]): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => [
      text.split('=')[0]?.trim() ?? '',
      text.split('=').slice(1).join('=').trim(),
    ]),
  )
}

/** @throws the system's error for files that cannot be accessed, FlagError for an invalid policy */
function auditOf(flags: Flags, log: Log): { audit?: Audit } {
  const file = flags['audit-policy-file']
  if (file === '') return {}
  const path = flags['audit-log-path']
  try {
    const policy = parseAuditPolicy(readFileSync(file, 'utf8'), logProblems)
    const write =
      path === '-' ? (line: string) => void process.stdout.write(line) : auditFile(path, log)
    return { audit: { policy, sink: (event) => write(auditLine(event)) } }
  } catch (error) {
    throw error instanceof PolicyError
      ? new FlagError(`loading audit policy file: ${error.message}: from file ${file}`)
      : error
  }
}

function logProblems(problems: readonly string[]): void {
  const strict = `strict decoding error: ${problems.join(', ')}`
  process.stderr.write(
    `Audit policy contains errors, falling back to lenient decoding: ${strict}\n`,
  )
}

/** @throws FlagError for an entry without a service or a URL */
function servicesOf(flags: Flags): Map<string, string> {
  const pairs = flags['service-address'].map((text): [string, string] => {
    const [, service, url] = /^([^/=]+\/[^/=:]+:\d+)=(https?:\/\/[^/]+)\/?$/.exec(text) ?? []
    if (service === undefined || url === undefined)
      throw new FlagError(
        `invalid argument ${JSON.stringify(text)} for "--service-address" flag: namespace/name:port=URL`,
      )
    return [service, url]
  })
  return new Map(pairs)
}

/** @throws the system's error for files that cannot be read, FlagError if only one is given */
function proxyIdentityOf(flags: Flags): { proxyIdentity?: { certificate: string; key: string } } {
  const { 'proxy-client-cert-file': certificate, 'proxy-client-key-file': key } = flags
  if (certificate === '' && key === '') return {}
  if (certificate === '' || key === '')
    throw new FlagError('--proxy-client-cert-file and --proxy-client-key-file belong together')
  return {
    proxyIdentity: {
      certificate: readFileSync(certificate, 'utf8'),
      key: readFileSync(key, 'utf8'),
    },
  }
}

const authorizationOf = (flags: Flags): AuthorizationOptions => ({
  modes: flags['authorization-mode'],
  policyFile: flags['authorization-policy-file'],
  configFile: flags['authorization-config'],
  webhookConfigFile: flags['authorization-webhook-config-file'],
  webhookVersion: flags['authorization-webhook-version'],
  webhookAuthorizedTTL: flags['authorization-webhook-cache-authorized-ttl'],
  webhookUnauthorizedTTL: flags['authorization-webhook-cache-unauthorized-ttl'],
})

function healthWith(shared: SharedStorage, { health }: Environment): Pick<Environment, 'health'> {
  return {
    health: (check) =>
      check === 'etcd' || check === 'etcd-readiness' ? shared.failure() : health?.(check),
  }
}

/**
 * @param tokens the text of a token file; defaults to the file of the flags
 * @throws the system's error for files that cannot be read, FlagError for conflicting or invalid
 *   values
 */
export async function startEngine(
  flags: Flags,
  environment: Environment,
  tokens?: string,
): Promise<ApiServer> {
  const shared =
    environment.storage === undefined ? await sharedStorage(flags, environment.log) : undefined
  const network = outboundOver(servicesOf(flags))
  await loadTables(flags.release)
  try {
    const server = createApiServer({
      storage: shared ?? createMemoryStorage(),
      signatures: nodeSignatures,
      files: systemFiles,
      outbound: network,
      ...proxyIdentityOf(flags),
      ...environment,
      ...clockOf(flags, environment.clock),
      ...(flags.seed === undefined ? {} : { random: seededRandom(flags.seed) }),
      compactionInterval: flags['etcd-compaction-interval'],
      eventTtl: flags['event-ttl'],
      ...(shared
        ? { electionIdentity: `${hostname()}_${randomUUID()}`, ...healthWith(shared, environment) }
        : {}),
      ...authenticationOf(flags, tokens),
      ...signingAuthority(flags),
      ...advertisedOf(flags),
      ...(trustsOwnAuthority(flags) ? { ownAuthority: 'on-connection' } : {}),
      authorization: authorizationOf(flags),
      enableAdmissionPlugins: flags['enable-admission-plugins'],
      disableAdmissionPlugins: flags['disable-admission-plugins'],
      release: flags.release,
      emulatedVersion: flags['emulated-version'],
      minCompatibilityVersion: flags['min-compatibility-version'],
      emulationForwardCompatible: flags['emulation-forward-compatible'],
      runtimeConfigEmulationForwardCompatible: flags['runtime-config-emulation-forward-compatible'],
      featureGates: featureGatesIn(flags['feature-gates']),
      showHiddenMetricsForVersion: flags['show-hidden-metrics-for-version'],
      admissionControlConfigFile: flags['admission-control-config-file'],
      serviceRanges: flags['service-cluster-ip-range'],
      nodePortRange: flags['service-node-port-range'],
      timeLimits: { request: flags['request-timeout'], watch: flags['min-request-timeout'] },
      tolerationSeconds: {
        notReady: flags['default-not-ready-toleration-seconds'],
        unreachable: flags['default-unreachable-toleration-seconds'],
      },
      runtimeConfig: pairsOf(flags['runtime-config']),
      compress,
      controllers: flags.controllers,
      scheduler: flags.scheduler,
      nodes: flags.nodes,
      ...auditOf(flags, environment.log),
    })
    return { ...server, close: () => server.close().finally(() => network.close()) }
  } catch (error) {
    throw error instanceof OptionError ? new FlagError(error.message) : error
  }
}
