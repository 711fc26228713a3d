/**
 * The headless server: `npm run serve -- [flags]`. By default it listens on 127.0.0.1 and stores
 * objects in memory.
 * It prints one line when it is ready. The first SIGTERM or SIGINT shuts it down gracefully, the
 * second at once.
 */
import { writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { version } from '../../../package.json'
import { baseTables } from '../../engine/release-tables/base-tables'
import { loadTables } from '../../engine/release-tables/load-tables'
import { tablesOf } from '../../engine/release-tables/tables'
import type { Handle } from './adapter'
import { tokensOf } from './authentication'
import type { Identity } from './certificate'
import { clientAuthorities } from './client-certificates'
import { type Environment, startEngine } from './engine'
import { checkExposure } from './exposure'
import { FlagError, type Flags, parseFlags } from './flags'
import { guarded } from './guard'
import { usage } from './help'
import { servingIdentity } from './keys'
import { defaultsUnder, namedRelease, versionLine } from './kube-apiserver'
import { kubeconfig } from './kubeconfig'
import { type Listener, listen } from './listener'
import { allowedOrigins, readableBy, strictly, transportSecurity } from './pages'
import { processReadings, systemEnvironment } from './system'
import { tlsOf } from './tls'
import { ClientActivity } from './warm-up/client-activity'
import { type CompiledFlags, runWarmUp } from './warm-up/warm-up'

/**
 * V8's limit of inlining in bytes of bytecode; 920 by default.
 * A server's work is spread over many functions. With less inlining its first minutes cost a sixth
 * less processor time, and later it is as fast.
 */
const MOST_INLINED = 300

/**
 * Rounds of the warm-up, about five seconds of processor time while there are no requests. More
 * rounds compile little that is used often.
 * Two servers warm up in turn, because V8 would compile code that has met only one server again.
 * The second has the controllers of the real server, because unwatched writes compile differently.
 * Both with controllers would take more memory.
 *
 * `heapGrowth` is the percentage by which V8 lets its heap grow between garbage collections. A
 * collection discards much type feedback. It runs often at first, while there is little feedback,
 * and rarely later.
 */
const WARM_UP = {
  first: { rounds: 100, heapGrowth: 30 },
  second: { rounds: 320, heapGrowth: 220 },
  usualHeapGrowth: 0,
}
const ALONE: Omit<CompiledFlags, 'release'> = { controllers: ['off'], scheduler: false, nodes: 0 }

/**
 * V8's interrupt budget: bytecode that a function runs between checks for optimization.
 * A smaller budget during the warm-up compiles per-request code after hundreds of requests instead
 * of thousands.
 */
const COMPILING = { usual: 67_584, warmingUp: 10_000 }

async function main(programName: string, args: string[]): Promise<void> {
  setFlagsFromString(`--max-inlined-bytecode-size-cumulative=${MOST_INLINED}`)
  if (args.includes('--help')) {
    const release = namedRelease(args)
    await loadTables(release)
    console.log(usage(tablesOf(release) ?? baseTables()))
    return
  }
  if (args.includes('--version')) {
    console.log(versionLine(programName, version, namedRelease(args)))
    return
  }
  const flags = parseFlags(args, defaultsUnder(programName), (text) =>
    console.warn(`Warning: ${text}`),
  )
  checkExposure(flags)
  const shutdown = { begun: false }
  const health = (check: string) =>
    check === 'shutdown' && shutdown.begun ? 'process is shutting down' : undefined
  const port = flags['secure-port'] > 0 ? flags['secure-port'] : flags.port
  const handshakes = { failed: 0 }
  const readings = () => ({ ...processReadings(), handshakeErrors: handshakes.failed })
  const environment = {
    ...systemEnvironment,
    health,
    process: readings,
    ...(port > 0 ? { serverAddress: `127.0.0.1:${port}` } : {}),
  }
  const server = await startEngine(flags, environment)
  const clients = new ClientActivity()
  const listeners = await listenOnPorts(
    flags,
    clients.observed(asWeb(flags, server.handle)),
    () => handshakes.failed++,
  )
  const end = async () => {
    if (shutdown.begun) process.exit(1)
    shutdown.begun = true
    if (flags['shutdown-delay-duration'] > 0)
      await new Promise((resolve) => setTimeout(resolve, flags['shutdown-delay-duration']))
    const closed = listeners.map((listener) => listener.close())
    server.drain()
    await Promise.all(closed)
    await server.close()
    process.exit(0)
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  // An error outside all requests must lose neither the objects in memory nor open connections.
  process.on('uncaughtException', (cause) =>
    systemEnvironment.log.error('something failed that belongs to no request', cause),
  )
  // Last, because a process that waits for this line may send a signal at once.
  console.log(`kubetab is ready on ${listeners.map(({ address }) => address).join(' and ')}`)
  if (flags['warm-up']) await warmUp(environment, flags, clients)
}

/**
 * Adds the handlers of browser security: host checks, CORS and strict transport security.
 * @throws FlagError
 */
function asWeb(flags: Flags, handle: Handle): Handle {
  const origins = allowedOrigins(flags)
  return strictly(
    readableBy(guarded(handle, flags['allowed-hosts'], origins), origins),
    transportSecurity(flags),
  )
}

/** A server whose warm-up fails still serves. */
async function warmUp(
  environment: Environment,
  { release, controllers, scheduler, nodes }: Flags,
  clients: ClientActivity,
): Promise<void> {
  const run = async (
    flags: CompiledFlags,
    { rounds, heapGrowth }: { rounds: number; heapGrowth: number },
  ) => {
    setFlagsFromString(`--heap-growing-percent=${heapGrowth}`)
    await runWarmUp({
      environment,
      flags,
      rounds,
      quiet: () => clients.quiet(),
    })
  }
  setFlagsFromString(`--interrupt-budget=${COMPILING.warmingUp}`)
  try {
    await run({ release, ...ALONE }, WARM_UP.first)
    await run({ release, controllers, scheduler, nodes }, WARM_UP.second)
  } catch (cause) {
    systemEnvironment.log.error('the server is not warmed up', cause)
  } finally {
    setFlagsFromString(`--interrupt-budget=${COMPILING.usual}`)
    setFlagsFromString(`--heap-growing-percent=${WARM_UP.usualHeapGrowth}`)
  }
}

/** The maximum of kube-apiserver. A higher chance would make clients reconnect too often. */
const MOST_SENT_AWAY = 0.02

/** @throws FlagError */
function goawayChance({ 'goaway-chance': chance }: Flags): number {
  if (chance >= 0 && chance <= MOST_SENT_AWAY) return chance
  throw new FlagError(`--goaway-chance can not be less than 0 or greater than ${MOST_SENT_AWAY}`)
}

async function listenOnPorts(
  flags: Flags,
  handle: Handle,
  handshakeFailed: () => void,
): Promise<Listener[]> {
  const report = systemEnvironment.log.error
  const chance = goawayChance(flags)
  const listeners: Listener[] = []
  if (flags.port >= 0) listeners.push(await listen(handle, { port: flags.port, report }))
  if (flags['secure-port'] >= 0) {
    const identity = servingIdentity(flags, Date.now())
    const listener = await listen(handle, {
      port: flags['secure-port'],
      address: flags['bind-address'],
      identity,
      authorities: clientAuthorities(flags),
      http1Only: flags['disable-http2-serving'],
      tls: tlsOf(flags),
      closesConnection: () => Math.random() < chance,
      limits:
        flags['http2-max-streams-per-connection'] > 0
          ? { atOnce: flags['http2-max-streams-per-connection'] }
          : {},
      handshakeFailed,
      report,
    })
    listeners.push(listener)
    if (flags.kubeconfig !== '') writeClientConfiguration(flags, identity, listener)
  }
  return listeners
}

function writeClientConfiguration(flags: Flags, identity: Identity, { address }: Listener): void {
  const [token = ''] = tokensOf(flags).split(',')
  writeFileSync(
    flags.kubeconfig,
    kubeconfig(
      address.replace(/\/\/(?:0\.0\.0\.0|\[::\]):/, '//127.0.0.1:'),
      identity.authority ?? identity.cert,
      token,
    ),
    {
      mode: 0o600,
    },
  )
}

main(basename(process.argv[1] ?? ''), process.argv.slice(2)).catch((error: unknown) => {
  // Errors of files and ports need no stack trace.
  const isPlain = error instanceof FlagError || (error instanceof Error && 'syscall' in error)
  console.error(isPlain ? `Error: ${error.message}` : error)
  process.exit(1)
})
