/**
 * What the soak test runs inside tabs: watchers that reconnect without end, and writes that are repeated until they succeed. In the
 * page itself it only listens to the streams that the page opens. What was seen is kept until it is fetched (`drain`).
 */
import {
  CHANNEL_MARK,
  type ChannelRequests,
  type ChannelResponse,
  type WorkerMessage,
} from '../../src/hosts/shared/channel'
import type { Connection, Listed, Watched, WriteOrder, WriteResponse } from './types'

interface Line {
  type: string
  object: {
    kind?: string
    code?: number
    message?: string
    metadata: { name?: string; namespace?: string; resourceVersion: string }
  }
}

const AGAIN_MILLISECONDS = 250
/** A write without a response for this time is reported instead of retried. */
const TIMEOUT_MILLISECONDS = 60_000
const CHANNEL_MILLISECONDS = 20_000
const CHANNEL_ATTEMPTS = 15
const HEADERS = {
  Authorization: 'Bearer admin-token',
  Accept: 'application/json',
  'User-Agent': 'soak',
}

const watched = new Map<string, Watched>()
let connections = 0

/** Where the API begins; ends with `/`. */
const base = new URL('.', location.href).pathname

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

function watchedAs(id: string, path: string): Watched {
  const known = watched.get(id) ?? { id, path, connections: [], start: undefined }
  watched.set(id, known)
  return known
}

function connect(id: string, path: string, from: number): Connection {
  const connection: Connection = {
    number: ++connections,
    from,
    events: [],
    bookmark: from,
    open: true,
    problems: [],
  }
  watchedAs(id, path).connections.push(connection)
  return connection
}

function take(connection: Connection, line: string): number | undefined {
  const { type, object } = JSON.parse(line) as Line
  if (type === 'ERROR') {
    connection.problems.push(`${object.code}: ${object.message}`)
    return undefined
  }
  const revision = Number(object.metadata.resourceVersion)
  if (type === 'BOOKMARK') connection.bookmark = revision
  else
    connection.events.push(
      `${revision} ${type} ${object.metadata.namespace ?? ''}/${object.metadata.name ?? ''}`,
    )
  return revision
}

/** A watcher as client libraries make them: lists, watches from there, and goes on from the last revision it heard of. */
async function follow(id: string, path: string, query = ''): Promise<void> {
  const listed = await list(path, query)
  const { revision } = listed
  watchedAs(id, path).start = listed
  void goOn(id, path, query, revision)
}

async function goOn(id: string, path: string, query: string, first: number): Promise<void> {
  let revision = first
  for (;;) {
    const connection = connect(id, path, revision)
    try {
      const requested = `${base}${path}?watch=1&allowWatchBookmarks=true&resourceVersion=${revision}${query}`
      const response = await fetch(requested, { headers: HEADERS })
      if (!response.ok) connection.problems.push(`${response.status}: ${await response.text()}`)
      else
        for await (const line of linesOf(response)) {
          const heard = take(connection, line)
          if (heard !== undefined) revision = Math.max(revision, heard)
        }
    } catch {
      // The worker was stopped: that is what this is about.
    }
    connection.open = false
    await pause(AGAIN_MILLISECONDS)
  }
}

async function* linesOf(response: Response): AsyncGenerator<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value = '' } = (await reader?.read()) ?? { done: true }
    if (done) return
    const lines = (rest + value).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line !== '') yield line
  }
}

/**
 * Lists all objects, as `namespace/name` with their versions; retries until there is a response.
 */
async function list(path: string, query = ''): Promise<Listed> {
  for (;;) {
    const response = await fetch(`${base}${path}?${query.slice(1)}`, { headers: HEADERS }).catch(
      () => undefined,
    )
    if (response?.ok) {
      const { kind, metadata, items } = (await response.json()) as {
        kind: string
        metadata: { resourceVersion: string }
        items: { metadata: { name: string; namespace?: string; resourceVersion: string } }[]
      }
      const objects = items.map(
        ({ metadata: own }) =>
          [`${own.namespace ?? ''}/${own.name}`, Number(own.resourceVersion)] as const,
      )
      return {
        kind: kind.replace(/List$/, ''),
        revision: Number(metadata.resourceVersion),
        objects: Object.fromEntries(objects),
      }
    }
    await pause(AGAIN_MILLISECONDS)
  }
}

/**
 * Retries a request until there is a response. The server executes it once, because it has an
 * identity.
 */
