/** A case that runs on the console and on the real kubectl. */

export interface Case {
  /** The name of its recording. */
  name: string
  /** Flags of the server, in addition to those that make its output reproducible. */
  flags: string[]
  /** The lines are independent of each other. */
  independent?: boolean
  /** Objects that exist when the case begins, as a manifest. */
  given?: string
  /** Manifests by name. */
  files: Record<string, string>
  steps: Step[]
}

/**
 * A line without pipes. A watch (`-w`) is interrupted after a while. An editor replaces a text per
 * session, and leaves the text as it is after the last replacement.
 */
export type Step =
  | string
  | { line: string; interruptAfter: number }
  | { line: string; edits: readonly Edit[] }
export type Edit = readonly [found: string, instead: string]

export interface Outcome {
  line: string
  code: number
  stdout: string
  stderr: string
  /** The text that each `kubectl edit` session opened. */
  opened?: string[]
}

export const editsOf = (step: Step): readonly Edit[] =>
  typeof step === 'object' && 'edits' in step ? step.edits : []

export const lineOf = (step: Step): string => (typeof step === 'string' ? step : step.line)

/**
 * The outputs are recorded from kubectl 1.31, and the console is a client of the server's release.
 */
export const RECORDED_RELEASE = '--release=1.31'

/** The clock is paused and randomness is seeded, so ages, names and times are reproducible. */
export const REPEATABLE = [
  RECORDED_RELEASE,
  '--clock=paused',
  '--clock-begin=2026-01-01T00:00:00Z',
  '--seed=1',
  '--warm-up=off',
]

/** Replaces output that differs between runs. */
export function comparable({ code, stdout, stderr, opened }: Outcome): Omit<Outcome, 'line'> {
  return {
    code,
    stdout: normalized(stdout),
    stderr: normalized(stderr),
    ...(opened && { opened: opened.map(normalized) }),
  }
}

const CHANGING: [pattern: RegExp, instead: string][] = [
  // Pod names. Controllers draw them in any order.
  [/(-[a-z0-9]{8,10})-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, '$1-RANDOM'],
  [/(kube-api-access)-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, '$1-RANDOM'],
  // Addresses, which are allocated in any order.
  [/\b10\.(?:244|96)(?:\.\d+){2}\b/g, 'ADDRESS'],
  // Ages. The clock of the cluster is paused, but that of kubectl is not.
  [/^( {2}(?:Normal|Warning) +\S+ +)\S+(?: \(x\d+ over \S+\))? +/gm, '$1AGE '],
  [/^( {2}Type +Reason +Age) +From +/gm, '$1 From '],
  [/^( {2}---- +-+ +----) +---- +/gm, '$1 ---- '],
  [/\b\d+(?:[smhd]|d\d+h|m\d+s|h\d+m)$/gm, 'AGE'],
  // Paths and times of the files that kubectl diff compares.
  [/\/tmp\/(LIVE|MERGED)-\d+\//g, '$1/'],
  [/^((?:---|\+\+\+) (?:LIVE|MERGED)\/\S+)\t.*$/gm, '$1'],
  [/(?:\/tmp\/)?kubectl-edit-[\w-]+\.yaml/g, 'kubectl-edit-FILE.yaml'],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UID'],
  [/("?resourceVersion"?: ?)"\d+"/g, '$1"VERSION"'],
  // The prefix of an error depends on the build of kubectl.
  [/^Error: /gm, 'error: '],
  [/https:\/\/127\.0\.0\.1:\d+/g, 'https://SERVER'],
]

function normalized(text: string): string {
  return CHANGING.reduce((result, [pattern, instead]) => result.replace(pattern, instead), text)
}
