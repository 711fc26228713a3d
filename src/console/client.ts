/** Requests of all commands: impersonation, warnings, verbosity and errors. */
import { CHANNELS_HEADER } from '../engine/core/names'
import { isJsonObject, type JsonObject } from '../engine/core/object'
import type { ConsoleClock, Transport } from './environment'
import { PlainError, StatusError } from './errors'
import { RequestReport } from './request-report'

export interface Call {
  method?: string
  path: string
  accept?: string
  contentType?: string
  /** Text, or a value to encode as JSON. */
  body?: string | object
  headers?: Record<string, string>
  /** Aborts a stream (watch, followed log). */
  signal?: AbortSignal
}

export interface Reply {
  status: number
  headers: Headers
  text: string
  json: JsonObject
}

export interface ClientOptions {
  transport: Transport
  clock: ConsoleClock
  signal: AbortSignal
  /** For `-v`: `https://127.0.0.1:6443` */
  server: string
  /** Overrides the user of the current context. */
  context?: string
  headers: Record<string, string>
  verbosity: number
  /** `--request-timeout` in milliseconds; 0: none. */
  timeout: number
  /** Prints warnings and reports. */
  err(text: string): void
}

export class ApiClient {
  private readonly warned = new Set<string>()

  constructor(private readonly options: ClientOptions) {}

  /** The number of different warnings. */
  get warnings(): number {
    return this.warned.size
  }

  /** Reads the whole response and prints its warnings. @throws StatusError for an error status */
  async send(call: Call): Promise<Reply> {
    const { response, report } = await this.open(call)
    const text = await response.text()
    report.body(text)
    const json = parsed(text)
    if (response.status >= 400) throw new StatusError(statusOf(response.status, text, json))
    return { status: response.status, headers: response.headers, text, json }
  }

  async get(path: string, accept?: string): Promise<JsonObject> {
    try {
      return (await this.send({ path, ...(accept === undefined ? {} : { accept }) })).json
    } catch (error) {
      if (error instanceof StatusError && error.code === 404) await this.expectNamespaceOf(path)
      throw error
    }
  }

  /**
   * If an object is missing, checks its namespace too, as kubectl does, except `default`.
   * @throws StatusError
   */
  private async expectNamespaceOf(path: string): Promise<void> {
    const [, namespace = 'default'] = /\/namespaces\/([^/?]+)\/[^/?]+\/[^/?]/.exec(path) ?? []
    if (namespace === 'default') return
    try {
      await this.send({ path: `/api/v1/namespaces/${namespace}` })
    } catch (error) {
      if (error instanceof StatusError && error.code === 404) throw error
    }
  }

  /** @throws StatusError for an error status */
  async *stream(call: Call): AsyncGenerator<string> {
    const { response, report } = await this.open(call)
    if (response.status >= 400 || response.body === null) {
      const text = await response.text()
      report.body(text)
      if (response.status >= 400)
        throw new StatusError(statusOf(response.status, text, parsed(text)))
      return
    }
    const signal = call.signal ?? this.options.signal
    const reader = response.body
      .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
      .getReader()
    const cancel = () => void reader.cancel().catch(() => undefined)
    signal.addEventListener('abort', cancel, { once: true })
    try {
      for (;;) {
        const { done, value } = await reader.read()
        if (done || signal.aborted) return
        report.body(value)
        yield value
      }
    } catch (error) {
      if (!signal.aborted) throw error
    } finally {
      signal.removeEventListener('abort', cancel)
      cancel()
    }
  }

  /** Yields a stream's JSON lines. @throws StatusError */
  async *lines(call: Call): AsyncGenerator<JsonObject> {
    for await (const line of this.textLines(call)) yield parsed(line)
  }

  /** Yields channel messages until the connection closes. @throws StatusError */
  async *channels(call: Call): AsyncGenerator<[channel: number, text: string]> {
    const headers = { ...call.headers, [CHANNELS_HEADER]: '1' }
    for await (const line of this.textLines({ ...call, headers }))
      yield JSON.parse(line) as [number, string]
  }

  private async *textLines(call: Call): AsyncGenerator<string> {
    let rest = ''
    for await (const chunk of this.stream(call)) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (line !== '') yield line
    }
  }

  private async open(call: Call): Promise<{ response: Response; report: RequestReport }> {
    const { transport, clock, signal, headers, verbosity, server, timeout, err, context } =
      this.options
    const {
      method = 'GET',
      path,
      accept = 'application/json',
      contentType = 'application/json',
    } = call
    const body =
      call.body === undefined
        ? undefined
        : typeof call.body === 'string'
          ? call.body
          : JSON.stringify(call.body)
    const sent = {
      Accept: accept,
      ...(body === undefined ? {} : { 'Content-Type': contentType }),
      ...headers,
      ...call.headers,
    }
    const report = new RequestReport(verbosity, clock, err)
    report.request(method, `${server}${path}`, sent, body)
    const aborted =
      timeout === 0 ? (call.signal ?? signal) : this.limited(call.signal ?? signal, timeout)
    const response = await transport(path, {
      method,
      headers: sent,
      signal: aborted,
      ...(body === undefined ? {} : { body }),
      ...(context === undefined ? {} : { context }),
    }).catch((error: unknown) => {
      // Fetch throws this if the server is unreachable.
      throw error instanceof TypeError
        ? new PlainError(`Unable to connect to the server: ${error.message}`)
        : error
    })
    report.response(response)
    this.printWarnings(response.headers.get('warning') ?? '')
    return { response, report }
  }

  private limited(signal: AbortSignal, milliseconds: number): AbortSignal {
    const limit = new AbortController()
    signal.addEventListener('abort', () => limit.abort(), { once: true })
    void this.options.clock
      .sleep(milliseconds, signal)
      .then(() =>
        limit.abort(
          new PlainError(
            'Unable to connect to the server: context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
          ),
        ),
      )
    return limit.signal
  }

  /** Prints each warning once, as kubectl does. */
  private printWarnings(header: string): void {
    for (const [, text = ''] of header.matchAll(/299 [^ ]+ "((?:[^"\\]|\\.)*)"/g)) {
      const warning = text.replace(/\\(.)/g, '$1')
      if (this.warned.has(warning)) continue
      this.warned.add(warning)
      this.options.err(`Warning: ${warning}\n`)
    }
  }
}

/** Omits query parameters without a value. */
export function pathWith(path: string, query: Record<string, string | undefined>): string {
  const parts = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === ''
      ? []
      : [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`],
  )
  return parts.length === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}${parts.join('&')}`
}

function parsed(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : {}
  } catch {
    return {}
  }
}

/** The response's Status, or one from the status code, as in client-go. */
function statusOf(code: number, text: string, json: JsonObject): JsonObject {
  if (json.kind === 'Status') return { ...json, code: json.code ?? code }
  const [reason, message] = UNNAMED[code] ?? [
    '',
    'an error on the server has prevented the request from succeeding',
  ]
  return {
    kind: 'Status',
    code,
    reason,
    message: text.trim() === '' ? message : code === 404 ? message : text.trim(),
  }
}

const UNNAMED: Record<number, [reason: string, message: string]> = {
  401: ['Unauthorized', 'the server has asked for the client to provide credentials'],
  404: ['NotFound', 'the server could not find the requested resource'],
  405: ['MethodNotAllowed', 'the server does not allow this method on the requested resource'],
}