async function write({
  method,
  path,
  body,
  contentType,
  identity,
}: WriteOrder): Promise<WriteResponse> {
  const begun = performance.now()
  for (let tries = 1; ; tries++) {
    try {
      const headers = {
        ...HEADERS,
        'Content-Type': contentType ?? 'application/json',
        'x-kubetab-request-id': identity,
      }
      const response = await fetch(base + path, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const result = (await response.json()) as {
        message?: string
        metadata?: { resourceVersion?: string }
      }
      if (response.status < 500 && response.status !== 429) {
        const milliseconds = performance.now() - begun
        return {
          status: response.status,
          revision: Number(result.metadata?.resourceVersion),
          message: result.message ?? '',
          tries,
          milliseconds,
        }
      }
    } catch {
      // The worker was stopped under the request.
    }
    if (performance.now() - begun > TIMEOUT_MILLISECONDS)
      return {
        status: 0,
        revision: Number.NaN,
        message: 'no response',
        tries,
        milliseconds: performance.now() - begun,
      }
    await pause(AGAIN_MILLISECONDS)
  }
}

/** Hands over what was seen since the last time. Connections that ended are discarded here. */
function drain(): Watched[] {
  return [...watched.values()].map((one) => {
    const { connections: all, start } = one
    const handed = all.map((connection) => ({
      ...connection,
      events: connection.events.splice(0),
      problems: connection.problems.splice(0),
    }))
    one.connections = all.filter(({ open }) => open)
    one.start = undefined
    return { ...one, connections: handed, start }
  })
}

/**
 * Sends a request to the engine over the page's channel; retries, because a stopped worker drops
 * it.
 */
async function sendRequest<Kind extends keyof ChannelRequests>(
  kind: Kind,
  question: ChannelRequests[Kind]['request'],
): Promise<ChannelRequests[Kind]['response']> {
  for (let attempt = 1; ; attempt++) {
    const result = await sendOnce(kind, question)
    if (result?.ok) return result.response as ChannelRequests[Kind]['response']
    if (result || attempt === CHANNEL_ATTEMPTS)
      throw new Error(result?.message ?? 'no response over the channel')
  }
}

/** @returns undefined when there is none */
function sendOnce(
  kind: keyof ChannelRequests,
  question: unknown,
): Promise<ChannelResponse | undefined> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    const timer = setTimeout(() => resolve(undefined), CHANNEL_MILLISECONDS)
    port1.onmessage = ({ data }: MessageEvent<ChannelResponse>) => {
      clearTimeout(timer)
      port1.close()
      resolve(data)
    }
    const message = {
      mark: CHANNEL_MARK,
      kind: 'request',
      workspace: '',
      request: { kind, request: question },
    } as WorkerMessage
    navigator.serviceWorker.controller?.postMessage(message, [port2])
  })
}

/** Rows of the stored history, and bytes as the browser computes them. */
async function stored(): Promise<{ rows: number; requests: number; bytes: number }> {
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const opening = indexedDB.open('kubetab')
    opening.onsuccess = () => resolve(opening.result)
    opening.onerror = () => reject(opening.error)
  })
  const count = (name: string) =>
    new Promise<number>((resolve, reject) => {
      const counting = database.transaction(name).objectStore(name).count()
      counting.onsuccess = () => resolve(counting.result)
      counting.onerror = () => reject(counting.error)
    })
  const [rows, requests] = await Promise.all([count('versions'), count('requests')])
  database.close()
  const { usage = 0, usageDetails } = (await navigator.storage.estimate()) as StorageEstimate & {
    usageDetails?: { indexedDB?: number }
  }
  return { rows, requests, bytes: usageDetails?.indexedDB ?? usage }
}

/** Watches that are open in the engine, by its own metrics. */
async function openWatches(): Promise<number> {
  const text = await (await fetch(`${base}metrics`, { headers: HEADERS })).text()
  const lines = text
    .split('\n')
    .filter((line) => line.startsWith('apiserver_longrunning_requests{'))
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

/** Listens to every watch that this page opens by itself: what it reads is passed on untouched. */
function listen(): void {
  const own = window.fetch.bind(window)
  window.fetch = async (input, init) => {
    const response = await own(input, init)
    const url = new URL(String(input instanceof Request ? input.url : input), location.href)
    const from = url.searchParams.get('resourceVersion')
    if (
      url.searchParams.get('watch') === null ||
      from === null ||
      !response.ok ||
      response.body === null
    )
      return response
    const connection = connect(
      `page:${url.pathname}`,
      url.pathname.slice(base.length),
      Number(from),
    )
    return new Response(overheard(response.body, connection), response)
  }
}

function overheard(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  connection: Connection,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        connection.open = !done
        if (done) return controller.close()
        const lines = (rest + decoder.decode(value, { stream: true })).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) if (line !== '') take(connection, line)
        controller.enqueue(value)
      } catch (error) {
        connection.open = false
        controller.error(error)
      }
    },
    cancel(reason) {
      connection.open = false
      return reader.cancel(reason)
    },
  })
}

export const soak = { follow, list, write, drain, sendRequest, stored, openWatches, listen }

declare global {
  interface Window {
    soak: typeof soak
  }
}

window.soak = soak
