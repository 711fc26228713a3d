/** A Markdown report for an issue tracker: the request, the response, and steps to reproduce. */
import { prettyText } from '../../components/format'
import type { LoggedRequest } from '../../state/logged-request'
import { asCurl } from '../copy-as/equivalents'

export interface Circumstances {
  release: string
  actor: { name: string; groups: readonly string[] }
  /** Objects by kind. */
  kinds: ReadonlyMap<string, number>
  revision: number
  /** How the cluster's time goes, if otherwise than real time. */
  clock?: string
  /** Opens the whole scenario; undefined: it is longer than trackers take. */
  link: string | undefined
}

/** Trackers limit a report to about 65,000 characters. */
const LONGEST_BODY = 6000

/** @param requests oldest first */
export function issueText(requests: readonly LoggedRequest[], around: Circumstances): string {
  const { release, actor, kinds, revision, clock, link } = around
  const state =
    [...kinds].map(([kind, objects]) => `${objects} ${kind}`).join(', ') ||
    'nothing but what every server has'
  return [
    '### What happened',
    '',
    '_What did you expect, and what came instead?_',
    '',
    '### Where',
    '',
    `- Kubernetes API ${release}, simulated by kubetab`,
    `- As ${code(actor.name)}${actor.groups.length > 0 ? ` (${actor.groups.map(code).join(', ')})` : ''}`,
    `- Revision ${revision}: ${state}`,
    ...(clock ? [`- Time: ${clock}`] : []),
    '',
    ...requests.flatMap((request, index) => [
      ...requestLines(request, requests.length > 1 ? `${index + 1}. ` : ''),
      '',
    ]),
    '### Try it',
    '',
    link === undefined
      ? 'The scenario is too long for a link here: attach the file from “Share”, “Save as a file”.'
      : `[Open the same cluster in a browser tab](${link}): it opens in a new workspace.`,
    '',
  ].join('\n')
}

function requestLines(request: LoggedRequest, number: string): string[] {
  const { method, path, who, status, failure, response } = request
  const outcome = failure ?? String(status ?? 'no response yet')
  return [
    `### ${number}${code(`${method} ${path.split('?')[0]}`)} → ${outcome}`,
    '',
    `As ${code(who)}:`,
    '',
    fenced(asCurl(request), 'sh'),
    '',
    ...(response ? ['Response:', '', fenced(shortened(prettyText(response)), 'json')] : []),
  ]
}

/** Names and texts come from the cluster, and may hold what Markdown would take for its own. */
function code(text: string): string {
  const marks = marksBeyond(text, 1)
  const flat = text.replace(/\s+/g, ' ')
  return flat.includes('`') ? `${marks} ${flat} ${marks}` : `${marks}${flat}${marks}`
}

function fenced(text: string, language: string): string {
  const marks = marksBeyond(text, 3)
  return `${marks}${language}\n${text}\n${marks}`
}

/** More backticks than any run in the text. */
function marksBeyond(text: string, least: number): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  return '`'.repeat(Math.max(least, longest + 1))
}

const shortened = (text: string): string =>
  text.length <= LONGEST_BODY
    ? text
    : `${text.slice(0, LONGEST_BODY)}\n… ${(text.length - LONGEST_BODY).toLocaleString()} more characters`
