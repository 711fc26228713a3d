import { prettyText } from '../../components/format'
import type { LoggedRequest } from '../../state/logged-request'
import { asCurl } from '../copy-as/equivalents'
import { ISSUE } from './texts'

export interface Circumstances {
  release: string
  actor: { name: string; groups: readonly string[] }
  kinds: ReadonlyMap<string, number>
  revision: number
  /** Set if the clock differs from real time. */
  clock?: string
  /** undefined: the link is too long for trackers. */
  link: string | undefined
}

/** Trackers limit a report to about 65,000 characters. */
const LONGEST_BODY = 6000

/** @param requests oldest first */
export function issueText(requests: readonly LoggedRequest[], around: Circumstances): string {
  const { release, actor, kinds, revision, clock, link } = around
  const state =
    [...kinds].map(([kind, objects]) => `${objects} ${kind}`).join(', ') || ISSUE.emptyCluster
  return [
    `### ${ISSUE.what}`,
    '',
    `_${ISSUE.expected}_`,
    '',
    `### ${ISSUE.where}`,
    '',
    `- ${ISSUE.server(release)}`,
    `- As ${code(actor.name)}${actor.groups.length > 0 ? ` (${actor.groups.map(code).join(', ')})` : ''}`,
    `- ${ISSUE.revision(revision, state)}`,
    ...(clock ? [`- ${ISSUE.time(clock)}`] : []),
    '',
    ...requests.flatMap((request, index) => [
      ...requestLines(request, requests.length > 1 ? `${index + 1}. ` : ''),
      '',
    ]),
    `### ${ISSUE.tryIt}`,
    '',
    link === undefined ? ISSUE.tooLong : ISSUE.link(link),
    '',
  ].join('\n')
}

function requestLines(request: LoggedRequest, number: string): string[] {
  const { method, path, who, status, failure, response } = request
  const outcome = failure ?? String(status ?? ISSUE.noResponse)
  return [
    `### ${number}${code(`${method} ${path.split('?')[0]}`)} → ${outcome}`,
    '',
    ISSUE.as(code(who)),
    '',
    fenced(asCurl(request), 'sh'),
    '',
    ...(response ? [ISSUE.response, '', fenced(shortened(prettyText(response)), 'json')] : []),
  ]
}

/** Names and texts come from the cluster and can contain Markdown. */
function code(text: string): string {
  const marks = marksBeyond(text, 1)
  const flat = text.replace(/\s+/g, ' ')
  return flat.includes('`') ? `${marks} ${flat} ${marks}` : `${marks}${flat}${marks}`
}

function fenced(text: string, language: string): string {
  const marks = marksBeyond(text, 3)
  return `${marks}${language}\n${text}\n${marks}`
}

/** A fence longer than any run of backticks in the text. */
function marksBeyond(text: string, least: number): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  return '`'.repeat(Math.max(least, longest + 1))
}

const shortened = (text: string): string =>
  text.length <= LONGEST_BODY
    ? text
    : `${text.slice(0, LONGEST_BODY)}\n… ${(text.length - LONGEST_BODY).toLocaleString()} more characters`
