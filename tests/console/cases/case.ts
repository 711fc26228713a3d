/** What the console and the real kubectl are asked alike. */

export interface Case {
  /** The name of its record. */
  name: string
  /** Flags of the server, besides those that make its answers repeat. */
  flags: string[]
  /** No line needs another to run before it, or changes what another prints. */
  independent?: boolean
  /** Objects that are there when the case begins, as a manifest. */
  given?: string
  /** Manifests by name. */
  files: Record<string, string>
  steps: Step[]
}

/**
 * A line without pipes; or one that goes on until it is interrupted after a while (`-w`); or one that opens an editor, each time with
 * the next change to what it shows: a text that is found and what takes its place. Without one left the text stays as it is.
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
  /** What the editor showed, each time. */
  opened?: string[]
}

export const editsOf = (step: Step): readonly Edit[] =>
  typeof step === 'object' && 'edits' in step ? step.edits : []

export const lineOf = (step: Step): string => (typeof step === 'string' ? step : step.line)

/** Time stands still and chance repeats: ages, names and times are the same in every run. */
export const REPEATABLE = [
  '--clock=paused',
  '--clock-begin=2026-01-01T00:00:00Z',
  '--seed=1',
  '--warm-up=off',
]

/** What may differ from run to run is taken out. */
export function comparable({ code, stdout, stderr, opened }: Outcome): Omit<Outcome, 'line'> {
  return {
    code,
    stdout: normalised(stdout),
    stderr: normalised(stderr),
    ...(opened && { opened: opened.map(normalised) }),
  }
}

const CHANGING: [pattern: RegExp, instead: string][] = [
  // Names of pods, which controllers draw in any order.
  [/(-[a-z0-9]{8,10})-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, '$1-RANDOM'],
  [/(kube-api-access)-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, '$1-RANDOM'],
  // Addresses, drawn as well.
  [/\b10\.(?:244|96)(?:\.\d+){2}\b/g, 'ADDRESS'],
  // Ages: the cluster's time stands still, the real tool's does not.
  [/^( {2}(?:Normal|Warning) +\S+ +)\S+(?: \(x\d+ over \S+\))? +/gm, '$1AGE '],
  [/^( {2}Type +Reason +Age) +From +/gm, '$1 From '],
  [/^( {2}---- +-+ +----) +---- +/gm, '$1 ---- '],
  [/\b\d+(?:[smhd]|d\d+h|m\d+s|h\d+m)$/gm, 'AGE'],
  // Files that the real tool compares, and when they were written.
  [/\/tmp\/(LIVE|MERGED)-\d+\//g, '$1/'],
  [/^((?:---|\+\+\+) (?:LIVE|MERGED)\/\S+)\t.*$/gm, '$1'],
  [/(?:\/tmp\/)?kubectl-edit-[\w-]+\.yaml/g, 'kubectl-edit-FILE.yaml'],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UID'],
  [/("?resourceVersion"?: ?)"\d+"/g, '$1"VERSION"'],
  // How a wrong line is begun depends on how kubectl was built.
  [/^Error: /gm, 'error: '],
  [/https:\/\/127\.0\.0\.1:\d+/g, 'https://SERVER'],
]

function normalised(text: string): string {
  return CHANGING.reduce((result, [pattern, instead]) => result.replace(pattern, instead), text)
}
