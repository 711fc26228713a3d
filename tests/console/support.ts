/** A console on its own server, without a page: it takes lines and returns the output. */
import type { ConsoleClock, Contexts, Host } from '../../src/console/environment'
import { Session } from '../../src/console/session'
import type { SimulatedClock } from '../../src/engine/core/environment'
import type { ApiServer } from '../../src/engine/server/server'

export interface Printed {
  code: number
  stdout: string
  stderr: string
}

export interface TestConsole {
  session: Session
  /** Runs a line to its end, or until the signal aborts. */
  run(line: string, signal?: AbortSignal): Promise<Printed>
  /** The files that `-f` reads. */
  files: Map<string, string>
  /** Edits a text. By default the text stays as it is. */
  edits(change: (text: string) => string): void
}

/** @param clock advances only when the test advances it */
export function testConsole(
  server: Pick<ApiServer, 'fetch'>,
  clock: SimulatedClock,
  columns?: number,
): TestConsole {
  const files = new Map<string, string>()
  let printed = { stdout: '', stderr: '' }
  let change: (text: string) => string = (text) => text
  const host: Host = {
    columns,
    write: (text) => {
      printed.stdout += text
    },
    writeError: (text) => {
      printed.stderr += text
    },
    readFile: (name) => files.get(name),
    fileNames: () => [...files.keys()],
    openEditor: (_title, text) => Promise.resolve(change(text)),
    keepFile: (title, text) => {
      files.set(title, text)
      return title
    },
  }
  const session = new Session({
    transport: (path, { method, headers, body, signal }) =>
      server.fetch(
        new Request(`http://localhost${path}`, {
          method,
          headers: { authorization: 'Bearer admin', ...headers },
          ...(body === undefined ? {} : { body }),
          ...(signal === undefined ? {} : { signal }),
        }),
      ),
    host,
    clock: consoleClock(clock),
    contexts: testContexts(),
  })
  return {
    session,
    files,
    async run(line, signal = new AbortController().signal) {
      printed = { stdout: '', stderr: '' }
      const code = await session.run(line, signal)
      return { code, ...printed }
    },
    edits(next) {
      change = next
    },
  }
}

function consoleClock(clock: SimulatedClock): ConsoleClock {
  return {
    now: () => clock.now(),
    sleep: (milliseconds, signal) =>
      new Promise((resolve) => {
        const cancel = clock.after(milliseconds, resolve)
        signal.addEventListener('abort', () => {
          cancel()
          resolve()
        })
      }),
  }
}

function testContexts(): Contexts {
  const contexts: { name: string; user: string; namespace?: string }[] = [
    { name: 'admin', user: 'admin' },
  ]
  let current = 'admin'
  return {
    server: 'https://127.0.0.1:6443',
    cluster: 'kubetab',
    list: () => contexts,
    current: () => current,
    use: (name) => {
      current = name
    },
    setNamespace: (name, namespace) => {
      const context = contexts.find((one) => one.name === name)
      if (context !== undefined) context.namespace = namespace
    },
  }
}
