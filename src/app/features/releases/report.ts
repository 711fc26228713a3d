import { createTwoFilesPatch } from 'diff'
import type { Json } from '../../../engine/core/object'
import {
  BROKEN,
  brokenAtEnd,
  type CheckedManifest,
  deprecatedAtEnd,
  type Finding,
  type Outcome,
  type Report,
} from './findings'
import type { SourcedManifest } from './manifests'
import { REPORT } from './texts'

export const OUTCOME_WORDS: Record<Outcome, string> = {
  accepted: REPORT.accepted,
  deprecated: REPORT.deprecated,
  gone: REPORT.removed,
  absent: REPORT.absent,
  off: REPORT.off,
  unknown: REPORT.unknown,
  rejected: REPORT.rejected,
}

/** `Ingress shop/web` */
export function nameOf({ object: { kind, metadata } }: SourcedManifest): string {
  const name =
    metadata.name ?? (metadata.generateName ? `${metadata.generateName}…` : REPORT.noName)
  return `${kind} ${metadata.namespace ? `${metadata.namespace}/` : ''}${name}`
}

export function placeOf({ source, line }: { source: string; line: number }): string {
  return `${source}:${line}`
}

/** A unified diff of the manifest; empty without changes. */
export function diffOf({ manifest, rewritten }: CheckedManifest): string {
  if (rewritten === undefined) return ''
  const patch = createTwoFilesPatch(
    manifest.source,
    manifest.source,
    manifest.text,
    rewritten.text,
    manifest.object.apiVersion,
    rewritten.apiVersion,
  )
  return patch.replace(/^Index: .*\n=+\n/, '')
}

/** Merges releases with the same outcome: `1.21–1.24 deprecated, 1.25 not served any more`. */
function courseOf(
  findings: readonly Finding[],
): { from: string; to: string; outcome: Outcome; message?: string }[] {
  const course: { from: string; to: string; outcome: Outcome; message?: string }[] = []
  for (const { release, outcome, message } of findings) {
    const last = course.at(-1)
    if (last && last.outcome === outcome && last.message === message) last.to = release
    else
      course.push({
        from: release,
        to: release,
        outcome,
        ...(message === undefined ? {} : { message }),
      })
  }
  return course
}

function courseText({ findings }: CheckedManifest): string {
  return courseOf(findings)
    .map(
      ({ from, to, outcome }) =>
        `${from === to ? from : `${from}–${to}`} ${OUTCOME_WORDS[outcome]}`,
    )
    .join(', ')
}

/** One sentence per reason; empty if the manifest stays valid. */
export function remarksOf({
  findings,
  deprecation,
  rewritten,
  manifest,
}: CheckedManifest): string[] {
  const remarks: string[] = []
  const { since, removed, row } = deprecation
  const versionName = `${manifest.object.apiVersion} ${manifest.object.kind}`
  const outcomes = findings.map(({ outcome }) => outcome)
  if (since !== undefined && (outcomes.includes('deprecated') || outcomes.includes('gone')))
    remarks.push(REPORT.deprecatedSince(versionName, since, removed))
  if (row && row.replacements.length === 0) remarks.push(REPORT.noReplacement)
  for (const { from, to, outcome, message } of courseOf(findings)) {
    const explained = outcome === 'gone' || outcome === 'deprecated' || outcome === 'accepted'
    if (!explained)
      remarks.push(
        `${from === to ? from : `${from} to ${to}`}: ${OUTCOME_WORDS[outcome]}${message ? `: ${message}` : ''}.`,
      )
  }
  const warnings = new Set(
    findings
      .flatMap((finding) => finding.warnings)
      .filter((text) => !text.includes(' is deprecated in ')),
  )
  for (const text of warnings) remarks.push(REPORT.warning(text))
  for (const { release, defaults } of findings)
    for (const { path, before, after } of defaults)
      remarks.push(REPORT.otherDefault(release, path, shown(before), shown(after)))
  if (rewritten) {
    remarks.push(REPORT.use(rewritten.apiVersion, rewritten.since))
    for (const { path, before, after, reason } of rewritten.changes)
      if (reason) remarks.push(`${path}: ${shown(before)} → ${shown(after)} (${reason.text}).`)
    for (const text of rewritten.undecided) remarks.push(REPORT.undecided(text))
    if (!rewritten.accepted) remarks.push(REPORT.rejectedAfter(rewritten.message ?? ''))
  }
  return remarks.map((text) => text.replace(/\.\.$/, '.'))
}

