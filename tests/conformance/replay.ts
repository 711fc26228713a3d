/**
 * Replays recorded exchanges of a real API server and reports differences. README.md in this
 * directory describes format and rules.
 */
import { differences, shortened } from './difference'
import { layoutDifferences } from './layout'
import { Normalizer } from './normalizer'

export interface ReplayRequest {
  method: string
  path: string
  headers: Record<string, string>
  body?: string | null
}

export interface ReplayResponse {
  status: number
  /** Lower-case names, repeated headers joined with `, `. */
  headers: Record<string, string>
  text: string
}

/** When a repeated request may stop: every member given must hold. */
export interface Condition {
  status?: number
  /** `status.conditions.0.type` in the body. */
  path?: string
  equals?: unknown
  exists?: boolean
}

export interface Step {
  id: string
  request: { method: string; path: string; headers?: Record<string, string>; body?: string | null }
  response: { status: number; headers: Record<string, string>; text?: string }
  /** Milliseconds to let pass before the request. */
  sleep?: number
  until?: Condition
  attempts?: number
  intervalMs?: number
  ignoreBody?: boolean
}

export interface Recording {
  name: string
  doc: string
  /** The namespace that the recording run used; a replay uses its own. */
  ns: string
  mask?: string[]
  steps: Step[]
}

/** `same`: identical; `body`: same status, other headers or body; `status`: other status; `error`: no response. */
export type Level = 'same' | 'body' | 'status' | 'error'

export interface StepResult {
  id: string
  level: Level
  /** Status of the response; undefined if there was none. */
  status: number | undefined
  expectedStatus: number
  differences: string[]
}

export type Send = (request: ReplayRequest) => Promise<ReplayResponse>

const COMPARED_HEADERS = ['content-type', 'warning', 'location', 'retry-after', 'content-encoding']

/**
 * Runs one recording, step by step; never throws for what the server does.
 * @param namespace the namespace to play in; must not exist yet on a server that several recordings share
 * @param sleep lets that many milliseconds of the server's time pass
 */
export async function replay(
  recording: Recording,
  send: Send,
  { namespace, sleep }: { namespace: string; sleep: (milliseconds: number) => Promise<void> },
): Promise<StepResult[]> {
  const responses: Record<string, unknown> = { ns: namespace }
  const mine = side(recording.mask, namespace)
  const theirs = side(recording.mask, recording.ns)
  const results: StepResult[] = []
  for (const step of recording.steps) {
    if (step.sleep) await sleep(step.sleep)
    let actual: ReplayResponse
    try {
      actual = await sendUntil(step, responses, send, sleep)
    } catch (error) {
      const text = String(error instanceof Error ? error.stack : error)
      results.push({
        id: step.id,
        level: 'error',
        status: undefined,
        expectedStatus: step.response.status,
        differences: [text],
      })
      responses[step.id] = undefined
      continue
    }
    responses[step.id] = parsedOr(actual.text, actual.text)
    const found = compare(step, { actual, mine, theirs })
    const level =
      found.length === 0 ? 'same' : actual.status === step.response.status ? 'body' : 'status'
    results.push({
      id: step.id,
      level,
      status: actual.status,
      expectedStatus: step.response.status,
      differences: found,
    })
  }
  return results
}

/** One of the two sides of the comparison: its placeholders, and its namespace's name made neutral. */
interface Side {
  normalizer: Normalizer
  neutral(text: string): string
}

const side = (mask: string[] | undefined, namespace: string): Side => ({
  normalizer: new Normalizer(mask),
  neutral: (text) => text.split(namespace).join('<ns>'),
})

function compare(
  step: Step,
  { actual, mine, theirs }: { actual: ReplayResponse; mine: Side; theirs: Side },
): string[] {
  const wanted = step.response
  const watch = isWatch(step.request.path)
  const body = decode(actual, mine, watch)
  const wantedBody = decode(wanted, theirs, watch)
  const found: string[] = []
  if (actual.status !== wanted.status)
    found.push(`status: expected ${wanted.status}, got ${actual.status}`)
  for (const name of COMPARED_HEADERS) {
    const want = headerOf(wanted.headers, name, theirs)
    const got = headerOf(actual.headers, name, mine)
    if (want !== got)
      found.push(`header ${name}: expected ${shortened(want)}, got ${shortened(got)}`)
  }
  if (step.ignoreBody) return found
  differences(wantedBody, body, 'body', found)
  return found.length > 0
    ? found
    : layout(bare(mine, actual.text), bare(theirs, wanted.text), watch)
}

