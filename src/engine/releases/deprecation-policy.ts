/**
 * Checks a plan of versions against the deprecation policy. kubernetes.io, "Kubernetes Deprecation
 * Policy" (rules 1 to 11b).
 */
import { dayOf, firstReleaseAfter, laterOf, type Span } from './calendar'
import type { Stage } from './lifecycle'
import { compareReleases, releaseAfter } from './release'

export type RuleNumber =
  | '1'
  | '2'
  | '3'
  | '4a'
  | '4b'
  | '5a'
  | '5b'
  | '5c'
  | '6'
  | '7'
  | '8'
  | '9'
  | '10'
  | '11a'
  | '11b'

export const RULES: Record<RuleNumber, string> = {
  '1': 'An element of an API is removed only by a new version of its group; in its version it stays as it is.',
  '2': 'Objects convert between the versions of their kind without losing anything.',
  '3': 'A version is not deprecated in favor of a less stable one.',
  '4a': 'A stable version stays for good; a beta version is served nine months and three releases beyond its deprecation; an alpha version may go at any time.',
  '4b': 'The preferred and the stored version move on only after a release that knows both, so that one can go back.',
  '5a': 'What users type works on after its deprecation: stable for twelve months and two releases, beta for three months and one release.',
  '5b': 'What administrators type works on after its deprecation: stable for six months and one release, beta for three months and one release.',
  '5c': 'An element of a command line is not deprecated in favor of a less stable one.',
  '6': 'A deprecated element of a command line warns when it is used, and the warning can be switched off.',
  '7': 'Deprecated behavior works for a year after it was announced.',
  '8': 'A feature is not deprecated in favor of a less stable one of the same project.',
  '9': 'A deprecated feature gate works on: for six months and two releases once the feature is stable, for three months and one release if a beta feature ends.',
  '10': 'A deprecated feature gate warns when it is used; release notes and help state that, and whether it has an effect.',
  '11a':
    'A metric lives at least: stable four releases and twelve months, beta two releases and eight months.',
  '11b':
    'A metric stays after its deprecation: stable three releases and nine months, beta one release and four months.',
}

export type ElementKind =
  | 'api-version'
  | 'api-element'
  | 'user-command'
  | 'admin-command'
  | 'behavior'
  | 'feature-gate'
  | 'metric'

export interface PolicyElement {
  kind: ElementKind
  /** For a feature gate, the stage when the gate was deprecated. */
  stage: Stage
  introduced: string
  deprecated?: string
  replacement?: { stage: Stage; introduced: string }
}

/** `never`: not in this major version, or not from its API version. */
type Remains = Span | 'at once' | 'never'

interface Kind {
  title: string
  examples: string
  /** The minimum time from deprecation to removal. */
  remains: Record<Stage, Remains>
  by: RuleNumber
  replacement?: RuleNumber
  duties: RuleNumber[]
}

const span = (months: number, releases: number): Span => ({ months, releases })

export const KINDS: Record<ElementKind, Kind> = {
  'api-version': {
    title: 'API version',
    examples: 'batch/v1beta1',
    remains: { alpha: 'at once', beta: span(9, 3), stable: 'never' },
    by: '4a',
    replacement: '3',
    duties: ['2'],
  },
  'api-element': {
    title: 'Element of an API version',
    examples: 'a resource, a field, an annotation, a constant',
    remains: { alpha: 'never', beta: 'never', stable: 'never' },
    by: '1',
    duties: ['2'],
  },
  'user-command': {
    title: 'Command line for users',
    examples: 'a command or flag of kubectl',
    remains: { alpha: 'at once', beta: span(3, 1), stable: span(12, 2) },
    by: '5a',
    replacement: '5c',
    duties: ['6'],
  },
  'admin-command': {
    title: 'Command line for administrators',
    examples: 'a flag of kube-apiserver or kubelet',
    remains: { alpha: 'at once', beta: span(3, 1), stable: span(6, 1) },
    by: '5b',
    replacement: '5c',
    duties: ['6'],
  },
  behavior: {
    title: 'Behavior or feature',
    examples: 'what a component does, without a name in an API',
    remains: { alpha: span(12, 0), beta: span(12, 0), stable: span(12, 0) },
    by: '7',
    replacement: '8',
    duties: [],
  },
  'feature-gate': {
    title: 'Feature gate',
    examples: '--feature-gates=JobTrackingWithFinalizers=true',
    remains: { alpha: 'at once', beta: span(3, 1), stable: span(6, 2) },
    by: '9',
    duties: ['10'],
  },
  metric: {
    title: 'Metric',
    examples: 'apiserver_requested_deprecated_apis',
    remains: { alpha: 'at once', beta: span(4, 1), stable: span(9, 3) },
    by: '11b',
    duties: [],
  },
}

