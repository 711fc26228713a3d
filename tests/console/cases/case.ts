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

/** A line without pipes; or one that goes on until it is interrupted after a while (`-w`). */
export type Step = string | { line: string; interruptAfter: number }

export interface Outcome {
  line: string
  code: number
  stdout: string
  stderr: string
}

export const lineOf = (step: Step): string => (typeof step === 'string' ? step : step.line)

/** Time stands still and chance repeats: ages, names and times are the same in every run. */
export const REPEATABLE = ['--clock=paused', '--clock-begin=2026-01-01T00:00:00Z', '--seed=1', '--warm-up=off']

/** What may differ from run to run is taken out. */
export function comparable({ code, stdout, stderr }: Outcome): Omit<Outcome, 'line'> {
  return { code, stdout: normalised(stdout), stderr: normalised(stderr) }
}

const CHANGING: [pattern: RegExp, instead: string][] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UID'],
  [/("?resourceVersion"?: ?)"\d+"/g, '$1"VERSION"'],
  // How a wrong line is begun depends on how kubectl was built.
  [/^Error: /gm, 'error: '],
  [/https:\/\/127\.0\.0\.1:\d+/g, 'https://SERVER'],
]

function normalised(text: string): string {
  return CHANGING.reduce((result, [pattern, instead]) => result.replace(pattern, instead), text)
}