/** The text with one name for both sides' namespaces, in letters that no escape concerns. */
const bare = ({ neutral }: Side, text = ''): string => neutral(text).replaceAll('<ns>', 'ns')

/** How the response is written; of a watch, each of its events. */
function layout(actual: string, wanted: string, watch: boolean): string[] {
  if (!watch) return layoutDifferences(wanted, actual)
  const events = actual.split('\n')
  return wanted.split('\n').flatMap((event, i) => layoutDifferences(event, events[i] ?? ''))
}

function headerOf(
  headers: Record<string, string>,
  name: string,
  { normalizer, neutral }: Side,
): string | undefined {
  const value = headers[name]
  return value === undefined ? undefined : normalizer.text(neutral(value))
}

async function sendUntil(
  step: Step,
  responses: Record<string, unknown>,
  send: Send,
  sleep: (milliseconds: number) => Promise<void>,
) {
  for (let attempt = 0; ; attempt++) {
    const { method, path, headers = {}, body } = step.request
    const actual = await send({
      method,
      path: fill(path, responses),
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, fill(value, responses)]),
      ),
      body: body === undefined || body === null ? body : fill(body, responses),
    })
    if (!step.until || attempt >= (step.attempts ?? 50)) return actual
    if (holds(step.until, actual)) return actual
    await sleep(step.intervalMs ?? 100)
  }
}

function isWatch(path: string): boolean {
  return /[?&]watch=(1|true)\b/.test(path) || /\/watch\//.test(path)
}

/** The body with placeholders: JSON as a value, a watch as the list of its events, anything else as text. */
function decode(
  response: { status: number; headers: Record<string, string>; text?: string },
  { normalizer, neutral }: Side,
  watch: boolean,
): unknown {
  const type = (response.headers['content-type'] ?? '').split(';')[0]
  const text = neutral(response.text ?? '')
  if (watch && type === 'application/json' && response.status === 200) {
    const lines = text.split('\n').filter((line) => line.trim() !== '')
    const events = lines.map((line) => parsedOr(line, line))
    for (const event of events) normalizer.scan(event)
    return events.map((event) => normalizer.value(event))
  }
  if (type === 'application/json') {
    const value = parsedOr(text, NOT_JSON)
    if (value !== NOT_JSON) {
      normalizer.scan(value)
      return normalizer.value(value)
    }
  }
  return normalizer.text(text)
}

const NOT_JSON = Symbol('not JSON')

function parsedOr<Other>(text: string, other: Other): unknown | Other {
  try {
    return JSON.parse(text)
  } catch {
    return other
  }
}

/**
 * Replaces `{{stepId.path.to.field}}` by values of earlier responses, and `{{ns}}` by the
 * namespace.
 */
function fill(template: string, responses: Record<string, unknown>): string {
  return template.replace(/\{\{([^}]+)\}\}/g, (_, expression: string) => {
    const [head = '', ...path] = expression.trim().split('.')
    const value = valueAt(responses[head], path)
    if (value === undefined) return `<unresolved ${expression}>`
    return typeof value === 'object' ? JSON.stringify(value) : String(value)
  })
}

function valueAt(value: unknown, path: string[]): unknown {
  return path.reduce<unknown>(
    (at, key) =>
      at === null || at === undefined ? undefined : (at as Record<string, unknown>)[key],
    value,
  )
}

function holds(condition: Condition, response: { status: number; text: string }): boolean {
  if (condition.status !== undefined && condition.status !== response.status) return false
  if (condition.path) {
    const value = valueAt(parsedOr(response.text, undefined), condition.path.split('.'))
    if ('equals' in condition && JSON.stringify(value) !== JSON.stringify(condition.equals))
      return false
    if ('exists' in condition && (value !== undefined) !== condition.exists) return false
  }
  return true
}