/** Until a beta version is deprecated (rule 4a). */
const BETA_LIFE = span(9, 3)
/** Rule 11a. */
const METRIC_LIFE: Partial<Record<Stage, Span>> = { beta: span(8, 2), stable: span(12, 4) }
/** Removal is one release later. */
const METRIC_HIDDEN_AFTER = 3

export type Moment = 'introduced' | 'deprecate by' | 'deprecated' | 'raise' | 'hidden' | 'removable'

export interface PolicyEvent {
  release: string
  day: string
  expected: boolean
  what: Moment
  rule?: RuleNumber
}

export interface Verdict {
  removal: { release: string; day: string; expected: boolean } | 'never' | 'not deprecated'
  by: RuleNumber
  events: PolicyEvent[]
  duties: RuleNumber[]
  /** Violations of a rule, or contradictions. */
  problems: { rule?: RuleNumber; text: string }[]
}

const RANK: Record<Stage, number> = { alpha: 0, beta: 1, stable: 2 }

export function evaluate(element: PolicyElement): Verdict {
  const { kind, stage, introduced, deprecated } = element
  const { remains, by, duties } = KINDS[kind]
  const events: PolicyEvent[] = [eventOf(introduced, 'introduced')]
  const add = (release: string, what: Moment, rule: RuleNumber) =>
    events.push(eventOf(release, what, rule))
  if (kind === 'api-version' && stage === 'beta')
    add(firstReleaseAfter(introduced, BETA_LIFE), 'deprecate by', '4a')
  if (kind === 'api-version' && element.replacement)
    add(raiseOf(introduced, element.replacement.introduced), 'raise', '4b')
  if (deprecated !== undefined) events.push(eventOf(deprecated, 'deprecated'))
  const removal = removalOf(element, remains[stage])
  if (kind === 'metric' && deprecated !== undefined)
    add(releaseAfter(deprecated, METRIC_HIDDEN_AFTER), 'hidden', '11b')
  if (typeof removal === 'object') add(removal.release, 'removable', removal.by)
  return {
    removal:
      typeof removal === 'object'
        ? { release: removal.release, ...dayOf(removal.release) }
        : removal,
    by: typeof removal === 'object' ? removal.by : by,
    events: events.sort((one, other) => compareReleases(one.release, other.release)),
    duties: [...duties],
    problems: problemsOf(element),
  }
}

function eventOf(release: string, what: Moment, rule?: RuleNumber): PolicyEvent {
  return { release, ...dayOf(release), what, ...(rule === undefined ? {} : { rule }) }
}

function removalOf(
  { kind, stage, introduced, deprecated }: PolicyElement,
  remains: Remains,
): { release: string; by: RuleNumber } | 'never' | 'not deprecated' {
  const { by } = KINDS[kind]
  if (remains === 'never') return 'never'
  if (remains === 'at once') return { release: releaseAfter(deprecated ?? introduced, 1), by }
  if (deprecated === undefined) return 'not deprecated'
  const after = firstReleaseAfter(deprecated, remains)
  const life = kind === 'metric' ? METRIC_LIFE[stage] : undefined
  const lived = life && firstReleaseAfter(introduced, life)
  return lived !== undefined && compareReleases(lived, after) > 0
    ? { release: lived, by: '11a' }
    : { release: after, by }
}

/** One release must serve both versions. */
function raiseOf(introduced: string, replacementIntroduced: string): string {
  return releaseAfter(laterOf(introduced, replacementIntroduced), 1)
}

function problemsOf({
  kind,
  stage,
  introduced,
  deprecated,
  replacement,
}: PolicyElement): Verdict['problems'] {
  const problems: Verdict['problems'] = []
  const { replacement: replacementRule } = KINDS[kind]
  if (deprecated !== undefined && compareReleases(deprecated, introduced) < 0)
    problems.push({
      text: `It cannot be deprecated (${deprecated}) before it came (${introduced}).`,
    })
  if (replacement && replacementRule && RANK[replacement.stage] < RANK[stage])
    problems.push({
      rule: replacementRule,
      text: `What takes its place is ${replacement.stage}, it itself is ${stage}.`,
    })
  if (kind === 'api-version' && stage === 'beta') {
    const latest = firstReleaseAfter(introduced, BETA_LIFE)
    if (deprecated !== undefined && compareReleases(deprecated, latest) > 0)
      problems.push({
        rule: '4a',
        text: `A beta version of ${introduced} has to be deprecated in ${latest} at the latest.`,
      })
  }
  return problems
}

export type State = 'absent' | 'there' | 'deprecated' | 'hidden' | 'removable'

export function stateIn({ events }: Verdict, release: string): State {
  const states: Partial<Record<Moment, State>> = {
    introduced: 'there',
    deprecated: 'deprecated',
    hidden: 'hidden',
    removable: 'removable',
  }
  let state: State = 'absent'
  for (const { release: at, what } of events)
    if (compareReleases(at, release) <= 0) state = states[what] ?? state
  return state
}
