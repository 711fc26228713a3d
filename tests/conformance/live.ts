/**
 * Replays the recordings over the ways that clients take, in real time: what only a socket, a process or a browser changes shows here.
 * Takes some ten minutes a way, most of them waiting; `npm run replay` is the check of everything else.
 *
 *   npm run replay:live                            against the headless server, as `npm run serve` starts it
 *   npm run replay:live -- --browser               against the service worker of a page in Chromium
 *   npm run replay:live -- [--browser] wire-param  files and recordings that match the pattern
 */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { bundleNodeHost, NODE_FLAGS } from '../../scripts/bundle-host'
import { start, stop } from '../support/processes'
import { evaluate, parseDifferences } from './known-differences'
import { openPage } from './live-page'
import {
  FOLDERS,
  type Folder,
  flagsOf,
  type RecordingFile,
  readRecordings,
  recordingFiles,
} from './recording-files'
import { type Recording, replay, type Send } from './replay'

interface Way {
  send: Send
  /** The reason why a recording cannot be replayed this way; undefined if it can. */
  cannotSend(recording: Recording): string | undefined
  close(): Promise<void>
}

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { browser: { type: 'boolean', default: false } },
})
const filter = new RegExp(positionals[0] ?? '')

/** Differences of every live host. */
const listed = parseDifferences(
  readFileSync(fileURLToPath(new URL('./known-differences.txt', import.meta.url)), 'utf8'),
).byFile

const total = { identical: 0, different: 0, known: 0 }
const notSent = new Map<string, number>()
// Those with flags of their own would need a server each.
for (const folder of FOLDERS.filter(({ name }) => name !== 'recordings-flags'))
  await replayFolder(folder)
for (const [why, exchanges] of notSent) console.log(`not sent, ${exchanges} exchanges: ${why}`)
console.log(
  `${total.identical} identical, ${total.known} known to differ, ${total.different} different`,
)
process.exit(total.different > 0 ? 1 : 0)

async function replayFolder(folder: Folder): Promise<void> {
  const recordings = recordingFiles(folder).flatMap((file) =>
    readRecordings(file)
      .filter(({ name }) => filter.test(`${file.name}/${name}`))
      .map((recording) => ({ file, recording })),
  )
  const [first] = recordings
  if (first === undefined) return
  const way = await (options.browser
    ? openPage(folder.flags)
    : startHeadless(flagsOf(first.file, first.recording)))
  try {
    for (const [i, { file, recording }] of recordings.entries()) {
      const why = way.cannotSend(recording)
      if (why === undefined)
        await replayOne(way.send, file, recording, `live-${String(i).padStart(6, 'x')}`)
      else notSent.set(why, (notSent.get(why) ?? 0) + recording.steps.length)
    }
  } finally {
    await way.close()
  }
}

async function replayOne(
  send: Send,
  file: RecordingFile,
  recording: Recording,
  namespace: string,
): Promise<void> {
  const steps = await replay(recording, send, { namespace, sleep })
  const result = { file: `${file.folder.name}/${file.name}`, name: recording.name, steps }
  const { identical, known, unexpected } = evaluate([result], listed, false)
  total.identical += identical
  total.known += known
  total.different += unexpected.length
  for (const { where, result } of unexpected)
    console.log(`${where} [${result.level}]\n  ${result.differences.slice(0, 6).join('\n  ')}`)
}

async function startHeadless(flags: string[]): Promise<Way> {
  const started = await start([...NODE_FLAGS, await bundleNodeHost(), '--port=0', ...flags])
  const address = /https?:\S+/.exec(started.line)?.[0] ?? ''
  return {
    async send({ method, path, headers, body }) {
      const response = await fetch(address + path, {
        method,
        headers,
        body: body ?? null,
        redirect: 'manual',
      })
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        text: await response.text(),
      }
    },
    cannotSend: ({ steps }) =>
      steps.some(({ request }) =>
        Object.keys(request.headers ?? {}).some((name) => /^origin$/i.test(name)),
      )
        ? 'pages of other hosts are rejected'
        : undefined,
    close: () => stop(started),
  }
}
