/** Runs a case on its own server in this process. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Contexts, Host } from '../../src/console/environment'
import { Session } from '../../src/console/session'
import { SimulatedClock } from '../../src/engine/core/environment'
import { startEngine } from '../../src/hosts/node/engine'
import { parseFlags } from '../../src/hosts/node/flags'
import { systemEnvironment } from '../../src/hosts/node/system'
import { requestTimers } from '../../src/package/time'
import { type Case, type Edit, editsOf, lineOf, type Outcome, RECORDED_RELEASE } from './cases/case'
import { setUp } from './set-up'

/** The user of the kubeconfig that the Node host writes. */
const CONTEXTS: Contexts = {
  server: 'https://127.0.0.1:6443',
  cluster: 'kubetab',
  list: () => [{ name: 'kubetab', user: 'kubetab', namespace: 'default' }],
  current: () => 'kubetab',
  use: () => undefined,
  setNamespace: () => undefined,
}

export async function runCase({ flags, given, files, steps }: Case): Promise<Outcome[]> {
  const clock = new SimulatedClock(Date.parse('2026-01-01T00:00:00Z'))
  const server = await startEngine(parseFlags([RECORDED_RELEASE, ...flags, '--seed=1']), {
    ...systemEnvironment,
    clock,
    timers: requestTimers,
  })
  const send = (path: string, { headers, ...init }: RequestInit) =>
    server.fetch(
      new Request(`http://localhost${path}`, {
        ...init,
        headers: { authorization: 'Bearer admin-token', ...headers },
      }),
    )
  await send('/readyz', {})
  if (!flags.includes('--controllers=off')) await settled(send, MANY)
  await setUp(send, given)
  // The server serves the kinds of CustomResourceDefinitions shortly after their creation.
  await sleep(50)
  let printed = { stdout: '', stderr: '' }
  let edits: readonly Edit[] = []
  let opened: string[] = []
  const host: Host = {
    columns: undefined,
    write: (text) => {
      printed.stdout += text
    },
    writeError: (text) => {
      printed.stderr += text
    },
    readFile: (name) => files[name],
    fileNames: () => Object.keys(files),
    openEditor: (_title, text) => {
      const [found, instead] = edits[opened.length] ?? ['', '']
      opened.push(text)
      return Promise.resolve(text.replace(found, () => instead))
    },
    keepFile: (title) => title,
  }
  const session = new Session({
    transport: (path, { headers, ...init }) =>
      send(path, { ...init, headers: { 'user-agent': 'kubectl', ...headers } }),
    host,
    // The clock of the cluster is paused. The console waits in real time, as kubectl does.
    clock: {
      now: () => clock.now(),
      sleep: (milliseconds, signal) =>
        sleep(milliseconds, undefined, { signal }).catch(() => undefined),
    },
    contexts: CONTEXTS,
  })
  const outcomes: Outcome[] = []
  for (const step of steps) {
    printed = { stdout: '', stderr: '' }
    edits = editsOf(step)
    opened = []
    const interrupt = new AbortController()
    // The server sends watch events at once, because the clock is paused.
    const interrupted = typeof step === 'object' && 'interruptAfter' in step
    if (interrupted) setTimeout(() => interrupt.abort(), 50)
    const code = await session.run(lineOf(step), interrupt.signal)
    outcomes.push({
      line: lineOf(step),
      code: interrupted ? 0 : code,
      ...printed,
      ...(edits.length > 0 && { opened }),
    })
    if (!flags.includes('--controllers=off'))
      await settled(send, READS.test(lineOf(step)) ? 1 : MANY)
  }
  await server.close()
  return outcomes
}

/** Consecutive polls without new writes: controllers are slow on a busy machine. */
const MANY = 20
/** Controllers have no work after these commands. */
const READS = /^(get|describe|logs|auth (can-i|whoami)|rollout (status|history)|top|exec)\b/

/** Waits until controllers are idle: no writes for a while. */
async function settled(
  send: (path: string, init: RequestInit) => Promise<Response>,
  looks: number,
): Promise<void> {
  for (let version = '', calm = 0; calm < looks; ) {
    await new Promise((resolve) => setTimeout(resolve, 10))
    const { metadata } = (await (await send('/api/v1/namespaces?limit=1', {})).json()) as {
      metadata: { resourceVersion: string }
    }
    calm = metadata.resourceVersion === version ? calm + 1 : 0
    version = metadata.resourceVersion
  }
}