function shown(value: Json | undefined): string {
  return value === undefined ? REPORT.unset : JSON.stringify(value)
}

export function summaryOf(report: Report): string {
  const { manifests, unreadable, from, to } = report
  const [broken, deprecated] = [brokenAtEnd(report).length, deprecatedAtEnd(report).length]
  const parts = [
    REPORT.manifests(manifests.length, from, to),
    broken === 0 ? REPORT.allAccepted(to) : REPORT.broken(broken, to),
    ...(deprecated > 0 ? [REPORT.deprecatedUses(deprecated, to)] : []),
    ...(unreadable.length > 0 ? [REPORT.unreadable(unreadable.length)] : []),
  ]
  return `${parts.join('; ')}.`
}

export function textReport(report: Report): string {
  const lines = [summaryOf(report)]
  for (const one of report.manifests) {
    const isBroken = BROKEN.includes((one.findings.at(-1) as Finding).outcome)
    lines.push(
      '',
      `${isBroken ? '✗' : one.findings.at(-1)?.outcome === 'deprecated' ? '!' : '✓'} ${nameOf(one.manifest)}  (${placeOf(one.manifest)})`,
    )
    lines.push(`  ${courseText(one)}`, ...remarksOf(one).map((text) => `  - ${text}`))
    const diff = diffOf(one)
    if (diff)
      lines.push(
        ...diff
          .trimEnd()
          .split('\n')
          .map((line) => `    ${line}`),
      )
  }
  for (const one of report.unreadable) lines.push('', `? ${placeOf(one)}: ${one.message}`)
  return `${lines.join('\n')}\n`
}

export function markdownReport(report: Report): string {
  const { releases, manifests, unreadable, from, to } = report
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const lines = [
    `# ${REPORT.heading(from, to)}`,
    '',
    summaryOf(report),
    '',
    row([REPORT.manifest, REPORT.version, ...releases]),
    row(['---', '---', ...releases.map(() => '---')]),
    ...manifests.map(({ manifest, findings }) =>
      row([
        inTable(nameOf(manifest)),
        inTable(manifest.object.apiVersion),
        ...findings.map(({ outcome }) => OUTCOME_WORDS[outcome]),
      ]),
    ),
  ]
  for (const one of manifests) {
    const remarks = remarksOf(one)
    if (remarks.length === 0) continue
    lines.push(
      '',
      `## ${inTable(nameOf(one.manifest))}`,
      '',
      `\`${placeOf(one.manifest)}\`: ${courseText(one)}.`,
      '',
    )
    lines.push(...remarks.map((text) => `- ${text}`))
    const diff = diffOf(one)
    if (diff) lines.push('', ...fenced('diff', diff))
  }
  if (unreadable.length > 0)
    lines.push(
      '',
      `## ${REPORT.notParsed}`,
      '',
      ...unreadable.map((one) => `- \`${placeOf(one)}\`: ${one.message}`),
    )
  return `${lines.join('\n')}\n`
}

function inTable(text: string): string {
  return text.replace(/[|\n]/g, (sign) => (sign === '|' ? '\\|' : ' '))
}

/** A fence longer than any in the text. */
function fenced(language: string, text: string): string[] {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return [`${fence}${language}`, text.trimEnd(), fence]
}

export function jsonReport(report: Report): string {
  const { from, to, releases, manifests, unreadable } = report
  const entries = manifests.map((one) => ({
    source: one.manifest.source,
    line: one.manifest.line,
    apiVersion: one.manifest.object.apiVersion,
    kind: one.manifest.object.kind,
    namespace: one.manifest.object.metadata.namespace,
    name: one.manifest.object.metadata.name,
    deprecated: one.deprecation.since,
    removed: one.deprecation.removed,
    row: one.deprecation.row?.name,
    releases: one.findings.map(({ release, outcome, message, warnings, defaults }) => ({
      release,
      outcome,
      message,
      warnings,
      defaults,
    })),
    remarks: remarksOf(one),
    rewritten: one.rewritten && {
      apiVersion: one.rewritten.apiVersion,
      since: one.rewritten.since,
      accepted: one.rewritten.accepted,
      message: one.rewritten.message,
      undecided: one.rewritten.undecided,
      manifest: one.rewritten.text,
      diff: diffOf(one),
    },
  }))
  const summary = {
    broken: brokenAtEnd(report).length,
    deprecated: deprecatedAtEnd(report).length,
    unreadable: unreadable.length,
  }
  return `${JSON.stringify({ from, to, releases, summary, manifests: entries, unreadable }, null, 2)}\n`
}
