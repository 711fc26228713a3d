/** A real kube-apiserver over an etcd of its own, for measurements side by side. */
import { spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Etcd, freePort } from '../etcd/etcd'
import { client } from './client'

const TOKEN = 'admin-token'
const READY_MILLISECONDS = 60_000
const POLL_MILLISECONDS = 250

export interface RealServer {
  url: string
  /** Of a user in system:masters. */
  token: string
  stop(): Promise<void>
}

/**
 * @param binary path of kube-apiserver
 * @throws Error if it ends, or is not ready within a minute
 */
export async function startRealServer(binary: string): Promise<RealServer> {
  const folder = mkdtempSync(join(tmpdir(), 'kube-apiserver-'))
  const etcd = await Etcd.start({ 'unsafe-no-fsync': 'true' })
  const port = await freePort()
  const child = spawn(binary, flagsOf({ folder, port, etcd: etcd.url }), { stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  const server: RealServer = {
    url: `https://127.0.0.1:${port}`,
    token: TOKEN,
    async stop() {
      child.kill('SIGTERM')
      await ended
      await etcd.remove()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  try {
    await Promise.race([
      whenReady(server),
      ended.then(() => Promise.reject(new Error(`${binary} ended`))),
    ])
    return server
  } catch (error) {
    await server.stop()
    throw error
  }
}

function flagsOf({ folder, port, etcd }: { folder: string; port: number; etcd: string }): string[] {
  const tokens = join(folder, 'tokens.csv')
  writeFileSync(tokens, `${TOKEN},admin,admin-uid,"system:masters"\n`)
  const key = join(folder, 'sa.key')
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  writeFileSync(key, privateKey.export({ type: 'pkcs1', format: 'pem' }))
  const flags = {
    'etcd-servers': etcd,
    'bind-address': '127.0.0.1',
    'advertise-address': '127.0.0.1',
    'endpoint-reconciler-type': 'none',
    'secure-port': String(port),
    'cert-dir': folder,
    'token-auth-file': tokens,
    'authorization-mode': 'RBAC',
    'service-cluster-ip-range': '10.96.0.0/16',
    'service-account-issuer': 'https://kubernetes.default.svc',
    'service-account-key-file': key,
    'service-account-signing-key-file': key,
  }
  return Object.entries(flags).map(([name, value]) => `--${name}=${value}`)
}

/** Ready, and with the namespace `default`, which a controller of the server creates. */
async function whenReady({ url, token }: RealServer): Promise<void> {
  const server = client(url, token)
  const until = performance.now() + READY_MILLISECONDS
  for (const path of ['/readyz', '/api/v1/namespaces/default']) {
    for (;;) {
      const found = await server.send('GET', path).catch(() => undefined)
      if (found?.status === 200) break
      if (performance.now() > until) throw new Error(`${url}${path} is not ready`)
      await new Promise((resolve) => setTimeout(resolve, POLL_MILLISECONDS))
    }
  }
}
