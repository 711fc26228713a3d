/** Starts the headless server once for all client tests, as a user would: own process, HTTPS, a client configuration in a file. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { bundleNodeHost } from '../../scripts/bundle-host'
import { start, stop } from '../support/processes'

declare module 'vitest' {
  interface ProvidedContext {
    /** Client configuration of the headless server; the user is in system:masters. */
    kubeconfig: string
    /** `http://127.0.0.1:PORT` */
    httpUrl: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'kubetab-client-'))
  const kubeconfig = join(folder, 'config')
  const server = await start([
    await bundleNodeHost(),
    '--port=0',
    '--warm-up=off',
    '--secure-port=0',
    `--kubeconfig=${kubeconfig}`,
  ])
  project.provide('kubeconfig', kubeconfig)
  project.provide('httpUrl', /http:\S+/.exec(server.line)?.[0] ?? '')
  return async () => {
    await stop(server)
    rmSync(folder, { recursive: true })
  }
}
