/** Runs a case with the real kubectl against a headless server of its own. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleNodeHost } from '../../scripts/bundle-host'
import { readLine } from '../../src/console/line'
import { selfSignedCertificate } from '../../src/hosts/node/certificate'
import { start, stop } from '../support/processes'
import {
  type Case,
  type Edit,
  editsOf,
  lineOf,
  type Outcome,
  REPEATABLE,
  type Step,
} from './cases/case'
import { setUp } from './set-up'

export async function recordCase(
  program: string,
  { flags, given, files, steps }: Case,
): Promise<Outcome[]> {
  const folder = mkdtempSync(join(tmpdir(), 'kubetab-record-'))
  const kubeconfig = join(folder, '.config')
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const host = await start([
    await bundleNodeHost(),
    '--port=0',
    '--secure-port=0',
    `--kubeconfig=${kubeconfig}`,
    ...signingFiles(folder),
    ...REPEATABLE,
    ...flags,
  ])
  const address = /http:\S+/.exec(host.line)?.[0] ?? ''
  try {
    await setUp(
      (path, init) =>
        fetch(`${address}${path}`, {
          ...init,
          headers: { authorization: 'Bearer admin-token', ...init.headers },
        }),
      given,
    )
    const outcomes: Outcome[] = []
    for (const step of steps) outcomes.push(await runStep(program, step, folder, kubeconfig))
    return outcomes
  } finally {
    await stop(host)
    rmSync(folder, { recursive: true })
  }
}

/**
 * The flags of an authority for the signer alone. Without them the host knows clients by its own
 * authority and publishes it in a ConfigMap, which a server without HTTPS does not have.
 */
function signingFiles(folder: string): string[] {
  const { cert, key } = selfSignedCertificate('cluster-authority', Date.now())
  const [certificateFile, keyFile] = [join(folder, '.ca.pem'), join(folder, '.ca-key.pem')]
  writeFileSync(certificateFile, cert)
  writeFileSync(keyFile, key)
  return [`--cluster-signing-cert-file=${certificateFile}`, `--cluster-signing-key-file=${keyFile}`]
}

function runStep(
  program: string,
  step: Step,
  folder: string,
  kubeconfig: string,
): Promise<Outcome> {
  const line = lineOf(step)
  const [stage, ...more] = readLine(line).flatMap(({ stages }) => stages)
  if (stage === undefined || more.length > 0) throw new Error(`no single command: ${line}`)
  const edits = editsOf(step)
  const { editor, opened } =
    edits.length > 0 ? editorIn(folder, edits) : { editor: 'true', opened: undefined }
  const env = { PATH: process.env.PATH, HOME: folder, KUBECONFIG: kubeconfig, EDITOR: editor }
  const child = spawn(program, stage.words, { cwd: folder, env })
  const outcome: Outcome = { line, code: 0, stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => {
    outcome.stdout += chunk
  })
  child.stderr.on('data', (chunk: Buffer) => {
    outcome.stderr += chunk
  })
  child.stdin.end(stage.input ?? '')
  const interrupt =
    typeof step === 'object' && 'interruptAfter' in step ? step.interruptAfter : undefined
  const timer =
    interrupt === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), interrupt)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      clearTimeout(timer)
      resolve({
        ...outcome,
        code: interrupt === undefined ? (code ?? 1) : 0,
        ...(opened && { opened: opened() }),
      })
    })
  })
}

/** An editor that records its text and applies one change per session. */
function editorIn(folder: string, edits: readonly Edit[]): { editor: string; opened(): string[] } {
  const [script, shown] = [join(folder, '.editor.mjs'), join(folder, '.shown')]
  const text = `import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
const shown = ${JSON.stringify(shown)}
const file = process.argv.at(-1)
const before = readFileSync(shown, 'utf8').split('\\n').length - 1
const text = readFileSync(file, 'utf8')
appendFileSync(shown, JSON.stringify(text) + '\\n')
const [found, instead] = ${JSON.stringify(edits)}[before] ?? ['', '']
writeFileSync(file, text.replace(found, () => instead))
`
  writeFileSync(script, text)
  writeFileSync(shown, '')
  const lines = () => readFileSync(shown, 'utf8').split('\n').slice(0, -1)
  return {
    editor: `${process.execPath} ${script}`,
    opened: () => lines().map((line) => JSON.parse(line) as string),
  }
}
