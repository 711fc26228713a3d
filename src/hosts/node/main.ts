/**
 * The headless server: `npm run serve -- [flags]`. Listens on 127.0.0.1, unless told otherwise, with a store in memory, says in one line when it is
 * ready, and ends on SIGTERM or SIGINT: in order on the first, at once on the second.
 */
import { writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { version } from '../../../package.json'
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
import { defaultsUnder, versionLine } from './kube-apiserver'
import { kubeconfig } from './kubeconfig'
import { type Listener, listen } from './listener'
import { allowedOrigins, readableBy, strictly, transportSecurity } from './pages'
import { processReadings, systemEnvironment } from './system'
import { tlsOf } from './tls'
import { ClientActivity } from './warm-up/client-activity'
import { type ControllerFlags, runWarmUp } from './warm-up/warm-up'

/**
 * How much of what a function calls V8 compiles into it, in bytes of bytecode; 920 by default. A server's work is spread over many
 * functions: with less inlining its first minutes cost a sixth less, most of it spent on compiling, and later it is as fast.
 */
const MOST_INLINED = 300

/**
 * After so many rounds what is left to compile is seldom used: about five seconds of processor time, spent while no one
 * asks. Two servers, one after the other: code that has met only one would be compiled again for the real one. The second has
 * controllers where the real one has them, because writes that no one watches are compiled for that; both would take more memory.
 *
 * By how many percent V8 lets its heap grow until it collects what is dead goes with it. It discards much of what it has learnt of the
 * code when it does, so it does at first, often, while little is known; then not again before clients have been served for a while.
 */
const WARM_UP = {
  first: { rounds: 100, heapGrowth: 30 },
  second: { rounds: 320, heapGrowth: 220 },
  usualHeapGrowth: 0,
}
const ALONE: ControllerFlags = { controllers: ['off'], scheduler: false, nodes: 0 }

/**
 * How much bytecode a function runs between V8's looks at whether compiling it pays: V8's own figure, and that of the warm-up.
 * There it looks sooner, so that what runs once a request is compiled after hundreds of requests and not after thousands.
 */
const COMPILING = { usual: 67_584, warmingUp: 10_000 }

async function main(programName: string, args: string[]): Promise<void> {
  setFlagsFromString(`--max-inlined-bytecode-size-cumulative=${MOST_INLINED}`)
  if (args.includes('--help')) {
    console.log(usage())
    return
  }
  if (args.includes('--version')) {
    console.log(versionLine(programName, version))
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
  // What fails next to every request must not take with it what is in memory, nor the others' connections.
  process.on('uncaughtException', (cause) =>
    systemEnvironment.log.error('something failed that belongs to no request', cause),
  )
  // Last: whoever waits for this line may send a signal at once.
  console.log(`kubetab is ready on ${listeners.map(({ address }) => address).join(' and ')}`)
  if (flags['warm-up']) await warmUp(environment, flags, clients)
}

/** What a server on the web needs around it. @throws FlagError */
function asWeb(flags: Flags, handle: Handle): Handle {
  const origins = allowedOrigins(flags)
  return strictly(
    readableBy(guarded(handle, flags['allowed-hosts'], origins), origins),
    transportSecurity(flags),
  )
}

/** A server that could not warm up serves all the same. */
async function warmUp(
  environment: Environment,
  { controllers, scheduler, nodes }: Flags,
  clients: ClientActivity,
): Promise<void> {
  const run = async (
    controllerFlags: ControllerFlags,
    { rounds, heapGrowth }: { rounds: number; heapGrowth: number },
  ) => {
    setFlagsFromString(`--heap-growing-percent=${heapGrowth}`)
    await runWarmUp({
      environment,
      controllers: controllerFlags,
      rounds,
      quiet: () => clients.quiet(),
    })
  }
  setFlagsFromString(`--interrupt-budget=${COMPILING.warmingUp}`)
  try {
    await run(ALONE, WARM_UP.first)
    await run({ controllers, scheduler, nodes }, WARM_UP.second)
  } catch (cause) {
    systemEnvironment.log.error('the server is not warmed up', cause)
  } finally {
    setFlagsFromString(`--interrupt-budget=${COMPILING.usual}`)
    setFlagsFromString(`--heap-growing-percent=${WARM_UP.usualHeapGrowth}`)
  }
}

/** More would have clients make connections rather than requests. */
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
  // What the system says of a file or a port needs no stack.
  const isPlain = error instanceof FlagError || (error instanceof Error && 'syscall' in error)
  console.error(isPlain ? `Error: ${error.message}` : error)
  process.exit(1)
})
