/**
 * The headless server: `npm run serve -- [flags]`. Listens on 127.0.0.1 with a store in memory, says in one line when it is
 * ready, and ends on SIGTERM or SIGINT.
 */
import { writeFileSync } from 'node:fs'
import { type Identity, selfSignedCertificate } from './certificate'
import { startEngine, tokensOf } from './engine'
import { FlagError, type Flags, parseFlags, usage } from './flags'
import { kubeconfig } from './kubeconfig'
import { type Listener, listen } from './listener'
import { systemEnvironment } from './system'

async function main(args: string[]): Promise<void> {
  if (args.includes('--help')) {
    console.log(usage())
    return
  }
  const flags = parseFlags(args)
  const shutdown = { begun: false }
  const server = await startEngine(flags, {
    ...systemEnvironment,
    health: (check) => (check === 'shutdown' && shutdown.begun ? 'process is shutting down' : undefined),
  })
  const report = systemEnvironment.log.error
  const listeners: Listener[] = []
  const addresses: string[] = []
  if (flags.port >= 0) {
    const listener = await listen(server.handle, { port: flags.port, report })
    listeners.push(listener)
    addresses.push(`http://127.0.0.1:${listener.port}`)
  }
  if (flags['secure-port'] >= 0) {
    const identity = selfSignedCertificate('kubetab', Date.now())
    const listener = await listen(server.handle, { port: flags['secure-port'], identity, report })
    listeners.push(listener)
    addresses.push(`https://127.0.0.1:${listener.port}`)
    writeClientConfiguration(flags, identity, listener)
  }
  console.log(`kubetab is ready on ${addresses.join(' and ')}`)

  const end = async () => {
    if (shutdown.begun) return
    shutdown.begun = true
    if (flags['shutdown-delay-duration'] > 0) await new Promise((resolve) => setTimeout(resolve, flags['shutdown-delay-duration']))
    const closed = listeners.map((listener) => listener.close())
    await server.close()
    await Promise.all(closed)
    process.exit(0)
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
}

function writeClientConfiguration(flags: Flags, identity: Identity, { port }: Listener): void {
  if (flags.kubeconfig === '') return
  const [token = ''] = tokensOf(flags).split(',')
  writeFileSync(flags.kubeconfig, kubeconfig(`https://127.0.0.1:${port}`, identity.cert, token), { mode: 0o600 })
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof FlagError ? `Error: ${error.message}` : error)
  process.exit(1)
})
