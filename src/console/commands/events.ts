/** `kubectl events`: oldest first. */

import { isJsonObject, type Json, type JsonObject } from '../../engine/core/object'
import { since } from '../../engine/encoding/duration'
import { CHUNK_SIZE_FLAG } from '../acting/flags'
import { pathWith } from '../client'
import type { Command, Context, FlagValues } from '../command'
import { apiVersionOf } from '../discovery'
import { CommandError } from '../errors'
import { Columns } from '../output/columns'
import { printable } from '../output/custom-columns'
import { OUTPUT_FLAGS, printerOf } from '../output/printer'

export const EVENTS: Command = {
  name: 'events',
  summary: 'List events',
  usage: 'events [--for TYPE/NAME] [--types=Normal,Warning] [-w] [flags]',
  examples: [
    { line: 'kubectl events', about: 'List recent events in the default namespace' },
    {
      line: 'kubectl events --for pod/web --watch',
      about: 'List recent events for the specified pod, then wait for more events',
    },
    { line: 'kubectl events --types=Warning -A', about: 'List warning events in all namespaces' },
  ],
  flags: [
    ...OUTPUT_FLAGS,
    {
      name: 'all-namespaces',
      short: 'A',
      type: 'on',
      about: 'If present, list the requested objects across all namespaces.',
    },
    CHUNK_SIZE_FLAG,
    {
      name: 'for',
      type: 'text',
      about: 'Filter events to only those pertaining to the specified resource.',
    },
    { name: 'no-headers', type: 'on', about: "Don't print headers (default print headers)." },
    {
      name: 'types',
      type: 'list',
      values: ['Normal', 'Warning'],
      about: 'Output only events of given types.',
    },
    {
      name: 'watch',
      short: 'w',
      type: 'on',
      about: 'After listing the requested events, watch for more events.',
    },
  ],
  async run(context, { flags }) {
    const types = flags.list('types').map((type) => type.toLowerCase())
    if (types.some((type) => type !== 'normal' && type !== 'warning'))
      throw new CommandError('valid --types are Normal or Warning')
    const everywhere = flags.on('all-namespaces')
    const path = `/api/v1${everywhere ? '' : `/namespaces/${context.namespace}`}/events`
    const fieldSelector = await selectorFor(context, flags.text('for'))
    const wanted = (event: JsonObject) =>
      types.length === 0 || types.includes(String(event.type).toLowerCase())
    const print = printing(context, flags)
    if (flags.on('watch'))
      return watch(context, pathWith(path, { fieldSelector, watch: 'true' }), wanted, print)
    const events = (await list(context, path, fieldSelector, flags.text('chunk-size'))).filter(
      wanted,
    )
    if (events.length === 0) {
      context.err(
        everywhere ? 'No events found.\n' : `No events found in ${context.namespace} namespace.\n`,
      )
      return 0
    }
    context.out(print(events.toSorted((a, b) => Date.parse(timeOf(a)) - Date.parse(timeOf(b)))))
    return 0
  },
}

async function selectorFor({ discovery }: Context, word: string): Promise<string> {
  if (word === '') return ''
  const parts = word.split('/')
  if (parts.length === 1) throw new CommandError('--for must be in resource/name form')
  if (parts.length > 2)
    throw new CommandError('arguments in resource/name form may not have more than one slash')
  const [type = '', name = ''] = parts
  const resource = await discovery.find(type)
  return `involvedObject.kind=${resource.kind},involvedObject.apiVersion=${apiVersionOf(resource)},involvedObject.name=${name}`
}

async function list(
  { client }: Context,
  path: string,
  fieldSelector: string,
  limit: string,
): Promise<JsonObject[]> {
  const events: JsonObject[] = []
  let token: string | undefined
  do {
    const page = await client.get(pathWith(path, { fieldSelector, limit, continue: token }))
    for (const item of Array.isArray(page.items) ? page.items.filter(isJsonObject) : [])
      events.push({ apiVersion: 'v1', kind: 'Event', ...item })
    token =
      isJsonObject(page.metadata) && typeof page.metadata.continue === 'string'
        ? page.metadata.continue
        : ''
  } while (token !== '')
  return events
}

async function watch(
  { client, out }: Context,
  path: string,
  wanted: (event: JsonObject) => boolean,
  print: (events: JsonObject[]) => string,
): Promise<number> {
  for await (const { type, object } of client.lines({ path })) {
    if (type !== 'DELETED' && isJsonObject(object) && object.kind === 'Event' && wanted(object))
      out(print([object]))
  }
  return 0
}

function printing({ clock }: Context, flags: FlagValues): (events: JsonObject[]) => string {
  if (flags.text('output') !== '') {
    const printer = printerOf(flags)
    const whole = (events: JsonObject[]): JsonObject => ({
      apiVersion: 'v1',
      items: events,
      kind: 'EventList',
      metadata: {},
    })
    return (events) => printer.print(flags.on('watch') ? (events[0] as JsonObject) : whole(events))
  }
  const columns = new Columns()
  const withNamespace = flags.on('all-namespaces')
  let headed = flags.on('no-headers')
  return (events) => {
    const heading = headed
      ? []
      : [
          [
            ...(withNamespace ? ['NAMESPACE'] : []),
            'LAST SEEN',
            'TYPE',
            'REASON',
            'OBJECT',
            'MESSAGE',
          ],
        ]
    headed = true
    return columns.lines([
      ...heading,
      ...events.map((event) => row(event, withNamespace, clock.now())),
    ])
  }
}

function row(event: JsonObject, withNamespace: boolean, now: number): string[] {
  const object = isJsonObject(event.involvedObject) ? event.involvedObject : {}
  const metadata = isJsonObject(event.metadata) ? event.metadata : {}
  return [
    ...(withNamespace ? [String(metadata.namespace ?? '')] : []),
    lastSeen(event, now),
    printable(text(event.type)),
    printable(text(event.reason)),
    printable(`${text(object.kind)}/${text(object.name)}`),
    printable(text(event.message).trim()),
  ]
}

/** `5s`, or `5s (x3 over 2m)` for a series. */
function lastSeen(
  { eventTime, firstTimestamp, lastTimestamp, series, count }: JsonObject,
  now: number,
): string {
  const first = since(text(eventTime) || text(firstTimestamp), now)
  if (isJsonObject(series))
    return `${since(text(series.lastObservedTime), now)} (x${series.count} over ${first})`
  return typeof count === 'number' && count > 1
    ? `${since(text(lastTimestamp), now)} (x${count} over ${first})`
    : first
}

function timeOf({ series, lastTimestamp, eventTime }: JsonObject): string {
  return (
    (isJsonObject(series) ? text(series.lastObservedTime) : '') ||
    text(lastTimestamp) ||
    text(eventTime) ||
    '0001-01-01T00:00:00Z'
  )
}

const text = (value: Json | undefined): string =>
  value === null || value === undefined ? '' : String(value)
