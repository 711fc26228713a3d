/** Breaks a cluster as an incident describes. */
import type { Host } from '../../../console/environment'
import { Session } from '../../../console/session'
import type { Incident } from '../../../lessons/incident'
import { PAGE_ACTOR } from '../../state/actors'
import { useClock } from '../../state/clock'
import { pageClock, pageContexts, pageTransport } from '../console/page-session'
import { INCIDENT } from './incident-texts'
import { createStart } from './start-state'

/** Times the speed of real time, while the page waits. */
const FAST = 1000
const LOOK_MILLISECONDS = 50

/** @throws Error if an object or a command is rejected */
export async function breakCluster({ start, releases }: Incident): Promise<void> {
  await createStart(start.objects, releases === undefined ? {} : { releases }, 'apply')
  for (const line of start.run ?? []) await run(line)
  await passTime(start.wait ?? 0)
}

async function run(line: string): Promise<void> {
  let printed = ''
  const print = (text: string) => {
    printed += text
  }
  const session = new Session({
    transport: pageTransport('page', PAGE_ACTOR),
    host: silent(print),
    clock: pageClock,
    contexts: pageContexts,
  })
  const code = await session.run(line, new AbortController().signal)
  if (code !== 0) throw new Error(INCIDENT.notBroken(printed.trim()))
}

const silent = (print: (text: string) => void): Host => ({
  columns: undefined,
  write: print,
  writeError: print,
  readFile: () => undefined,
  fileNames: () => [],
  openEditor: async (_title, text) => text,
  keepFile: (title) => title,
})

async function passTime(seconds: number): Promise<void> {
  if (seconds === 0) return
  const clock = useClock.getState()
  const until = (await clusterTime()) + seconds * 1000
  await clock.setRate(FAST)
  while ((await clusterTime()) < until)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MILLISECONDS))
  await clock.setRate(1)
}

/** Milliseconds since the epoch. */
export async function clusterTime(): Promise<number> {
  await useClock.getState().read()
  return useClock.getState().reading?.clock.time ?? Date.now()
}
