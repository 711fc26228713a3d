/**
 * Runs a webhook in its worker: `admit(request, review)` for admission reviews, `convert(object,
 * apiVersion)` for conversion reviews, `serve(request)` for everything else.
 */
import type { HandlerMessage, HandlerRequest, Level } from './protocol'

const NAMES = ['admit', 'convert', 'serve'] as const

export function workerText(code: string): string {
  const found = NAMES.map(
    (name) => `${name}: typeof ${name} === 'undefined' ? undefined : ${name}`,
  ).join(', ')
  return `(${surround})(async () => {\n${code}\nreturn { ${found} };\n});`
}

type Reply = { status: number; headers: Record<string, string>; body: unknown }
type Review = {
  kind: string
  apiVersion: string
  request: Record<string, unknown> & { uid: string }
}
interface Functions {
  admit?: (request: unknown, review: unknown) => unknown
  convert?: (object: unknown, apiVersion: string) => unknown
  serve?: (request: unknown) => unknown
}

/** Runs in the worker, so it cannot reference anything outside this function. */
function surround(load: () => Promise<Functions>): void {
  const result = (
    message:
      | Exclude<HandlerMessage, { kind: 'line' }>
      | { kind: 'line'; level: Level; text: string },
  ) => (self as unknown as Worker).postMessage(message)
  const shown = (value: unknown): string => {
    if (typeof value === 'string') return value
    if (value instanceof Error) return `${value.name}: ${value.message}`
    try {
      return JSON.stringify(value, null, 2) ?? String(value)
    } catch {
      return String(value)
    }
  }
  for (const level of ['log', 'info', 'warn', 'error'] as Level[])
    console[level] = (...values: unknown[]) =>
      result({ kind: 'line', level, text: values.map(shown).join(' ') })

  const object = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
  const JSON_TYPE = { 'content-type': 'application/json' }
  const json = (body: unknown): Reply => ({ status: 200, headers: JSON_TYPE, body })
  const base64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)))

  /**
   * Nothing or true allows, false and a string deny, an array is a patch. @throws Error for
   * anything else
   */
  const verdict = (returned: unknown): Record<string, unknown> => {
    if (returned === undefined || returned === null || returned === true) return { allowed: true }
    if (returned === false) return { allowed: false }
    if (typeof returned === 'string') return { allowed: false, status: { message: returned } }
    if (typeof returned !== 'object')
      throw new Error(
        `admit returned ${String(returned)}; expected true, false, a string or a response object`,
      )
    const given: Record<string, unknown> = Array.isArray(returned)
      ? { patch: returned }
      : { ...(returned as object) }
    if (Array.isArray(given.patch))
      Object.assign(given, { patchType: 'JSONPatch', patch: base64(JSON.stringify(given.patch)) })
    return { allowed: true, ...given }
  }

  const reviewed = ({ kind, apiVersion, request }: Review, response: object): Reply =>
    json({ kind, apiVersion, response: { uid: request.uid, ...response } })

  async function replyTo(functions: Functions, request: HandlerRequest): Promise<Reply> {
    const { admit, convert, serve } = functions
    let body: unknown = request.body
    try {
      body = JSON.parse(request.body)
    } catch {
      // Not JSON: the handler gets the text.
    }
    const review = object(body) && object(body.request) ? (body as unknown as Review) : undefined
    if (review?.kind === 'AdmissionReview' && admit)
      return reviewed(review, verdict(await admit(review.request, review)))
    if (review?.kind === 'ConversionReview' && convert) {
      const { objects, desiredAPIVersion } = review.request as unknown as {
        objects: object[]
        desiredAPIVersion: string
      }
      const convertedObjects: unknown[] = []
      try {
        for (const one of objects) {
          const converted = await convert(structuredClone(one), desiredAPIVersion)
          convertedObjects.push(
            object(converted) ? { ...converted, apiVersion: desiredAPIVersion } : converted,
          )
        }
      } catch (error) {
        console.error(error)
        return reviewed(review, {
          result: {
            status: 'Failure',
            message: error instanceof Error ? error.message : String(error),
          },
        })
      }
      return reviewed(review, { convertedObjects, result: { status: 'Success' } })
    }
    if (!serve)
      return {
        status: 404,
        headers: { 'content-type': 'text/plain' },
        body: '404 page not found\n',
      }
    const returned = await serve({ ...request, body })
    if (!object(returned) || !('status' in returned || 'body' in returned) || 'kind' in returned)
      return json(returned)
    const { status = 200, headers = {}, body: replyBody } = returned as Partial<Reply>
    return {
      status,
      headers: typeof replyBody === 'string' ? headers : { ...JSON_TYPE, ...headers },
      body: replyBody,
    }
  }

  const textOf = (value: unknown): string =>
    typeof value === 'string' ? value : JSON.stringify(value ?? null)

  async function run(id: number, request: HandlerRequest): Promise<void> {
    const { status, headers, body } = await replyTo(await loading, request)
    const streamed = typeof body === 'object' && body !== null && Symbol.asyncIterator in body
    // A result that is not JSON fails before the response starts.
    const text = streamed || body === undefined ? undefined : textOf(body)
    result({ kind: 'head', id, status, headers })
    if (streamed) {
      for await (const piece of body as AsyncIterable<unknown>)
        result({
          kind: 'chunk',
          id,
          text: typeof piece === 'string' ? piece : `${JSON.stringify(piece)}\n`,
        })
    } else if (text !== undefined) result({ kind: 'chunk', id, text })
    result({ kind: 'end', id })
  }

  const loading = load()
  self.onmessage = ({ data }: MessageEvent<{ id: number; request: HandlerRequest }>) => {
    const { id, request } = data
    run(id, request).catch((error: unknown) => {
      console.error(error)
      result({ kind: 'head', id, status: 500, headers: { 'content-type': 'text/plain' } })
      result({
        kind: 'chunk',
        id,
        text: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
      })
      result({ kind: 'end', id })
    })
  }
}
