/** Solves an incident in a cluster in memory, by the command lines of its shortest way. */
import type { ConsoleClock, Contexts, Host } from '../src/console/environment'
import { Session } from '../src/console/session'
import { DEFAULT_RELEASE, parseRelease, type Release } from '../src/engine/releases/release'
import { RehearsalCluster } from '../src/hosts/shared/rehearsal-cluster'
import { checkStep } from '../src/lessons/check'
import { type Incident, incidentOf } from '../src/lessons/incident'
import { releaseFor } from '../src/lessons/releases'

/** Simulated seconds in which the incident must not solve itself, and the shortest way must. */
const PATIENCE = 600
const LOOK_SECONDS = 5
/** Simulated time of a command such as `drain`, which waits for controllers. */
const MOST_SECONDS_PER_LINE = 300
/** Real time for keys, which are created in other threads. */
const MOST_REAL_MILLISECONDS = 20_000

/**
 * Returns the errors of an incident; a valid one has none:
 * - Waiting ten minutes does not solve it.
 * - Its shortest way solves it within ten minutes.
 * @throws Error if the start state is rejected
 */
export async function problemsOfIncident(
  incident: Incident,
  seed: number,
  release: Release = DEFAULT_RELEASE,
): Promise<string[]> {
  const drawn = incidentOf(incident, seed)
  const held = parseRelease(releaseFor(drawn, release)) ?? release
  const cluster = await RehearsalCluster.with(drawn.start.objects, {
    turn: setImmediate,
    release: held,
  })
  try {
    for (const line of drawn.start.run ?? []) await runLine(cluster, line)
    await cluster.advance(drawn.start.wait ?? 0)
    if ((await unsolved(cluster, drawn)).length === 0) return ['waiting solves it']
    for (const line of drawn.shortest) await runLine(cluster, line)
    const missing = await unsolved(cluster, drawn)
    return missing.map((check) => `its shortest way does not reach "${check}"`)
  } finally {
    await cluster.close()
  }
}

/** @returns the checks that do not hold; none as soon as all have held for long enough */
async function unsolved(
  cluster: RehearsalCluster,
  { solved: { hold, checks } }: Incident,
): Promise<string[]> {
  let holds = 0
  let missing: string[] = []
  for (let second = 0; second <= PATIENCE; second += LOOK_SECONDS) {
    const results = await checkStep({ checks }, cluster.evidence())
    missing = results.filter((one) => !one.holds).map(({ check }) => check.says)
    if (missing.length > 0) holds = 0
    else if (holds >= hold) return []
    else holds += LOOK_SECONDS
    await cluster.advance(LOOK_SECONDS)
  }
  return missing.length > 0 ? missing : [`all checks, for ${hold} seconds`]
}

/** @throws Error if the command fails */
async function runLine(cluster: RehearsalCluster, line: string): Promise<void> {
  const { code, printed } = await outputOf(cluster, line)
  if (code !== 0) throw new Error(`${line} exits with ${code}: ${printed}`)
  if (cluster.failures.length > 0) throw new Error(cluster.failures.join('\n'))
}

/**
 * Runs a line of the console while the cluster's time advances.
 * @returns standard output and standard error in order
 * @throws Error if it does not end
 */
export async function outputOf(
  cluster: RehearsalCluster,
  line: string,
): Promise<{ code: number; printed: string }> {
  let printed = ''
  const session = sessionOf(cluster, (text) => {
    printed += text
  })
  let code: number | undefined
  const running = session.run(line, new AbortController().signal).then((ended) => {
    code = ended
  })
  const until = Date.now() + MOST_REAL_MILLISECONDS
  for (let second = 0; code === undefined; second++) {
    if (second >= MOST_SECONDS_PER_LINE && Date.now() > until) break
    await cluster.advance(1)
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  if (code === undefined) throw new Error(`${line} does not end: ${printed}`)
  await running
  return { code, printed }
}

function sessionOf(cluster: RehearsalCluster, print: (text: string) => void): Session {
  const host: Host = {
    columns: undefined,
    write: print,
    writeError: print,
    readFile: () => undefined,
    fileNames: () => [],
    openEditor: async (_title, text) => text,
    keepFile: (title) => title,
  }
  return new Session({
    transport: (path, { method, headers, body, signal }) =>
      cluster.api.fetch(
        new Request(`http://localhost${path}`, {
          method,
          headers: { authorization: 'Bearer admin-token', ...headers },
          ...(body === undefined ? {} : { body }),
          ...(signal === undefined ? {} : { signal }),
        }),
      ),
    host,
    clock: clockOf(cluster),
    contexts: ONLY_ADMIN,
  })
}

const clockOf = ({ clock }: RehearsalCluster): ConsoleClock => ({
  now: () => clock.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      const cancel = clock.after(milliseconds, resolve)
      signal.addEventListener('abort', () => {
        cancel()
        resolve()
      })
    }),
})

const ONLY_ADMIN: Contexts = {
  server: 'https://127.0.0.1:6443',
  cluster: 'incident',
  list: () => [{ name: 'admin', user: 'admin' }],
  current: () => 'admin',
  use: () => undefined,
  setNamespace: () => undefined,
}
